// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs on lanes' fibers: the loop that serves lanes, the choice of the next fiber, and the
// services that generated code calls (support/cpu_abi.h). Nothing here keeps an object with a
// destructor across a switch, since a fiber may be given up at any of them.
#include "runtime/cpu/executor.h"

#include "support/check.h"

#include <algorithm>
#include <cstring>

namespace mirgpu::runtime::cpu {

/// What services need of a stack: the core allocates, and a fault within that could not be undone.
static constexpr size_t kServiceBytes = 24 * 1024;

void BlockExecutor::laneMain(void *self) {
  auto *executor = static_cast<BlockExecutor *>(self);
  for (;;) {
    executor->lane_(executor->laneArgs_, &executor->lanes_[executor->currentLane_]);
    executor->core_.exit(executor->currentLane_, simt::ExitKind::Returned);
    executor->continueAfterExit();
  }
}

/// Returns when this fiber shall begin lane `currentLane_`.
void BlockExecutor::continueAfterExit() {
  auto next = core_.next();
  if (next && !laneFiber_[*next]) {
    laneFiber_[*next] = running_;
    currentLane_ = *next;
    return;
  }
  idle_.push_back(running_);
  switchTo(next);
}

/// Returns when `lane`, which has arrived somewhere, may go on.
void BlockExecutor::continueAfterArrival(uint32_t lane) {
  auto next = core_.next();
  if (next != lane)
    switchTo(next);
}

/// Goes on with `lane`, without one with the block's fiber.
void BlockExecutor::switchTo(std::optional<uint32_t> lane) {
  Fiber *to = blockFiber_.get();
  if (lane) {
    Fiber *of = laneFiber_[*lane] ? laneFiber_[*lane] : takeFiber();
    laneFiber_[*lane] = of;
    currentLane_ = *lane;
    if (of)
      to = of;
    else
      end_ = EndKind::NoMemory;
  }
  Fiber *from = std::exchange(running_, to);
  if (from != to)
    to->resumeFrom(*from);
}

Fiber *BlockExecutor::takeFiber() {
  if (idle_.empty()) {
    auto stack = Stack::map(stackBytes_, fibers_.size() + 1);
    if (!stack)
      return nullptr;
    fibers_.push_back(std::make_unique<Fiber>(std::move(*stack), laneMain, this));
    return fibers_.back().get();
  }
  Fiber *fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

void BlockExecutor::leave(EndKind kind) {
  end_ = kind;
  bool onLane = running_ != blockFiber_.get();
  Fiber *to = onLane ? blockFiber_.get() : &root_;
  Fiber *from = std::exchange(running_, to);
  to->resumeAbandoning(*from);
}

void BlockExecutor::overflowLanding(void *self) {
  static_cast<BlockExecutor *>(self)->leave(EndKind::Overflow);
}

// ---- services ----------------------------------------------------------------------------------

/// As `core::panic::Location` lies in memory (rustc 1.96).
struct RustLocation {
  const char *file;
  uint64_t fileLength;
  uint32_t line;
  uint32_t column;
};

struct BlockExecutor::Services {
  static BlockExecutor &of(abi::BlockContext *block) {
    return *static_cast<BlockExecutor *>(block->runtime);
  }

  static void runFibers(abi::BlockContext *block, abi::LaneFunction lane, const void *const *args) {
    of(block).runFibers(lane, args);
  }

  /// The executor, after the checks that stand before each rendezvous.
  static BlockExecutor &enter(abi::LaneContext *lane) {
    BlockExecutor &e = of(lane->block);
    MIRGPU_CHECK(e.inFibers_, "a collective outside runFibers: the tier does not fit the kernel");
    if (e.running_->isShortOf(kServiceBytes))
      e.leave(EndKind::Overflow);
    return e;
  }

  static uint32_t blockBarrier(abi::LaneContext *lane, abi::BarrierOp op, uint32_t predicate,
                               uint32_t place) {
    BlockExecutor &e = enter(lane);
    uint32_t self = e.currentLane_;
    e.core_.arrive(self, simt::BarrierRequest{op, predicate, place});
    e.continueAfterArrival(self);
    return static_cast<uint32_t>(e.core_.answer(self).value);
  }

  static void warpCollective(abi::LaneContext *lane, abi::WarpOp op, uint32_t mask, uint64_t value,
                             uint32_t operand, uint32_t control, uint32_t place,
                             abi::WarpResult *result) {
    BlockExecutor &e = enter(lane);
    uint32_t self = e.currentLane_;
    e.core_.arrive(self, simt::WarpRequest{op, mask, value, operand, control, place});
    e.continueAfterArrival(self);
    *result = e.core_.answer(self);
  }

  static void yield(abi::LaneContext *lane) {
    BlockExecutor &e = enter(lane);
    uint32_t self = e.currentLane_;
    e.core_.yield(self);
    e.continueAfterArrival(self);
  }

  static void beginRecord(abi::LaneContext *lane, uint32_t place) {
    abi::PanicRecord &record = of(lane->block).record_;
    std::memset(&record, 0, offsetof(abi::PanicRecord, file));
    record.written = 1;
    record.place = place;
    std::memcpy(record.block, lane->block->blockIdx, sizeof record.block);
    std::memcpy(record.thread, lane->threadIdx, sizeof record.thread);
  }

  static void panic(abi::LaneContext *lane, uint32_t place, uint64_t operand0, uint64_t operand1) {
    BlockExecutor &e = of(lane->block);
    beginRecord(lane, place);
    e.record_.operands[0] = operand0;
    e.record_.operands[1] = operand1;
    e.leave(EndKind::Panic);
  }

  static void panicDynamic(abi::LaneContext *lane, uint32_t place, const void *location,
                           const char *message, uint64_t length, uint64_t operand0,
                           uint64_t operand1) {
    BlockExecutor &e = of(lane->block);
    abi::PanicRecord &record = e.record_;
    beginRecord(lane, place);
    record.dynamic = 1;
    record.operands[0] = operand0;
    record.operands[1] = operand1;
    if (location) {
      auto *at = static_cast<const RustLocation *>(location);
      record.line = at->line;
      record.column = at->column;
      record.fileLength =
          static_cast<uint32_t>(std::min<uint64_t>(at->fileLength, abi::kPanicFileBytes));
      std::memcpy(record.file, at->file, record.fileLength);
    }
    if (message) {
      record.textLength = static_cast<uint32_t>(std::min<uint64_t>(length, abi::kPanicTextBytes));
      std::memcpy(record.text, message, record.textLength);
    }
    e.leave(EndKind::Panic);
  }

  static constexpr abi::HostServices table = {abi::kCpuAbiVersion, sizeof(abi::HostServices),
                                              runFibers,           blockBarrier,
                                              warpCollective,      panic,
                                              panicDynamic,        yield};
};

const abi::HostServices *BlockExecutor::services() { return &Services::table; }

} // namespace mirgpu::runtime::cpu
