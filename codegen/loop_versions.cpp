// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/loop_versions.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace mirgpu::codegen {

/// Larger loops are left alone.
static constexpr unsigned kMaxInstructions = 500;
static constexpr StringLiteral kCheckedLoop = "mirgpu.loop.checked";

bool endsInPanic(const BasicBlock *block) {
  for (unsigned i = 0; i < 4; ++i) {
    if (isa<UnreachableInst>(block->getTerminator()))
      return true;
    block = block->getUniqueSuccessor();
    if (!block)
      return false;
  }
  return false;
}

bool mayVersion(const Loop &loop) {
  if (findOptionMDForLoop(&loop, kCheckedLoop))
    return false;
  unsigned count = 0;
  for (BasicBlock *block : loop.blocks()) {
    if (!isa<BranchInst>(block->getTerminator()) && !isa<SwitchInst>(block->getTerminator()))
      return false;
    for (Instruction &inst : *block) {
      ++count;
      auto *call = dyn_cast<CallBase>(&inst);
      if (call && (call->isConvergent() || call->cannotDuplicate()))
        return false;
      if (inst.getType()->isTokenTy())
        return false;
    }
  }
  return count <= kMaxInstructions;
}

/// Whether the loop indexes memory of its own function that only unrolling makes registers of.
static bool usesLocals(const Loop &loop) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block)
      if (const Value *address = getLoadStorePointerOperand(&inst);
          address && isa<AllocaInst>(getUnderlyingObject(address)))
        return true;
  return false;
}

/// The loop with the checks is cold: it is neither split again nor unrolled.
static void mark(Loop &loop) {
  addStringMetadataToLoop(&loop, kCheckedLoop.data(), 1);
  if (!usesLocals(loop))
    loop.setLoopAlreadyUnrolled();
}

/// Makes `branch` go the way it does if its condition is `value`. A branch out of the loop is gone
/// then.
static void decideBranch(Loop &loop, BranchInst &branch, bool value) {
  if (loop.contains(branch.getSuccessor(0)) && loop.contains(branch.getSuccessor(1))) {
    branch.setCondition(ConstantInt::getBool(branch.getContext(), value));
    return;
  }
  BasicBlock *kept = branch.getSuccessor(value ? 0 : 1),
             *dropped = branch.getSuccessor(value ? 1 : 0);
  dropped->removePredecessor(branch.getParent(), true);
  BranchInst *made = BranchInst::Create(kept, branch.getIterator());
  made->setDebugLoc(branch.getDebugLoc());
  branch.eraseFromParent();
}

Loop *versionLoop(Loop &loop, Value &holds, ArrayRef<DecidedBranch> decided,
                  LoopStandardAnalysisResults &results) {
  DominatorTree &tree = results.DT;
  LoopInfo &loops = results.LI;
  BasicBlock *before = loop.getLoopPreheader();
  BasicBlock *fast = SplitBlock(before, before->getTerminator(), &tree, &loops);
  ValueToValueMapTy map;
  SmallVector<BasicBlock *, 16> copied;
  SmallVector<BasicBlock *, 8> exits;
  loop.getUniqueExitBlocks(exits);
  Loop *copy =
      cloneLoopWithPreheader(exits.front(), before, &loop, map, ".checked", &loops, &tree, copied);
  remapInstructionsInBlocks(copied, map);
  for (BasicBlock *exit : exits)
    for (PHINode &phi : exit->phis())
      for (unsigned i = 0, n = phi.getNumIncomingValues(); i < n; ++i) {
        Value *value = phi.getIncomingValue(i);
        Value *mapped = map.lookup(value);
        phi.addIncoming(mapped ? mapped : value, cast<BasicBlock>(map[phi.getIncomingBlock(i)]));
      }
  before->getTerminator()->eraseFromParent();
  BranchInst::Create(fast, cast<BasicBlock>(map[fast]), &holds, before)
      ->setMetadata(LLVMContext::MD_prof,
                    MDBuilder(before->getContext()).createLikelyBranchWeights());
  for (const DecidedBranch &known : decided)
    decideBranch(loop, *known.branch, known.value);
  tree.recalculate(*before->getParent());
  formDedicatedExitBlocks(&loop, &tree, &loops, nullptr, true);
  formDedicatedExitBlocks(copy, &tree, &loops, nullptr, true);
  mark(*copy);
  return copy;
}

/// A value that the loop uses, from before it, which is `value`. A quotient is taken from there
/// alone: what keeps its divisor from 0 is not known of an expression.
Value *BeforeLoop::existing(const SCEV *value) {
  for (BasicBlock *block : loop_.blocks())
    for (Instruction &inst : *block)
      for (Value *operand : inst.operands())
        if (operand->getType() == value->getType() && loop_.isLoopInvariant(operand) &&
            se_.isSCEVable(operand->getType()) && se_.getSCEV(operand) == value)
          return operand;
  return nullptr;
}

bool BeforeLoop::canExpand(const SCEV *value) {
  if (expander_.isSafeToExpandAt(value, place()) || existing(value))
    return true;
  auto *sum = dyn_cast<SCEVAddExpr>(value);
  return sum && all_of(sum->operands(), [&](const SCEV *part) { return canExpand(part); });
}

Value *BeforeLoop::expand(const SCEV *value) {
  Instruction *at = place();
  if (expander_.isSafeToExpandAt(value, at))
    return expander_.expandCodeFor(value, value->getType(), at->getIterator());
  if (Value *found = existing(value))
    return found;
  Value *total = nullptr;
  for (const SCEV *part : cast<SCEVAddExpr>(value)->operands()) {
    Value *next = expand(part);
    total = total ? IRBuilder<>(at).CreateAdd(total, next) : next;
  }
  return total;
}

} // namespace mirgpu::codegen
