// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See thread_jumps.h. Invariant: a function with a convergent call is not touched (DESIGN D6).
#include "codegen/thread_jumps.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"

using namespace llvm;

namespace mirgpu::codegen {

PreservedAnalyses ThreadJumps::run(Function &fn, FunctionAnalysisManager &functions) {
  bool converges = any_of(instructions(fn), [](const Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    return call && call->isConvergent();
  });
  if (converges)
    return PreservedAnalyses::all();
  DominatorTree &tree = functions.getResult<DominatorTreeAnalysis>(fn);
  JumpThreadingPass threading;
  bool changed = threading.runImpl(
      fn, &functions, &functions.getResult<TargetLibraryAnalysis>(fn),
      &functions.getResult<TargetIRAnalysis>(fn), &functions.getResult<LazyValueAnalysis>(fn),
      &functions.getResult<AAManager>(fn),
      std::make_unique<DomTreeUpdater>(&tree, nullptr, DomTreeUpdater::UpdateStrategy::Lazy),
      nullptr, nullptr);
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserve<DominatorTreeAnalysis>();
  return kept;
}

} // namespace mirgpu::codegen
