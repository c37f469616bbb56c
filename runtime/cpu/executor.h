// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs blocks of a launch on one OS thread. The kernel's entry runs on a fiber. An entry of tier T0
// runs the threads of a block itself, and block after block without a switch; one of tier T3 asks
// for lanes (`runFibers`), which run on further fibers, driven by the rendezvous core. A fiber
// serves one lane after the other until one of them has to wait, so lanes that never wait cost no
// switch. A panic, an overflow or a sync error leaves the stacks as they are and gives them up.
#pragma once

#include "runtime/cpu/fault.h"
#include "runtime/cpu/outcome.h"
#include "runtime/simt/block.h"
#include "support/cpu_abi.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace mirgpu::runtime::cpu {

using KernelEntry = void (*)(const void *const *args, abi::BlockContext *block);

/// One launch, as every worker sees it.
struct GridJob {
  KernelEntry entry = nullptr;
  bool isThreadLoop = false; ///< tier T0
  const void *const *args = nullptr;
  const abi::LaunchContext *context = nullptr;
  std::array<uint32_t, 3> grid{}, block{};
  uint32_t staticSharedBytes = 0; ///< where dynamic shared memory begins
  uint64_t sharedBytes = 0;       ///< of one block, both kinds
  uint64_t stackBytes = kDefaultStackBytes;
  simt::Schedule schedule;

  uint64_t blocks() const { return uint64_t(grid[0]) * grid[1] * grid[2]; }
  uint32_t threads() const { return block[0] * block[1] * block[2]; }
};

class BlockExecutor {
public:
  BlockExecutor();
  BlockExecutor(const BlockExecutor &) = delete;
  BlockExecutor &operator=(const BlockExecutor &) = delete;
  ~BlockExecutor();

  /// The calling thread's own, made on first use.
  static BlockExecutor &ofThread();
  /// Makes ready for blocks of `job`. Failures go to `outcome`; false: nothing can be run.
  bool prepare(const GridJob &job, LaunchOutcome &outcome);
  /// Runs the blocks with linear indices in [first, last), each from its start to its end.
  void runBlocks(uint64_t first, uint64_t last);
  /// Unmaps stacks beyond `count`; called between launches.
  void trim(size_t count);

private:
  enum class EndKind : uint8_t { None, Panic, Overflow, NoMemory };
  struct Services;
  static const abi::HostServices *services();

  // On the block's fiber.
  static void blockMain(void *self);
  void runOnFiber();
  void placeBlock();
  void poisonShared();
  bool goOn();
  void runFibers(abi::LaneFunction lane, const void *const *args);
  bool endLane();
  void reportFindings();
  [[noreturn]] void abandonBlock();
  // On lanes' fibers.
  static void laneMain(void *self);
  void continueAfterExit();
  void continueAfterArrival(uint32_t lane);
  void switchTo(std::optional<uint32_t> lane);
  Fiber *takeFiber();
  /// Ends the running lane, or the whole block where lanes have no fibers of their own.
  [[noreturn]] void leave(EndKind kind);
  static void overflowLanding(void *self);
  // Anywhere.
  void recordEnd();
  simt::BlockPlace blockPlace() const;
  bool ensureShared(uint64_t bytes);
  void makeLanes(const std::array<uint32_t, 3> &block);

  SignalStack signalStack_;
  Fiber root_; ///< the thread itself
  Fiber *running_ = &root_;
  std::unique_ptr<Fiber> blockFiber_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber *> idle_;
  size_t stackBytes_ = 0;

  const GridJob *job_ = nullptr;
  LaunchOutcome *outcome_ = nullptr;
  uint64_t block_ = 0, lastBlock_ = 0;
  abi::BlockContext context_{};
  std::byte *shared_ = nullptr;
  uint64_t sharedCapacity_ = 0;

  simt::Block core_;
  std::vector<abi::LaneContext> lanes_; ///< of a block of `lanesBlock_`
  std::array<uint32_t, 3> lanesBlock_{};
  std::vector<Fiber *> laneFiber_; ///< of a lane that has begun; null before
  abi::LaneFunction lane_ = nullptr;
  const void *const *laneArgs_ = nullptr;
  bool inFibers_ = false;
  uint32_t currentLane_ = 0;
  EndKind end_ = EndKind::None;
  abi::PanicRecord record_{}; ///< of EndKind::Panic
};

} // namespace mirgpu::runtime::cpu
