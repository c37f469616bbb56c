// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that help with grids, shared by all CPU devices of the process. They look for work
// for a short while before they sleep: waking a sleeping thread takes longer than most launches,
// and a launch seldom comes alone. Why not oneTBB: docs/adr/0008-own-team.md.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace mirgpu::runtime::cpu {

class Team {
public:
  /// The team of this process; its threads end with the last reference.
  static std::shared_ptr<Team> shared();

  Team();
  Team(const Team &) = delete;
  Team &operator=(const Team &) = delete;
  ~Team();

  /// Threads that can work at one time, the caller of `run` among them.
  unsigned size() const { return size_; }
  /// Whether a helper would join at once.
  bool isAwake() const { return looking_.load(std::memory_order_relaxed) != 0; }
  /// A thread's share of a job. `worker` is 0 in the caller of `run`, and in a helper a number from
  /// 1 to `size() - 1` that is always its own. Returns when there is nothing left to begin.
  using Work = std::function<void(unsigned worker)>;
  /// Calls `work` here and on up to `helpers` threads of the team, fewer if they are busy. Returns
  /// when all calls have.
  void run(unsigned helpers, const Work &work);

private:
  /// Work that helpers may still join; lives in `run`. Guarded by `mutex_`, but for reading
  /// `inside`.
  struct Job {
    const Work *work;
    unsigned wanted;
    std::atomic<unsigned> inside{0};
    bool isAwaited = false;
  };

  void start();
  void help(unsigned worker);
  bool waitForJob();
  void runNext(unsigned worker, std::unique_lock<std::mutex> &lock);

  const unsigned size_;
  std::mutex mutex_;
  std::condition_variable wake_, left_;
  std::vector<Job *> open_; ///< those that want helpers, oldest first
  unsigned asleep_ = 0;
  bool closed_ = false;
  std::vector<std::thread> threads_;
  std::atomic<unsigned> openCount_{0}; ///< `open_.size()`, and one more when closed
  std::atomic<unsigned> looking_{0};   ///< helpers that look for work
};

} // namespace mirgpu::runtime::cpu
