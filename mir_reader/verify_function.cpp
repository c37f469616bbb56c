// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of functions: the signature; then locals against it, scopes that form a tree, debug
// variables, blocks.
#include "mir_reader/verifier.h"
#include "mir_reader/verify_body.h"

namespace mirgpu::mir {

// ---- Signature
// ------------------------------------------------------------------------------------

/// Number, types and sizes of locals are as the signature says.
static void verifyArguments(Verifier &v, const Function &function) {
  const Body &body = *function.body;
  size_t count = function.inputs.size();
  if (!v.check(body.argCount == count && body.locals.size() > count,
               "the body must have a local for the result and for each argument"))
    return;
  v.check(body.locals[LocalId(0)].ty == function.output,
          "local 0 must have the type of the function's result");
  for (uint32_t i = 0; i < count; ++i)
    v.check(body.locals[LocalId(i + 1)].ty == function.inputs[i],
            "local " + llvm::Twine(i + 1) + " must have the type of the argument");
  if (!function.spreadArg || v.failed())
    return;
  uint32_t spread = function.spreadArg->index;
  v.check(spread == count && count > 0, "the spread argument must be the last one");
  v.check(count > 0 && isKind<TyTuple>(v.program, function.inputs[count - 1]),
          "the spread argument must be a tuple");
}

void verifySignature(Verifier &v, const Function &function) {
  for (TypeId input : function.inputs)
    v.type(input);
  v.type(function.output);
  v.span(function.span);
  if (v.failed())
    return;
  v.check(isSized(v.program.types[function.output]), "the result must be sized");
  v.check(!function.spreadArg || function.body, "only a function with a body spreads an argument");
  v.check(function.passModes.empty() || function.passModes.size() == function.inputs.size() + 1,
          "there must be a pass mode for each argument and the result");
  if (!function.body)
    return;
  for (uint32_t i = 0; i < function.body->locals.size() && !v.failed(); ++i) {
    Verifier::At at(v, "body.locals", i);
    const Local &local = function.body->locals[LocalId(i)];
    v.span(local.span);
    if (v.type(local.ty))
      v.check(isSized(v.program.types[local.ty]), "a local must be sized");
  }
  if (!v.failed())
    verifyArguments(v, function);
}

// ---- Scopes
// ---------------------------------------------------------------------------------------

/// Scopes form a tree of limited depth. `depth` is 0 where it is not yet known.
static void verifyScopeTree(Verifier &v, const Body &body) {
  std::vector<uint32_t> depth(body.scopes.size(), 0);
  std::vector<ScopeId> chain;
  for (uint32_t i = 0; i < body.scopes.size(); ++i) {
    chain.clear();
    ScopeId at(i);
    for (; at.isValid() && depth[at.index] == 0; at = body.scopes[at].parent) {
      chain.push_back(at);
      if (!v.check(chain.size() <= kMaxScopeDepth,
                   "scopes come back to themselves or nest too deep"))
        return;
    }
    uint32_t above = at.isValid() ? depth[at.index] : 0;
    for (auto step = chain.rbegin(); step != chain.rend(); ++step)
      depth[step->index] = ++above;
    if (!v.check(above <= kMaxScopeDepth, "scopes nest too deep"))
      return;
  }
}

static void verifyScopes(Verifier &v, const Body &body) {
  for (uint32_t i = 0; i < body.scopes.size() && !v.failed(); ++i) {
    Verifier::At at(v, "scopes", i);
    const Scope &scope = body.scopes[ScopeId(i)];
    v.inRangeOrNone(body.scopes, scope.parent, "scope");
    v.span(scope.span);
    if (!scope.inlined)
      continue;
    v.functionOrNone(scope.inlined->function);
    v.span(scope.inlined->callSite);
  }
  if (v.failed())
    return;
  Verifier::At at(v, "scopes");
  verifyScopeTree(v, body);
}

// ---- Debug variables
// ------------------------------------------------------------------------------

static void verifyFragment(BodyVerifier &b, const DebugFragment &fragment) {
  if (!b.v.type(fragment.ty))
    return;
  PlaceTy at{fragment.ty, std::nullopt};
  for (const Projection &step : fragment.projection) {
    auto next = tryProject(b.program, b.body, at, step);
    if (!b.v.check(next.has_value(), "the fragment's projection does not fit its type"))
      return;
    at = *next;
  }
}

static void verifyDebugVar(BodyVerifier &b, const DebugVar &variable) {
  b.v.inRange(b.body.scopes, variable.scope, "scope");
  b.v.span(variable.span);
  if (const auto *place = std::get_if<Place>(&variable.value))
    b.placeTy(*place);
  else
    verifyConstant(b.v, std::get<Constant>(variable.value));
  if (variable.fragment && !b.v.failed())
    verifyFragment(b, *variable.fragment);
}

// ---- Body
// -----------------------------------------------------------------------------------------

static void verifyBlock(BodyVerifier &b, const BasicBlock &block) {
  for (size_t i = 0; i < block.statements.size() && !b.v.failed(); ++i) {
    Verifier::At at(b.v, "statements", i);
    b.statement(block.statements[i]);
  }
  Verifier::At at(b.v, "terminator");
  if (!b.v.failed())
    b.terminator(block.terminator);
}

void verifyBody(Verifier &v, const Function &function) {
  if (!function.body)
    return;
  Verifier::At at(v, "body");
  BodyVerifier b(v, function);
  v.check(!b.body.blocks.empty(), "a body must have a block");
  v.check(b.body.blocks.empty() || !b.body.blocks[BlockId(0)].isCleanup,
          "the entry block must not be a cleanup block");
  verifyScopes(v, b.body);
  for (size_t i = 0; i < b.body.debug.size() && !v.failed(); ++i) {
    Verifier::At step(v, "debug", i);
    verifyDebugVar(b, b.body.debug[i]);
  }
  for (uint32_t i = 0; i < b.body.blocks.size() && !v.failed(); ++i) {
    Verifier::At step(v, "blocks", i);
    verifyBlock(b, b.body.blocks[BlockId(i)]);
  }
}

} // namespace mirgpu::mir
