// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/conformance/run_tests.h"

#include "tests/conformance/panic_match.h"

#include "runtime/mirgpu.hpp"
#include "support/launch_abi.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <sys/resource.h>

namespace mirgpu::conformance {

namespace {
/// What stands behind `panicked at file:line:column: `; empty if there is none.
std::string_view messageOf(std::string_view text) {
  size_t at = text.find(" panicked at ");
  if (at == std::string_view::npos)
    return {};
  text.remove_prefix(at + 13);
  at = text.find(": ");
  return at == std::string_view::npos ? std::string_view() : text.substr(at + 2);
}

/// Whether the launch's end is what the test's attributes want; the cause if not.
TestResult judge(const mir::Test &test, const Status &status) {
  TestResult result{std::string(test.path), Outcome::Failed, {}};
  if (status) {
    result.outcome = test.shouldPanic ? Outcome::Failed : Outcome::Passed;
    if (test.shouldPanic)
      result.cause = "did not panic";
    return result;
  }
  const Error &error = status.error();
  result.cause = error.message;
  if (error.code != ErrorCode::Panic || !test.shouldPanic)
    return result;
  const std::string_view message = messageOf(error.message);
  if (test.expected &&
      !panicContains(message, *test.expected, message.size() >= abi::kPanicTextBytes)) {
    result.cause += " / expected: " + std::string(*test.expected);
    return result;
  }
  return {std::string(test.path), Outcome::Passed, {}};
}

/// Gives the process `seconds` more of CPU time.
void limitTime(unsigned seconds) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto limit = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds;
  const rlimit bounds{limit, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &bounds);
}

/// What the child does: a line for each test as it ends.
int runFrom(const CompiledShard &shard, size_t first,
            const std::map<std::string, const mir::Test *> &tests, const std::string &tier,
            int out) {
  auto device = Device::open("cpu");
  auto module = device->load(shard.module);
  auto stream = device->defaultStream();
  Launch shape{Dim3(1), Dim3(1), 0, {}, 0};
  shape.tier = tier;
  for (size_t i = first; i < shard.tests.size(); ++i) {
    limitTime(kTestSeconds);
    const mir::Test &test = *tests.at(shard.tests[i]);
    auto kernel = module->kernel(shard.tests[i]);
    if (!kernel) {
      writeAll(out, resultLine({shard.tests[i], Outcome::Failed, kernel.error().message}));
      continue;
    }
    Status status = kernel->launchArgs(*stream, shape, {});
    if (status)
      status = stream->synchronize();
    writeAll(out, resultLine(judge(test, status)));
  }
  return 0;
}
} // namespace

void addRun(ChildPool &pool, CompiledShard shard, size_t first,
            const std::map<std::string, const mir::Test *> &tests, const std::string &tier,
            std::function<void(TestResult)> result) {
  auto shared = std::make_shared<CompiledShard>(std::move(shard));
  auto finished = [&pool, &tests, shared, first, tier, result](const ChildResult &child) {
    const std::vector<TestResult> results = parseResults(child.output);
    for (const TestResult &one : results)
      result(one);
    size_t next = first + results.size();
    if (next >= shared->tests.size())
      return;
    std::string cause = child.signal == SIGXCPU ? "hangs"
                        : child.signal ? "ended the process by signal " + std::to_string(child.signal)
                                       : "ended the process with " + std::to_string(child.exitCode);
    result({shared->tests[next], Outcome::Failed, cause + ": " + child.errors});
    if (next + 1 < shared->tests.size())
      addRun(pool, *shared, next + 1, tests, tier, result);
  };
  pool.add([&tests, shared, first, tier](
               int out) { return runFrom(*shared, first, tests, tier, out); },
           finished);
}

} // namespace mirgpu::conformance
