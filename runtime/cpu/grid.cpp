// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks on oneTBB. A shared counter gives blocks out, so that they start in ascending order: a
// block that waits for a smaller one always waits for one that runs or has ended.
#include "runtime/cpu/grid.h"

#include "support/check.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace mirgpu::runtime::cpu {

using Clock = std::chrono::steady_clock;

/// A launch is begun by the thread that makes it; workers join in when it takes longer than
/// starting them does.
static constexpr Clock::duration kAlone = std::chrono::microseconds(10);
/// Blocks between two looks at the clock.
static constexpr uint64_t kAloneBlocks = 4;
/// Threads that a worker takes at once: on fibers few, since each may take long; in loops so many
/// that a worker stays with neighbouring memory, but not more than leaves each worker several
/// turns.
static constexpr uint64_t kFiberChunkThreads = 256, kLoopChunkThreads = 64 * 1024, kTurns = 8;

static uint64_t chunkBlocks(const GridJob &job, uint64_t workers) {
  uint64_t threads = job.threads();
  if (!job.isThreadLoop)
    return std::max<uint64_t>(kFiberChunkThreads / threads, 1);
  return std::max<uint64_t>(
      std::min(kLoopChunkThreads / threads, job.blocks() / (workers * kTurns)), 1);
}

/// Runs blocks from `next` on until there are none left, or a chunk ends after `until`.
static void work(const GridJob &job, LaunchOutcome &outcome, std::atomic<uint64_t> &next,
                 uint64_t chunk, Clock::time_point until) {
  uint64_t blocks = job.blocks();
  BlockExecutor &executor = BlockExecutor::ofThread();
  if (!executor.prepare(job, outcome))
    return;
  for (;;) {
    uint64_t first = next.fetch_add(chunk, std::memory_order_relaxed);
    uint64_t last = std::min(first + chunk, blocks);
    if (first >= blocks || outcome.skips(first))
      return;
    executor.runBlocks(first, last);
    if (until != Clock::time_point::max() && Clock::now() >= until)
      return;
  }
}

void runGrid(const GridJob &job, LaunchOutcome &outcome) {
  installFaultHandler();
  uint64_t blocks = job.blocks(), threads = job.threads();
  std::atomic<uint64_t> next{0};
  auto hardware = static_cast<uint64_t>(std::max(tbb::this_task_arena::max_concurrency(), 1));
  uint64_t stacks = maxStacks();
  uint64_t workers = std::min({hardware, blocks, std::max<uint64_t>(stacks / threads, 1)});
  // What a thread may keep mapped for the next launch.
  uint64_t kept = stacks / (hardware + 1);
  uint64_t chunk = chunkBlocks(job, workers);
  if (workers == 1)
    work(job, outcome, next, blocks, Clock::time_point::max());
  else
    work(job, outcome, next, std::min<uint64_t>(chunk, kAloneBlocks), Clock::now() + kAlone);
  if (next.load(std::memory_order_relaxed) >= blocks) {
    BlockExecutor::ofThread().trim(kept);
    return;
  }
  // oneTBB orders what stands before, in and after parallel_for; these two say so to tools that
  // cannot look into the library.
  std::atomic<uint64_t> ended{0};
  next.store(next.load(std::memory_order_relaxed), std::memory_order_release);
  auto run = [&](uint64_t) {
    (void)next.load(std::memory_order_acquire);
    work(job, outcome, next, chunk, Clock::time_point::max());
    BlockExecutor::ofThread().trim(kept);
    ended.fetch_add(1, std::memory_order_release);
  };
  tbb::parallel_for(uint64_t(0), workers, run, tbb::simple_partitioner());
  MIRGPU_CHECK(ended.load(std::memory_order_acquire) == workers, "parallel_for left workers out");
}

} // namespace mirgpu::runtime::cpu
