// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of open jobs under one lock. A helper enters a job under the lock and leaves it under the
// lock, so that the job's owner, which takes it off the list first, knows all who are inside.
#include "runtime/cpu/team.h"

#include <algorithm>
#include <chrono>

namespace mirgpu::runtime::cpu {

using Clock = std::chrono::steady_clock;

/// How long a helper looks for work, and an owner for the end of its helpers, before it sleeps.
static constexpr Clock::duration kLook = std::chrono::milliseconds(1);
/// Looks between two readings of the clock.
static constexpr unsigned kLooks = 32;

static void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Whether `isThere` came true within `kLook`. Whoever else needs this core, perhaps the thread
/// that is waited for, gets it now and then.
template <class F> static bool lookFor(F isThere) {
  Clock::time_point until = Clock::now() + kLook;
  do {
    for (unsigned i = 0; i < kLooks; ++i) {
      if (isThere())
        return true;
      pause();
    }
    std::this_thread::yield();
  } while (Clock::now() < until);
  return isThere();
}

std::shared_ptr<Team> Team::shared() {
  static constinit std::mutex mutex;
  static std::weak_ptr<Team> team;
  std::lock_guard lock(mutex);
  std::shared_ptr<Team> found = team.lock();
  if (!found)
    team = found = std::make_shared<Team>();
  return found;
}

Team::Team() : size_(std::max(std::thread::hardware_concurrency(), 1u)) {}

Team::~Team() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    openCount_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  for (std::thread &thread : threads_)
    thread.join();
}

/// Starts the helpers, once; with the lock held.
void Team::start() {
  while (threads_.size() + 1 < size_)
    threads_.emplace_back(
        [this, worker = static_cast<unsigned>(threads_.size()) + 1] { help(worker); });
}

void Team::help(unsigned worker) {
  while (waitForJob()) {
    std::unique_lock lock(mutex_);
    runNext(worker, lock);
  }
}

/// False: the team ends.
bool Team::waitForJob() {
  auto isThere = [&] { return openCount_.load(std::memory_order_acquire) != 0; };
  looking_.fetch_add(1, std::memory_order_relaxed);
  bool found = lookFor(isThere);
  looking_.fetch_sub(1, std::memory_order_relaxed);
  std::unique_lock lock(mutex_);
  if (!found) {
    ++asleep_;
    wake_.wait(lock, isThere);
    --asleep_;
  }
  return !closed_;
}

/// Joins the oldest job, if it is still open; called and left with the lock held.
void Team::runNext(unsigned worker, std::unique_lock<std::mutex> &lock) {
  if (open_.empty())
    return;
  Job &job = *open_.front();
  job.inside.fetch_add(1, std::memory_order_relaxed);
  if (--job.wanted == 0) {
    open_.erase(open_.begin());
    openCount_.fetch_sub(1, std::memory_order_relaxed);
  }
  lock.unlock();
  (*job.work)(worker);
  lock.lock();
  bool isAwaited = job.isAwaited;
  job.inside.fetch_sub(1, std::memory_order_release); // the owner may be gone from here on
  if (isAwaited)
    left_.notify_all();
}

void Team::run(unsigned helpers, const Work &work) {
  Job job{&work, std::min(helpers, size_ - 1)};
  if (job.wanted == 0)
    return work(0);
  unsigned toWake;
  {
    std::lock_guard lock(mutex_);
    start();
    toWake = std::min(asleep_, job.wanted);
    open_.push_back(&job);
    openCount_.fetch_add(1, std::memory_order_release);
  }
  for (; toWake != 0; --toWake)
    wake_.notify_one();
  work(0);
  {
    std::lock_guard lock(mutex_);
    if (job.wanted != 0) {
      std::erase(open_, &job);
      openCount_.fetch_sub(1, std::memory_order_relaxed);
    }
  }
  auto allLeft = [&] { return job.inside.load(std::memory_order_acquire) == 0; };
  if (lookFor(allLeft))
    return;
  std::unique_lock lock(mutex_);
  job.isAwaited = true;
  left_.wait(lock, allLeft);
}

} // namespace mirgpu::runtime::cpu
