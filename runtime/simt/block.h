// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rendezvous core: the state of one block's lanes and of what they wait for. It runs nothing
// itself: an executor takes lanes from `next`, runs each until it arrives at a warp operation, a
// block barrier or its end, and says so. When the last awaited lane has arrived, all of them become
// runnable with their answers. A fault (an operation that no order of the lanes can complete, or
// that PTX leaves undefined) is recorded and ends the block; nothing here ever waits.
#pragma once

#include "runtime/simt/collective.h"
#include "runtime/simt/schedule.h"
#include "support/cpu_abi.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mirgpu::simt {

enum class LaneState : uint8_t { Runnable, InWarpOp, InBarrier, Exited };
enum class ExitKind : uint8_t { Returned, Panicked };

struct WarpRequest {
  abi::WarpOp op;
  uint32_t mask;
  uint64_t value = 0;
  uint32_t operand = 0;
  uint32_t control = 0;
  uint32_t place = 0;
};

struct BarrierRequest {
  abi::BarrierOp op;
  uint32_t predicate = 0;
  uint32_t place = 0;
};

enum class FindingKind : uint8_t {
  // Errors: the block cannot go on.
  CallerNotInMask,     ///< a lane's mask does not name the lane itself
  MaskMismatch,        ///< lanes wait for each other with unequal masks
  MixedOperation,      ///< lanes wait for each other in different operations
  MaskNamesExitedLane, ///< `elect` with a lane that has ended: PTX defines no leader
  LaneNeverArrives,    ///< deadlock: no lane can run and no rendezvous is complete
  // Warnings: the block goes on.
  DifferentPlaces,   ///< a warp operation met from different places of the source
  DivergentBarrier,  ///< a block barrier met from different places of the source
  SourceOutsideMask, ///< a shuffle read a lane that takes no part: its value is poison
};
bool isError(FindingKind kind);

/// A lane and what it waits in. `linear` is its thread index within the block, x first.
struct Waiting {
  uint32_t linear;
  LaneState state; ///< InWarpOp, InBarrier, or Exited
  abi::WarpOp op;  ///< InWarpOp alone
  abi::BarrierOp barrier;
  uint32_t mask; ///< InWarpOp alone
  uint32_t place;
};

/// What was found, with the lanes concerned: first the one that brought it to light.
struct Finding {
  FindingKind kind;
  std::vector<Waiting> lanes;
  uint32_t source = 0; ///< SourceOutsideMask: the lane that was read, within its warp
};

/// One block. Made once and reset for each block, so that memory is reused.
class Block {
public:
  static constexpr uint32_t kMaxThreads = 1024;

  /// Starts over with `threads` runnable lanes. `blockIndex` only seeds `seed:N`.
  void reset(uint32_t threads, Schedule schedule, uint64_t blockIndex);

  /// Takes the next runnable lane; nothing if there is none.
  std::optional<uint32_t> next();
  /// The lane taken last arrives at a warp operation.
  void arrive(uint32_t lane, const WarpRequest &request);
  /// The lane taken last arrives at the block barrier.
  void arrive(uint32_t lane, const BarrierRequest &request);
  /// The lane taken last lets others run first, and stays runnable.
  void yield(uint32_t lane) { makeReady(lane); }
  /// The lane taken last has ended.
  void exit(uint32_t lane, ExitKind kind);
  /// To be called when `next` gave nothing: true if all lanes have ended; else records the
  /// deadlock.
  bool checkFinished();

  /// The answer of the operation from which `lane` was released last. A barrier's is in `value`.
  const abi::WarpResult &answer(uint32_t lane) const { return lanes_[lane].answer; }
  LaneState state(uint32_t lane) const { return lanes_[lane].state; }
  uint32_t threads() const { return threads_; }
  /// Whether an error was found: no lane may be resumed any more.
  bool failed() const { return failed_; }
  std::span<const Finding> findings() const { return findings_; }

private:
  struct Lane {
    LaneState state;
    WarpRequest warp;
    BarrierRequest barrier;
    abi::WarpResult answer;
  };
  /// Lanes that meet: the same operation and mask in one warp.
  struct Group {
    abi::WarpOp op;
    uint32_t mask;
    uint32_t arrived;
  };
  struct Warp {
    uint32_t live = 0;
    uint32_t panicked = 0;
    std::vector<Group> groups;
  };

  void makeReady(uint32_t lane) {
    ready_[readyEnd_] = lane;
    readyEnd_ = readyEnd_ + 1 == ready_.size() ? 0 : readyEnd_ + 1;
    ++readyCount_;
  }
  void order(std::span<uint32_t> lanes);
  Group &join(Warp &warp, uint32_t bit, const WarpRequest &request);
  bool findConflict(uint32_t lane, const Warp &warp, const Group &own);
  void completeGroups(uint32_t warpIndex);
  void release(uint32_t warpIndex, const Group &group);
  void reportPlaces(uint32_t warpIndex, const Group &group);
  void reportPoison(uint32_t warpIndex, uint32_t lane);
  void completeBarrier();
  Waiting describe(uint32_t lane) const;
  void addFinding(Finding finding);

  uint32_t threads_ = 0, live_ = 0, inBarrier_ = 0;
  bool failed_ = false;
  Schedule schedule_;
  Random random_;
  std::vector<Lane> lanes_;
  std::vector<Warp> warps_;
  std::vector<uint32_t> ready_; ///< a ring
  uint32_t readyBegin_ = 0, readyEnd_ = 0, readyCount_ = 0;
  std::vector<uint32_t> scratch_; ///< lanes to release
  std::vector<Finding> findings_;
};

} // namespace mirgpu::simt
