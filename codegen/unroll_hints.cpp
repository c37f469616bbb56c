// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See unroll_hints.h. Left as they are: loops that already say how far they want to be unrolled,
// that have few iterations, that end early (the copies would test as often), and those with an
// atomic or a convergent operation (DESIGN D6).
#include "codegen/unroll_hints.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace mirgpu::codegen {

static constexpr unsigned kMaxInstructions = 80, kFewIterations = 8;

/// Four; sixteen for the smallest that only read, which is what nvcc and ptxas together make of
/// them.
static unsigned countFor(const Loop &loop, unsigned instructions) {
  bool writes = any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &inst) { return isa<StoreInst>(inst); });
  });
  return instructions <= 16 && !writes ? 16 : 4;
}

/// The instructions of a loop that may be copied; none if it is too large or has what may not.
static std::optional<unsigned> plainSize(const Loop &loop) {
  unsigned count = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block) {
      if (inst.isAtomic())
        return std::nullopt;
      if (auto *call = dyn_cast<CallBase>(&inst);
          call && (call->isConvergent() || call->cannotDuplicate() || !isa<IntrinsicInst>(call)))
        return std::nullopt;
      count += !inst.isDebugOrPseudoInst();
    }
  return count <= kMaxInstructions ? std::optional(count) : std::nullopt;
}

static bool saysHow(const Loop &loop) {
  for (StringRef name : {"llvm.loop.unroll.disable", "llvm.loop.unroll.count",
                         "llvm.loop.unroll.enable", "llvm.loop.unroll.full"})
    if (findOptionMDForLoop(&loop, name))
      return true;
  return false;
}

/// Asks for the loop to be unrolled; and that of the two loops that come of it the remainder alone
/// is marked as done, since the mark becomes `.pragma "nounroll"`.
static void ask(Loop &loop, unsigned copies) {
  LLVMContext &context = loop.getHeader()->getContext();
  auto flag = [&](StringRef name) { return MDNode::get(context, MDString::get(context, name)); };
  auto after = [&](StringRef which, StringRef then) {
    return MDNode::get(context, {MDString::get(context, which), flag(then)});
  };
  auto *count = MDNode::get(
      context, {MDString::get(context, "llvm.loop.unroll.count"),
                ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), copies))});
  loop.setLoopID(makePostTransformationMetadata(
      context, loop.getLoopID(), {},
      {count, after("llvm.loop.unroll.followup_unrolled", "mirgpu.loop.unrolled"),
       after("llvm.loop.unroll.followup_remainder", "llvm.loop.unroll.disable")}));
}

PreservedAnalyses UnrollHints::run(Function &fn, FunctionAnalysisManager &functions) {
  ScalarEvolution &se = functions.getResult<ScalarEvolutionAnalysis>(fn);
  for (Loop *loop : functions.getResult<LoopAnalysis>(fn).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->getExitingBlock() || saysHow(*loop) ||
        isa<SCEVCouldNotCompute>(se.getBackedgeTakenCount(loop)))
      continue;
    std::optional<unsigned> size = plainSize(*loop);
    if (!size)
      continue;
    unsigned trips = se.getSmallConstantMaxTripCount(loop);
    if (trips == 0 || trips > kFewIterations)
      ask(*loop, countFor(*loop, *size));
  }
  return PreservedAnalyses::all();
}

} // namespace mirgpu::codegen
