// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in child processes made by fork, several at a time: a crash of one piece of work is a result
// and not the end, and what the parent has read is shared with every child. The parent must have no
// other threads.
#pragma once

#include <deque>
#include <functional>
#include <string>

namespace mirgpu::conformance {

/// How a child ended.
struct ChildResult {
  int exitCode = 0;
  int signal = 0;     ///< that ended it, or 0
  std::string output; ///< what the work wrote to its descriptor
  std::string errors; ///< the last 4 KiB of its standard error

  bool succeeded() const { return exitCode == 0 && signal == 0; }
};

class ChildPool {
public:
  /// Runs in the child; what it writes to `out` reaches the parent. Its result is the exit code.
  using Work = std::function<int(int out)>;
  /// Runs in the parent after the child has ended; may add work.
  using Finished = std::function<void(ChildResult)>;

  explicit ChildPool(unsigned workers) : workers_(workers) {}
  void add(Work work, Finished finished);
  /// Runs all work that was added, and what that adds.
  void run();

private:
  struct Child {
    int pid = -1;
    int out = -1, errors = -1;
    ChildResult result;
    Finished finished;
  };
  void start();
  void collect();

  unsigned workers_;
  std::deque<std::pair<Work, Finished>> waiting_;
  std::deque<Child> running_;
};

/// Writes all of `text` to `fd`; ends the process if the parent is gone.
void writeAll(int fd, const std::string &text);

} // namespace mirgpu::conformance
