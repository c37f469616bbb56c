// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/conformance/outcome.h"

#include "llvm/ADT/StringExtras.h"

namespace mirgpu::conformance {

static constexpr llvm::StringLiteral names[] = {"compiled", "passed", "refused", "failed"};

std::string resultLine(const TestResult &result) {
  std::string cause;
  for (char c : llvm::StringRef(result.cause).trim())
    cause += c == '\n' ? " / " : std::string(1, c == '\t' ? ' ' : c);
  return (names[static_cast<size_t>(result.outcome)] + "\t" + result.test + "\t" + cause + "\n").str();
}

std::vector<TestResult> parseResults(const std::string &text) {
  std::vector<TestResult> results;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    auto [name, rest] = line.split('\t');
    auto [test, cause] = rest.split('\t');
    for (size_t i = 0; i < std::size(names); ++i)
      if (name == names[i])
        results.push_back({test.str(), static_cast<Outcome>(i), cause.str()});
  }
  return results;
}

} // namespace mirgpu::conformance
