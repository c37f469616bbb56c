// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics of lowering (DESIGN D9): code, Rust span, message, and the call chain from the kernel
// that made the function at fault reachable. A chain names who required a function *first*, so it
// is short, finite and the same on every run.
#pragma once

#include "mir_reader/mir.h"
#include "support/diagnostics.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mirgpu::lowering {

/// Who required which function first.
class CallChains {
public:
  /// `caller` invalid: `callee` is a kernel. A later requirement of the same callee is ignored.
  void required(mir::FunctionId callee, mir::FunctionId caller, mir::SpanId callSite);
  /// From the kernel to the function that holds `span` of `function`, functions that rustc inlined
  /// among them; empty if that is the kernel itself.
  std::vector<CallStep> chain(const mir::Program &program, mir::FunctionId function,
                              mir::SpanId span) const;
  /// The kernel's function through which `function` was first required; `function` itself if nobody
  /// did.
  mir::FunctionId root(mir::FunctionId function) const;

private:
  struct Link {
    mir::FunctionId caller;
    mir::SpanId callSite;
  };
  std::map<mir::FunctionId, Link> links_;
};

/// Adds an error at `span` of function `in`; the caller may append notes and help.
Diagnostic &diagnose(Diagnostics &diags, const mir::Program &program, const CallChains &chains,
                     mir::FunctionId in, std::string_view code, mir::SpanId span,
                     std::string message);

} // namespace mirgpu::lowering
