// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/nvptx/narrow_atomics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace mirgpu::codegen::nvptx {

static constexpr unsigned kWordBytes = 4;

namespace {
/// The word around a narrow value: its address, and where in it the value lies.
struct Word {
  Value *address, *shift, *mask;

  Word(IRBuilder<> &builder, Value *narrow, unsigned bits) {
    Type *word = builder.getInt32Ty();
    Value *start = builder.CreatePtrToInt(narrow, builder.getInt64Ty());
    Value *offset = builder.CreateAnd(start, kWordBytes - 1);
    address = builder.CreatePtrAdd(narrow, builder.CreateNeg(offset));
    shift = builder.CreateShl(builder.CreateTrunc(offset, word), 3); // bits; little-endian
    mask = builder.CreateShl(builder.getInt32((1U << bits) - 1), shift);
  }

  /// `value` at its place in a word of zeros.
  Value *place(IRBuilder<> &builder, Value *value) const {
    return builder.CreateShl(builder.CreateZExt(value, builder.getInt32Ty()), shift);
  }
  Value *extract(IRBuilder<> &builder, Value *word, Type *type) const {
    return builder.CreateTrunc(builder.CreateLShr(word, shift), type);
  }
};
} // namespace

AtomicRMWInst *widenBitwise(AtomicRMWInst &rmw) {
  const AtomicRMWInst::BinOp op = rmw.getOperation();
  Type *type = rmw.getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() >= kWordBytes * 8 ||
      (op != AtomicRMWInst::And && op != AtomicRMWInst::Or && op != AtomicRMWInst::Xor))
    return nullptr;
  IRBuilder<> builder(&rmw);
  Word word(builder, rmw.getPointerOperand(), type->getIntegerBitWidth());
  Value *operand = word.place(builder, rmw.getValOperand());
  if (op == AtomicRMWInst::And)
    operand = builder.CreateOr(operand, builder.CreateNot(word.mask));
  AtomicRMWInst *wide = builder.CreateAtomicRMW(op, word.address, operand, Align(kWordBytes),
                                                rmw.getOrdering(), rmw.getSyncScopeID());
  rmw.replaceAllUsesWith(word.extract(builder, wide, type));
  rmw.eraseFromParent();
  return wide;
}

/// A word that differs elsewhere than in the value is tried again; one that differs in the value
/// has failed. At least one exchange is made, so that a failure has its order too.
///   before:  rest = load relaxed & ~mask
///   retry:   (seen, ok) = cmpxchg rest | expected, rest | desired
///            br ok || seen & mask != expected, after, retry with rest = seen & ~mask
static void widenExchange(AtomicCmpXchgInst &narrow) {
  IRBuilder<> builder(&narrow);
  Type *type = narrow.getCompareOperand()->getType();
  Word word(builder, narrow.getPointerOperand(), type->getIntegerBitWidth());
  Value *expected = word.place(builder, narrow.getCompareOperand());
  Value *desired = word.place(builder, narrow.getNewValOperand());
  Value *others = builder.CreateNot(word.mask);
  LoadInst *start =
      builder.CreateAlignedLoad(builder.getInt32Ty(), word.address, Align(kWordBytes));
  start->setAtomic(AtomicOrdering::Monotonic, narrow.getSyncScopeID());
  Value *startRest = builder.CreateAnd(start, others);

  BasicBlock *before = narrow.getParent();
  BasicBlock *after = SplitBlock(before, &narrow);
  BasicBlock *retry = BasicBlock::Create(narrow.getContext(), "retry", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, retry);
  builder.SetInsertPoint(retry);
  builder.SetCurrentDebugLocation(narrow.getDebugLoc());
  PHINode *rest = builder.CreatePHI(builder.getInt32Ty(), 2);
  AtomicCmpXchgInst *exchange = builder.CreateAtomicCmpXchg(
      word.address, builder.CreateOr(rest, expected), builder.CreateOr(rest, desired),
      Align(kWordBytes), narrow.getSuccessOrdering(), narrow.getFailureOrdering(),
      narrow.getSyncScopeID());
  Value *seen = builder.CreateExtractValue(exchange, 0);
  Value *isDone = builder.CreateExtractValue(exchange, 1);
  Value *hasFailed = builder.CreateICmpNE(builder.CreateAnd(seen, word.mask), expected);
  rest->addIncoming(startRest, before);
  rest->addIncoming(builder.CreateAnd(seen, others), retry);
  builder.CreateCondBr(builder.CreateOr(isDone, hasFailed), after, retry);

  builder.SetInsertPoint(&narrow);
  Value *result = builder.CreateInsertValue(PoisonValue::get(narrow.getType()),
                                            word.extract(builder, seen, type), 0);
  narrow.replaceAllUsesWith(builder.CreateInsertValue(result, isDone, 1));
  narrow.eraseFromParent();
}

void widenExchanges(Module &module) {
  SmallVector<AtomicCmpXchgInst *, 8> narrow;
  for (Function &fn : module)
    for (Instruction &inst : instructions(fn))
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst);
          exchange && exchange->getCompareOperand()->getType()->isIntegerTy() &&
          exchange->getCompareOperand()->getType()->getIntegerBitWidth() < kWordBytes * 8)
        narrow.push_back(exchange);
  for (AtomicCmpXchgInst *exchange : narrow)
    widenExchange(*exchange);
}

} // namespace mirgpu::codegen::nvptx
