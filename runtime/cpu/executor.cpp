// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers and the rendezvous core together. Only the block's fiber records ends of lanes and
// findings: a lane's own stack may be nearly used up, so lanes note what happened and switch away.
#include "runtime/cpu/executor.h"

#include "runtime/panic_text.h"
#include "runtime/text.h"
#include "support/check.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace mirgpu::runtime::cpu {

BlockExecutor::BlockExecutor() = default;
BlockExecutor::~BlockExecutor() { std::free(shared_); }

BlockExecutor &BlockExecutor::ofThread() {
  static thread_local BlockExecutor executor;
  return executor;
}

bool BlockExecutor::ensureShared(uint64_t bytes) {
  if (bytes <= sharedCapacity_)
    return true;
  std::free(shared_);
  sharedCapacity_ = (bytes + abi::kSharedAlign - 1) / abi::kSharedAlign * abi::kSharedAlign;
  shared_ = static_cast<std::byte *>(std::aligned_alloc(abi::kSharedAlign, sharedCapacity_));
  if (!shared_)
    sharedCapacity_ = 0;
  return shared_ != nullptr;
}

bool BlockExecutor::prepare(const GridJob &job, LaunchOutcome &outcome) {
  job_ = &job;
  outcome_ = &outcome;
  size_t stackBytes = std::clamp<size_t>(job.stackBytes, kMinStackBytes, kMaxStackBytes);
  if (stackBytes != stackBytes_) {
    idle_.clear();
    fibers_.clear();
    blockFiber_.reset();
    stackBytes_ = stackBytes;
  }
  if (!blockFiber_)
    if (auto stack = Stack::map(stackBytes_, 0))
      blockFiber_ = std::make_unique<Fiber>(std::move(*stack), blockMain, this);
  if (!blockFiber_ || !ensureShared(std::max<uint64_t>(job.sharedBytes, 1))) {
    outcome.failure(0, ErrorCode::OutOfMemory,
                    "no memory for the stack or the shared memory of a block");
    return false;
  }
  context_ = {};
  context_.services = services();
  context_.shared = shared_;
  context_.sharedBytes = job.sharedBytes;
  context_.launch = job.context;
  std::ranges::copy(job.block, context_.blockDim);
  std::ranges::copy(job.grid, context_.gridDim);
  context_.staticSharedBytes = job.staticSharedBytes;
  context_.runtime = this;
  makeLanes(job.block);
  context_.lanes = lanes_.data();
  return true;
}

/// Those of the launch before serve a block of the same size.
void BlockExecutor::makeLanes(const std::array<uint32_t, 3> &block) {
  if (block == lanesBlock_)
    return;
  lanesBlock_ = block;
  uint32_t threads = block[0] * block[1] * block[2];
  lanes_.resize(threads);
  laneFiber_.resize(threads);
  for (uint32_t i = 0; i < threads; ++i) {
    std::ranges::copy(simt::threadIndex(i, block), lanes_[i].threadIdx);
    lanes_[i].block = &context_;
    lanes_[i].laneId = i % simt::kWarpSize;
    lanes_[i].runtime = nullptr;
  }
}

void BlockExecutor::trim(size_t count) {
  if (fibers_.size() <= count)
    return;
  idle_.clear();
  fibers_.resize(count);
  for (auto &fiber : fibers_)
    idle_.push_back(fiber.get());
}

void BlockExecutor::runBlocks(uint64_t first, uint64_t last) {
  block_ = first;
  lastBlock_ = last;
  context_.firstThread = 0;
  FaultScope faults(&running_, overflowLanding, this);
  do {
    end_ = EndKind::None;
    inFibers_ = false;
    running_ = blockFiber_.get();
    blockFiber_->resumeFrom(root_);
    running_ = &root_;
  } while (goOn());
}

/// After the block's fiber has come back: notes how a block ended, and whether there is more to do.
bool BlockExecutor::goOn() {
  EndKind kind = end_;
  if (kind != EndKind::None) {
    const auto &[x, y, z] = context_.blockIdx;
    block_ = (uint64_t(z) * job_->grid[1] + y) * job_->grid[0] + x;
    recordEnd();
  }
  // A thread of a loop panicked: the next one goes on in the same block.
  if (kind == EndKind::Panic && job_->isThreadLoop) {
    const auto &t = record_.thread;
    context_.firstThread = t[0] + job_->block[0] * (t[1] + job_->block[1] * t[2]) + 1;
    if (context_.firstThread < job_->threads())
      return true;
  }
  context_.firstThread = 0;
  return ++block_ < lastBlock_ && !outcome_->skips(block_);
}

// ---- on the block's fiber ----------------------------------------------------------------------

/// Where `block_` lies in the grid.
void BlockExecutor::placeBlock() {
  context_.blockIdx[0] = static_cast<uint32_t>(block_ % job_->grid[0]);
  uint64_t rows = block_ / job_->grid[0];
  context_.blockIdx[1] = static_cast<uint32_t>(rows % job_->grid[1]);
  context_.blockIdx[2] = static_cast<uint32_t>(rows / job_->grid[1]);
}

void BlockExecutor::poisonShared() {
  if (job_->sharedBytes != 0)
    std::memset(shared_, static_cast<int>(simt::kPoison & 0xff), job_->sharedBytes);
}

/// Runs `block_`, and those after it as long as nothing has to be noted between them.
void BlockExecutor::runOnFiber() {
  for (;;) {
    if (context_.firstThread == 0) {
      placeBlock();
      poisonShared();
    }
    // Shared memory is poisoned between blocks.
    bool goesOn = job_->isThreadLoop && job_->sharedBytes == 0;
    context_.blocks =
        goesOn ? static_cast<uint32_t>(std::min<uint64_t>(lastBlock_ - block_, UINT32_MAX)) : 1;
    job_->entry(job_->args, &context_);
    block_ += context_.blocks - 1;
    if (!job_->isThreadLoop || block_ + 1 >= lastBlock_ || outcome_->skips(block_ + 1))
      return;
    context_.firstThread = 0;
    ++block_;
  }
}

void BlockExecutor::blockMain(void *self) {
  auto *executor = static_cast<BlockExecutor *>(self);
  for (;;) {
    executor->runOnFiber();
    executor->root_.resumeFrom(*executor->blockFiber_);
  }
}

/// Gives up what the block's fiber and its lanes were doing.
void BlockExecutor::abandonBlock() {
  inFibers_ = false;
  idle_.clear();
  for (auto &fiber : fibers_) {
    fiber->restart();
    idle_.push_back(fiber.get());
  }
  running_ = &root_;
  root_.resumeAbandoning(*blockFiber_);
}

void BlockExecutor::runFibers(abi::LaneFunction lane, const void *const *args) {
  MIRGPU_CHECK(!inFibers_, "runFibers inside runFibers");
  lane_ = lane;
  laneArgs_ = args;
  core_.reset(job_->threads(), job_->schedule, block_);
  std::ranges::fill(laneFiber_, nullptr);
  inFibers_ = true;
  while (auto next = core_.next()) {
    switchTo(next);
    if (end_ != EndKind::None && !endLane()) {
      reportFindings();
      abandonBlock();
    }
  }
  bool finished = core_.checkFinished();
  reportFindings();
  if (!finished)
    abandonBlock();
  inFibers_ = false;
}

/// A lane has left in the middle; whether the others go on.
bool BlockExecutor::endLane() {
  EndKind kind = end_;
  recordEnd();
  if (kind != EndKind::Panic)
    return false;
  idle_.push_back(laneFiber_[currentLane_]);
  core_.exit(currentLane_, simt::ExitKind::Panicked);
  return true;
}

void BlockExecutor::reportFindings() {
  if (!core_.findings().empty())
    outcome_->findings(block_, core_.findings(), blockPlace());
}

simt::BlockPlace BlockExecutor::blockPlace() const {
  const abi::BlockContext &c = context_;
  return {{c.blockIdx[0], c.blockIdx[1], c.blockIdx[2]},
          job_->block,
          [file = &outcome_->file()](uint32_t place) { return placeText(*file, place); }};
}

void BlockExecutor::recordEnd() {
  EndKind kind = std::exchange(end_, EndKind::None);
  simt::BlockPlace place = blockPlace();
  std::string where = text("block ", simt::tuple(place.index));
  if (inFibers_)
    where =
        text("thread ", simt::tuple(simt::threadIndex(currentLane_, job_->block)), " of ", where);
  switch (kind) {
  case EndKind::None:
    break;
  case EndKind::Panic: {
    const auto &t = record_.thread;
    outcome_->panic(block_, t[0] + job_->block[0] * (t[1] + job_->block[1] * t[2]), record_);
    break;
  }
  case EndKind::Overflow:
    outcome_->failure(block_, ErrorCode::StackOverflow,
                      text("stack overflow in ", where, ": its stack has ", stackBytes_, " bytes"));
    break;
  case EndKind::NoMemory:
    outcome_->failure(block_, ErrorCode::OutOfMemory,
                      text("no memory for the stacks of ", job_->threads(), " waiting threads of ",
                           stackBytes_, " bytes each"));
    break;
  }
}

} // namespace mirgpu::runtime::cpu
