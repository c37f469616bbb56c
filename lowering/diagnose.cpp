// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See diagnose.h: from a MIR span and the requirement links to a Diagnostic with its call chain.
#include "lowering/diagnose.h"

#include "mir_reader/query.h"

#include <algorithm>

namespace mirgpu::lowering {

void CallChains::required(mir::FunctionId callee, mir::FunctionId caller, mir::SpanId callSite) {
  links_.try_emplace(callee, Link{caller, callSite});
}

std::vector<CallStep> CallChains::chain(const mir::Program &program,
                                        mir::FunctionId function) const {
  std::vector<CallStep> steps;
  // A caller is known before its callee is required, so the links have no cycle.
  for (auto it = links_.find(function); it != links_.end() && it->second.caller.isValid();
       it = links_.find(it->second.caller)) {
    const mir::SpanId site = mir::outermostCallSite(program, it->second.callSite);
    steps.push_back({std::string(program.functions[it->second.caller].defPath),
                     mir::sourceSpan(program, site)});
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

mir::FunctionId CallChains::root(mir::FunctionId function) const {
  for (auto it = links_.find(function); it != links_.end() && it->second.caller.isValid();
       it = links_.find(function))
    function = it->second.caller;
  return function;
}

Diagnostic &diagnose(Diagnostics &diags, const mir::Program &program, const CallChains &chains,
                     mir::FunctionId in, std::string_view code, mir::SpanId span,
                     std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  if (span.isValid())
    diagnostic.span = mir::sourceSpan(program, mir::outermostCallSite(program, span));
  else if (in.isValid())
    diagnostic.span = mir::sourceSpan(program, program.functions[in].span);
  if (in.isValid()) {
    diagnostic.callChain = chains.chain(program, in);
    diagnostic.verboseNotes.push_back("in the MIR of `" +
                                      std::string(program.functions[in].symbol) + "`");
  }
  return diags.add(std::move(diagnostic));
}

} // namespace mirgpu::lowering
