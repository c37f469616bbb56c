// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See diagnose.h: from a MIR span and the requirement links to a Diagnostic with its call chain.
#include "lowering/diagnose.h"

#include "mir_reader/query.h"

#include "llvm/ADT/STLExtras.h"

namespace mirgpu::lowering {

void CallChains::required(mir::FunctionId callee, mir::FunctionId caller, mir::SpanId callSite) {
  links_.try_emplace(callee, Link{caller, callSite});
}

/// The scope of the first statement or terminator with this span: a position without its scope.
static mir::ScopeId scopeOf(const mir::Body &body, mir::SpanId span) {
  for (const mir::BasicBlock &block : body.blocks) {
    for (const mir::Statement &statement : block.statements)
      if (statement.span == span)
        return statement.scope;
    if (block.terminator.span == span)
      return block.terminator.scope;
  }
  return {};
}

/// `span` of `function` as calls, the last one's place empty if `isEnd`: rustc has inlined all but
/// the first, and says so in the scopes.
static void addSteps(const mir::Program &program, mir::FunctionId function, mir::SpanId span,
                     bool isEnd, std::vector<CallStep> &steps) {
  auto place = [&](mir::SpanId at) {
    return mir::sourceSpan(program, mir::outermostCallSite(program, at));
  };
  const std::optional<mir::Body> &body = program.functions[function].body;
  std::vector<const mir::Inlined *> inlined;
  if (body && span.isValid())
    for (mir::ScopeId scope = scopeOf(*body, span); body->scopes.contains(scope);
         scope = body->scopes[scope].parent)
      if (const auto &call = body->scopes[scope].inlined)
        inlined.push_back(&*call);
  std::string name(program.functions[function].defPath);
  for (const mir::Inlined *call : llvm::reverse(inlined)) {
    steps.push_back({std::move(name), place(call->callSite)});
    name = call->callee;
  }
  steps.push_back({std::move(name), isEnd ? SourceSpan() : place(span)});
}

std::vector<CallStep> CallChains::chain(const mir::Program &program, mir::FunctionId function,
                                        mir::SpanId span) const {
  std::vector<std::pair<mir::FunctionId, mir::SpanId>> calls;
  // A caller is known before its callee is required, so the links have no cycle.
  for (auto it = links_.find(function); it != links_.end() && it->second.caller.isValid();
       it = links_.find(it->second.caller))
    calls.emplace_back(it->second.caller, it->second.callSite);
  std::vector<CallStep> steps;
  for (const auto &[caller, callSite] : llvm::reverse(calls))
    addSteps(program, caller, callSite, /*isEnd=*/false, steps);
  addSteps(program, function, span, /*isEnd=*/true, steps);
  if (steps.size() == 1)
    steps.clear(); // the kernel itself, which the place already shows
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
    diagnostic.callChain = chains.chain(program, in, span);
    diagnostic.verboseNotes.push_back("in the MIR of `" +
                                      std::string(program.functions[in].symbol) + "`");
  }
  return diags.add(std::move(diagnostic));
}

} // namespace mirgpu::lowering
