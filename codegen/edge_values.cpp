// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See edge_values.h. Invariant: what is made stands before the branch and traps nowhere: selects,
// address arithmetic, additions and casts alone.
#include "codegen/edge_values.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace mirgpu::codegen {

/// How many instructions lie between the phi and the select at most.
static constexpr unsigned kDepth = 3;

/// `value` under `condition == taken`, or null if that changes nothing. New instructions stand
/// before `branch`.
static Value *onEdge(Value *value, Value *condition, bool taken, BranchInst &branch,
                     unsigned depth) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst)
    return nullptr;
  if (auto *select = dyn_cast<SelectInst>(inst); select && select->getCondition() == condition)
    return taken ? select->getTrueValue() : select->getFalseValue();
  if (isa<ZExtInst>(inst) && inst->getOperand(0) == condition)
    return ConstantInt::get(inst->getType(), taken);
  bool isPlain = isa<GetElementPtrInst>(inst) || isa<CastInst>(inst) ||
                 inst->getOpcode() == Instruction::Add || inst->getOpcode() == Instruction::Sub;
  if (!isPlain || depth == 0 || !inst->hasOneUse())
    return nullptr;
  for (Use &operand : inst->operands())
    if (Value *known = onEdge(operand.get(), condition, taken, branch, depth - 1)) {
      Instruction *copy = inst->clone();
      copy->setOperand(operand.getOperandNo(), known);
      copy->insertBefore(branch.getIterator());
      return copy;
    }
  return nullptr;
}

PreservedAnalyses EdgeValues::run(Function &fn, FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : fn) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    for (bool taken : {true, false})
      for (PHINode &phi : branch->getSuccessor(taken ? 0 : 1)->phis()) {
        int index = phi.getBasicBlockIndex(&block);
        Value *known = onEdge(phi.getIncomingValue(static_cast<unsigned>(index)),
                              branch->getCondition(), taken, *branch, kDepth);
        if (!known)
          continue;
        phi.setIncomingValue(static_cast<unsigned>(index), known);
        changed = true;
      }
  }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

} // namespace mirgpu::codegen
