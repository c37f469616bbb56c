// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first kind of failure (DESIGN D9): the user's program. A diagnostic has a stable code, a
// primary place in the Rust source, further labels, notes, help, and the call chain from the
// kernel. Folders add to a `Diagnostics`; driver/ renders it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mirgpu {

/// A place in a Rust source: 1-based lines and columns, end exclusive. `file` is empty when no
/// place is known.
struct SourceSpan {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t endLine = 0;
  uint32_t endColumn = 0;
};

enum class Severity { Error, Warning };

struct DiagnosticLabel {
  SourceSpan span;
  std::string text;
};

/// One step of the call chain: `function` calls the next one at `callSite`. The first is the
/// kernel.
struct CallStep {
  std::string function;
  SourceSpan callSite;
};

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string code;    ///< `MGnnnn`
  std::string message; ///< lower case, no final period, names what the user wrote
  SourceSpan span;
  std::string label; ///< beside the caret of `span`; may be empty
  std::vector<DiagnosticLabel> labels;
  std::vector<CallStep> callChain; ///< from the kernel to the function that holds `span`
  std::vector<std::string> notes;
  std::vector<std::string> help;
  std::vector<std::string> verboseNotes; ///< the MIR behind it, shown with `-v`
};

class Diagnostics {
public:
  /// Adds one and returns it, so that notes and help can be appended. One with the code, message
  /// and span of an earlier one is dropped (its reference goes to a scratch object): one error a
  /// cause.
  Diagnostic &add(Diagnostic diagnostic);
  bool hasErrors() const { return errors_ != 0; }
  size_t errorCount() const { return errors_; }
  const std::vector<Diagnostic> &all() const { return diagnostics_; }

private:
  std::vector<Diagnostic> diagnostics_;
  Diagnostic scratch_;
  size_t errors_ = 0;
};

/// What `mirgpu --explain` and the docs know of a code.
struct DiagnosticCode {
  std::string_view code;
  std::string_view title;
};

/// Every code that exists, in order. tests/rust/check_error_pages.py holds each against its page in
/// docs/errors.
const std::vector<DiagnosticCode> &diagnosticCodes();

} // namespace mirgpu
