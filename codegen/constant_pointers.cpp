// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See constant_pointers.h. What InferAddressSpaces calls an address expression (selects, phis, GEPs
// of generic pointers) and that leads to constants without an address space alone is found as a
// greatest fixed point: a ring of phis without any other operand counts too.
#include "codegen/constant_pointers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace mirgpu::codegen {

namespace {
using Candidates = SmallSetVector<Instruction *, 8>;

bool isGenericPointer(const Value &value) {
  return value.getType()->isPointerTy() && value.getType()->getPointerAddressSpace() == 0;
}

bool choosesPointer(const Instruction &instruction) {
  return isGenericPointer(instruction) && isa<PHINode, SelectInst>(instruction);
}

/// null, undef, or an integer as a pointer.
bool hasNoSpace(const Value &value) {
  if (isa<ConstantPointerNull, UndefValue>(value))
    return true;
  const auto *expression = dyn_cast<ConstantExpr>(&value);
  return expression && expression->getOpcode() == Instruction::IntToPtr;
}

bool leadsToConstants(const Instruction &instruction, const Candidates &candidates) {
  return all_of(instruction.operands(), [&](const Use &use) {
    if (!isGenericPointer(*use))
      return true; // a condition or an index
    const auto *inner = dyn_cast<Instruction>(use);
    return inner ? candidates.contains(const_cast<Instruction *>(inner)) : hasNoSpace(*use);
  });
}

Candidates findCandidates(Function &fn) {
  Candidates candidates;
  for (Instruction &instruction : instructions(fn))
    if (choosesPointer(instruction) ||
        (isa<GetElementPtrInst>(instruction) && isGenericPointer(instruction)))
      candidates.insert(&instruction);
  for (bool changed = true; changed;)
    changed = candidates.remove_if(
        [&](Instruction *instruction) { return !leadsToConstants(*instruction, candidates); });
  return candidates;
}
} // namespace

PreservedAnalyses FreezeConstantPointers::run(Function &fn, FunctionAnalysisManager &) {
  const Candidates candidates = findCandidates(fn);
  bool changed = false;
  for (Instruction *candidate : candidates) {
    auto isOuter = [&](const Use &use) {
      auto *user = cast<Instruction>(use.getUser());
      return choosesPointer(*user) && !candidates.contains(user);
    };
    if (none_of(candidate->uses(), isOuter))
      continue;
    std::optional<BasicBlock::iterator> after = candidate->getInsertionPointAfterDef();
    if (!after)
      continue;
    auto *frozen = new FreezeInst(candidate, "", *after);
    candidate->replaceUsesWithIf(frozen,
                                 [&](Use &use) { return use.getUser() != frozen && isOuter(use); });
    changed = true;
  }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace mirgpu::codegen
