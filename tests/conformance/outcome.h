// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What became of one test on one target; one line of text each, which the Python side reads.
#pragma once

#include <string>
#include <vector>

namespace mirgpu::conformance {

enum class Outcome : unsigned char {
  Compiled, ///< code was made (and assembled); nothing ran yet
  Passed,
  Refused, ///< a diagnostic of ours: the cause is its text
  Failed,  ///< compiled and gave another result than wanted, or our compiler or ptxas failed
};

struct TestResult {
  std::string test;
  Outcome outcome = Outcome::Failed;
  std::string cause;
};

/// `passed TAB test TAB cause`, newlines of the cause as ` / `.
std::string resultLine(const TestResult &result);
/// The results in lines that resultLine wrote; other lines are dropped.
std::vector<TestResult> parseResults(const std::string &text);

} // namespace mirgpu::conformance
