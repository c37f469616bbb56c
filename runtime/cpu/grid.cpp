// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On fibers one counter gives blocks out, so that they start in ascending order: a block that waits
// for a smaller one always waits for one that runs or has ended. Blocks of thread loops never wait:
// each worker has a part of the grid, the same one in each launch, whose memory its caches may
// still hold, and helps with the other parts when it is through. Who takes part is decided by what
// the kernel's threads cost in its last launch; a kernel that is new is begun alone.
#include "runtime/cpu/grid.h"

#include <algorithm>
#include <atomic>
#include <chrono>

namespace mirgpu::runtime::cpu {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::duration<double, std::nano>;

/// A launch is begun by the thread that makes it; helpers join in when it takes longer than waking
/// them does, or, where they are awake, than telling them.
static constexpr Clock::duration kAlone = std::chrono::microseconds(10);
static constexpr Clock::duration kAloneAwake = std::chrono::microseconds(4);
/// The longest launch, in wall time, that its caller does itself.
static constexpr Nanoseconds kShort = std::chrono::microseconds(100);
/// Blocks between two looks at the clock, or what is expected to take so long if those are more.
static constexpr uint64_t kAloneBlocks = 4;
static constexpr Nanoseconds kAloneLook = std::chrono::microseconds(2);
/// Threads that a worker takes at once: on fibers few, since each may take long; in loops so many
/// that a worker stays with neighbouring memory, but not more than leaves each worker several
/// turns.
static constexpr uint64_t kFiberChunkThreads = 256, kLoopChunkThreads = 64 * 1024, kTurns = 8;

std::optional<double> KernelCost::guess(const GridJob &job) const {
  float each = perThread_.load(std::memory_order_relaxed);
  if (each < 0)
    return std::nullopt;
  return double(each) * static_cast<double>(job.blocks()) * job.threads();
}

void KernelCost::learn(uint64_t threads, double nanoseconds) {
  if (threads != 0)
    perThread_.store(static_cast<float>(nanoseconds / static_cast<double>(threads)),
                     std::memory_order_relaxed);
}

static uint64_t chunkBlocks(const GridJob &job, uint64_t workers) {
  uint64_t threads = job.threads();
  if (!job.isThreadLoop)
    return std::max<uint64_t>(kFiberChunkThreads / threads, 1);
  return std::max<uint64_t>(
      std::min(kLoopChunkThreads / threads, job.blocks() / (workers * kTurns)), 1);
}

static uint64_t aloneBlocks(const GridJob &job, double guess) {
  double blocks = static_cast<double>(job.blocks()) * kAloneLook.count() / std::max(guess, 1.0);
  return blocks > double(kAloneBlocks) ? static_cast<uint64_t>(std::min(blocks, 1e9))
                                       : kAloneBlocks;
}

namespace {
/// Blocks that are given out in ascending order; a cache line of its own.
struct alignas(64) Part {
  std::atomic<uint64_t> next{0};
  uint64_t end = 0;
};

/// What the threads of one launch share.
class GridRun {
public:
  GridRun(const GridJob &job, KernelCost &cost, LaunchOutcome &outcome, size_t kept)
      : job_(job), cost_(cost), outcome_(outcome), kept_(kept), parts_(1) {
    parts_[0].end = job.blocks();
  }

  bool isOver() const { return parts_[0].next.load(std::memory_order_relaxed) >= parts_[0].end; }
  void split(uint64_t count);
  void work(size_t ownPart, uint64_t chunk, Clock::time_point until);

private:
  uint64_t workOn(Part &part, uint64_t chunk, Clock::time_point until);

  const GridJob &job_;
  KernelCost &cost_;
  LaunchOutcome &outcome_;
  size_t kept_; ///< stacks that a thread keeps mapped for the next launch
  std::vector<Part> parts_;
};
} // namespace

/// Makes equal parts of what is left; while one thread alone works.
void GridRun::split(uint64_t count) {
  uint64_t first = parts_[0].next.load(std::memory_order_relaxed), blocks = job_.blocks() - first;
  parts_ = std::vector<Part>(count);
  for (uint64_t i = 0; i < count; ++i) {
    parts_[i].next.store(first + blocks / count * i + std::min(i, blocks % count),
                         std::memory_order_relaxed);
    if (i != 0)
      parts_[i - 1].end = parts_[i].next.load(std::memory_order_relaxed);
  }
  parts_.back().end = job_.blocks();
}

/// How many blocks it ran: until there are none left, or a chunk ends after `until`.
uint64_t GridRun::workOn(Part &part, uint64_t chunk, Clock::time_point until) {
  uint64_t done = 0;
  do {
    uint64_t first = part.next.fetch_add(chunk, std::memory_order_relaxed);
    uint64_t last = std::min(first + chunk, part.end);
    if (first >= part.end || outcome_.skips(first))
      return done;
    BlockExecutor::ofThread().runBlocks(first, last);
    done += last - first;
  } while (until == Clock::time_point::max() || Clock::now() < until);
  return done;
}

/// Works on the part of that number and then on the others.
void GridRun::work(size_t ownPart, uint64_t chunk, Clock::time_point until) {
  Clock::time_point start = Clock::now();
  BlockExecutor &executor = BlockExecutor::ofThread();
  if (!executor.prepare(job_, outcome_))
    return;
  uint64_t done = 0;
  for (size_t i = 0; i < parts_.size(); ++i)
    done += workOn(parts_[(ownPart + i) % parts_.size()], chunk, until);
  cost_.learn(done * job_.threads(), Nanoseconds(Clock::now() - start).count());
  executor.trim(kept_);
}

/// Those that the machine has, there is work for, and, on fibers, stacks for.
static uint64_t countWorkers(const Team &team, const GridJob &job) {
  uint64_t workers = std::min<uint64_t>(team.size(), job.blocks());
  return job.isThreadLoop ? workers
                          : std::min(workers, std::max<uint64_t>(maxStacks() / job.threads(), 1));
}

void runGrid(Team &team, const GridJob &job, KernelCost &cost, LaunchOutcome &outcome) {
  installFaultHandler();
  GridRun run(job, cost, outcome, maxStacks() / (team.size() + 1));
  uint64_t workers = countWorkers(team, job);
  if (workers == 1)
    return run.work(0, job.blocks(), Clock::time_point::max());
  uint64_t chunk = chunkBlocks(job, workers);
  Clock::duration alone = team.isAwake() ? kAloneAwake : kAlone;
  std::optional<double> guess = cost.guess(job);
  if (!guess || Nanoseconds(*guess) <= alone) {
    run.work(0, guess ? aloneBlocks(job, *guess) : std::min(chunk, kAloneBlocks),
             Clock::now() + alone);
    if (run.isOver())
      return;
  }
  if (job.isThreadLoop)
    run.split(workers);
  team.run(static_cast<unsigned>(workers - 1),
           [&](unsigned worker) { run.work(worker, chunk, Clock::time_point::max()); });
}

bool isShort(const Team &team, const GridJob &job, const KernelCost &cost) {
  std::optional<double> guess = cost.guess(job);
  return job.isThreadLoop && guess &&
         Nanoseconds(*guess / static_cast<double>(countWorkers(team, job))) <= kShort;
}

} // namespace mirgpu::runtime::cpu
