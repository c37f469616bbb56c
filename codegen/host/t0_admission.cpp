// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels run as a loop over their threads (thread_loop.h), and why the others do not.
#include "codegen/host/thread_loop.h"
#include "codegen/kernels.h"
#include "codegen/spin_loops.h"
#include "intrinsics/intrinsics.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace mirgpu::codegen::host {

static constexpr StringLiteral kPrefix = "mirgpu.";

static std::string placeText(const DebugLoc &location) {
  if (!location)
    return "";
  return (" at " + location->getFilename() + ":" + Twine(location.getLine()) + ":" +
          Twine(location.getCol()))
      .str();
}

/// The first call of `fn` from a function in `reached`.
static const CallBase *callOf(const Function &fn, const SetVector<GlobalValue *> &reached) {
  const CallBase *found = nullptr;
  for (const User *user : fn.users())
    if (auto *call = dyn_cast<CallBase>(user);
        call && reached.contains(const_cast<Function *>(call->getFunction())) &&
        (!found || call->getDebugLoc().getLine() < found->getDebugLoc().getLine()))
      found = call;
  return found;
}

static std::string collectiveIn(const SetVector<GlobalValue *> &reached) {
  for (GlobalValue *global : reached) {
    auto *fn = dyn_cast<Function>(global);
    if (!fn || !fn->isDeclaration() || !fn->getName().starts_with(kPrefix))
      continue;
    StringRef id = fn->getName().drop_front(kPrefix.size());
    const intrinsics::IntrinsicDef *def = intrinsics::find(id);
    if (!def || !def->collective)
      continue;
    const CallBase *call = callOf(*fn, reached);
    return "it reaches `" + id.str() + "`" + (call ? placeText(call->getDebugLoc()) : "");
  }
  return "";
}

/// The loop that waits for what another thread does, if `fn` has one.
static std::string waitingLoopIn(Function &fn, const SetVector<Function *> &readers) {
  DominatorTree tree(fn);
  LoopInfo loops(tree);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (mayWait(*loop, loops, readers))
      return "its loop" + placeText(loop->getStartLoc()) +
             " may wait for what another thread stores";
  return "";
}

/// Functions that `root` reaches and that may be entered again while they run.
static SmallPtrSet<const Function *, 8> recursiveFunctions(CallGraph &graph, Function &root) {
  SmallPtrSet<const Function *, 8> found;
  for (auto component = scc_begin(graph[&root]); !component.isAtEnd(); ++component)
    if (component.hasCycle())
      for (CallGraphNode *node : *component)
        found.insert(node->getFunction());
  return found;
}

static std::string lineOf(const Function &fn) {
  const DISubprogram *scope = fn.getSubprogram();
  return scope ? (" at " + scope->getFilename() + ":" + Twine(scope->getLine())).str() : "";
}

std::vector<std::string> t0Refusals(lowering::LoweredModule &lowered) {
  const SetVector<Function *> readers = readersOfSharedState(*lowered.module);
  CallGraph graph(*lowered.module);
  std::vector<std::string> refusals;
  for (const lowering::LoweredKernel &kernel : lowered.kernels) {
    const SetVector<GlobalValue *> reached = reachableFrom(kernelFunction(*lowered.module, kernel));
    const auto recursive = recursiveFunctions(graph, kernelFunction(*lowered.module, kernel));
    std::string why = collectiveIn(reached);
    for (GlobalValue *global : reached) {
      auto *fn = dyn_cast<Function>(global);
      if (!why.empty() || !fn || fn->isDeclaration())
        continue;
      if (readers.contains(fn))
        why = waitingLoopIn(*fn, readers);
      if (why.empty() && recursive.contains(fn))
        why = "it reaches a function that calls itself" + lineOf(*fn);
    }
    refusals.push_back(std::move(why));
  }
  return refusals;
}

} // namespace mirgpu::codegen::host
