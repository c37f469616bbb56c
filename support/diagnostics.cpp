// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/diagnostics.h"

#include <algorithm>

namespace mirgpu {

static bool samePlace(const SourceSpan &a, const SourceSpan &b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

Diagnostic &Diagnostics::add(Diagnostic diagnostic) {
  bool known = std::ranges::any_of(diagnostics_, [&](const Diagnostic &d) {
    return d.code == diagnostic.code && d.message == diagnostic.message &&
           samePlace(d.span, diagnostic.span);
  });
  if (known) {
    scratch_ = std::move(diagnostic);
    return scratch_;
  }
  if (diagnostic.severity == Severity::Error)
    ++errors_;
  diagnostics_.push_back(std::move(diagnostic));
  return diagnostics_.back();
}

const std::vector<DiagnosticCode> &diagnosticCodes() {
  static const std::vector<DiagnosticCode> codes = {
      {"MG0101", "a Rust construct that mirgpu does not lower yet"},
      {"MG0102", "a function without MIR that a kernel reaches"},
      {"MG0103", "a core intrinsic that mirgpu does not lower"},
      {"MG0104", "a type that no target can hold"},
      {"MG0105", "inline assembly that the target cannot take"},
      {"MG0106", "a kernel that allocates without a heap"},
      {"MG0201", "a GPU operation that this target does not have"},
      {"MG0202", "a static that the target's memory cannot hold"},
      {"MG0401", "a kernel parameter of a type that cannot cross the launch"},
      {"MG0402", "two kernels with one key or one entry name"},
  };
  return codes;
}

} // namespace mirgpu
