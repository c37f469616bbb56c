// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/conformance/child_pool.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace mirgpu::conformance {

static constexpr size_t kErrorBytes = 4096;

[[noreturn]] static void fail(const char *what) {
  std::fprintf(stderr, "error: %s: %s\n", what, std::strerror(errno));
  std::_Exit(3);
}

void writeAll(int fd, const std::string &text) {
  for (size_t done = 0; done < text.size();) {
    ssize_t count = write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      std::_Exit(3);
    done += static_cast<size_t>(count);
  }
}

void ChildPool::add(Work work, Finished finished) {
  waiting_.emplace_back(std::move(work), std::move(finished));
}

void ChildPool::start() {
  auto [work, finished] = std::move(waiting_.front());
  waiting_.pop_front();
  int out[2], errors[2];
  if (pipe(out) != 0 || pipe(errors) != 0)
    fail("pipe");
  std::fflush(nullptr);
  int pid = fork();
  if (pid < 0)
    fail("fork");
  if (pid == 0) {
    close(out[0]);
    close(errors[0]);
    dup2(errors[1], STDERR_FILENO);
    close(errors[1]);
    int code = work(out[1]);
    std::fflush(nullptr);
    std::_Exit(code); // no destructors: the parent's state is not this process's to end
  }
  close(out[1]);
  close(errors[1]);
  running_.push_back({pid, out[0], errors[0], {}, std::move(finished)});
}

/// Reads what there is; closes the descriptor at the end of the file.
static void readInto(int &fd, std::string &text, size_t keep) {
  char buffer[65536];
  ssize_t count = read(fd, buffer, sizeof buffer);
  if (count < 0 && errno == EINTR)
    return;
  if (count <= 0) {
    close(fd);
    fd = -1;
    return;
  }
  text.append(buffer, static_cast<size_t>(count));
  if (text.size() > keep)
    text.erase(0, text.size() - keep);
}

void ChildPool::collect() {
  std::vector<pollfd> wanted;
  for (Child &child : running_)
    for (int fd : {child.out, child.errors})
      wanted.push_back({fd, POLLIN, 0}); // poll skips a negative descriptor
  if (poll(wanted.data(), wanted.size(), -1) < 0 && errno != EINTR)
    fail("poll");
  for (size_t i = 0; i < running_.size(); ++i) {
    Child &child = running_[i];
    if (wanted[2 * i].revents)
      readInto(child.out, child.result.output, std::string::npos);
    if (wanted[2 * i + 1].revents)
      readInto(child.errors, child.result.errors, kErrorBytes);
  }
  std::vector<Child> ended;
  for (size_t i = 0; i < running_.size();) {
    if (running_[i].out < 0 && running_[i].errors < 0) {
      ended.push_back(std::move(running_[i]));
      running_.erase(running_.begin() + static_cast<ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  for (Child &child : ended) {
    int status = 0;
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    child.result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    child.result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    child.finished(std::move(child.result));
  }
}

void ChildPool::run() {
  while (!waiting_.empty() || !running_.empty()) {
    while (!waiting_.empty() && running_.size() < workers_)
      start();
    collect();
  }
}

} // namespace mirgpu::conformance
