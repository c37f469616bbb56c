// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer intrinsics: bit counts and permutations, rotates, saturating, exact and unchecked
// arithmetic, to LLVM's intrinsics and operations of the same width. Bit counts return u32 whatever
// the width.
#include "lowering/core_intrinsics.h"

#include "llvm/IR/Intrinsics.h"

namespace mirgpu::lowering {

using llvm::Intrinsic::ID;

static bool isSigned(const IntrinsicCall &call) {
  const mir::Scalar *scalar = mir::scalarOf(call.typeOfArg(0));
  return scalar && scalar->isSigned;
}

template <ID id> static OperandValue unary(const IntrinsicCall &call) {
  return call.result(call.builder.CreateUnaryIntrinsic(id, call.imm(0)));
}

static OperandValue byteSwap(const IntrinsicCall &call) {
  // LLVM has no swap of one byte.
  if (call.imm(0)->getType()->isIntegerTy(8))
    return call.result(call.imm(0));
  return unary<llvm::Intrinsic::bswap>(call);
}

/// The count as the u32 of the result.
static OperandValue counted(const IntrinsicCall &call, llvm::Value *count) {
  return call.result(call.builder.CreateZExtOrTrunc(count, call.builder.getInt32Ty()));
}

static OperandValue countOnes(const IntrinsicCall &call) {
  return counted(call, call.builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, call.imm(0)));
}

template <ID id, bool isNonZero> static OperandValue countZeros(const IntrinsicCall &call) {
  return counted(
      call, call.builder.CreateBinaryIntrinsic(id, call.imm(0), call.builder.getInt1(isNonZero)));
}

template <ID id> static OperandValue rotate(const IntrinsicCall &call) {
  llvm::Value *x = call.imm(0), *amount = call.builder.CreateZExtOrTrunc(call.imm(1), x->getType());
  return call.result(call.builder.CreateIntrinsic(id, {x->getType()}, {x, x, amount}));
}

template <ID id> static OperandValue funnel(const IntrinsicCall &call) {
  llvm::Value *x = call.imm(0), *amount = call.builder.CreateZExtOrTrunc(call.imm(2), x->getType());
  return call.result(call.builder.CreateIntrinsic(id, {x->getType()}, {x, call.imm(1), amount}));
}

template <ID signedId, ID unsignedId> static OperandValue saturating(const IntrinsicCall &call) {
  return call.result(call.builder.CreateBinaryIntrinsic(isSigned(call) ? signedId : unsignedId,
                                                        call.imm(0), call.imm(1)));
}

static OperandValue exactDiv(const IntrinsicCall &call) {
  return call.result(isSigned(call) ? call.builder.CreateExactSDiv(call.imm(0), call.imm(1))
                                    : call.builder.CreateExactUDiv(call.imm(0), call.imm(1)));
}

static OperandValue disjointOr(const IntrinsicCall &call) {
  llvm::Value *value = call.builder.CreateOr(call.imm(0), call.imm(1));
  if (auto *inst = llvm::dyn_cast<llvm::PossiblyDisjointInst>(value))
    inst->setIsDisjoint(true);
  return call.result(value);
}

/// What MIR usually has as a binary operation already.
template <mir::BinOp op> static OperandValue binary(const IntrinsicCall &call) {
  return lowerBinaryOp(call.fc, op, call.args[0], call.args[1], call.dest.ty);
}

static constexpr CoreIntrinsicRow kRows[] = {
    {"bswap", byteSwap},
    {"bitreverse", unary<llvm::Intrinsic::bitreverse>},
    {"ctpop", countOnes},
    {"ctlz", countZeros<llvm::Intrinsic::ctlz, false>},
    {"ctlz_nonzero", countZeros<llvm::Intrinsic::ctlz, true>},
    {"cttz", countZeros<llvm::Intrinsic::cttz, false>},
    {"cttz_nonzero", countZeros<llvm::Intrinsic::cttz, true>},
    {"rotate_left", rotate<llvm::Intrinsic::fshl>},
    {"rotate_right", rotate<llvm::Intrinsic::fshr>},
    {"unchecked_funnel_shl", funnel<llvm::Intrinsic::fshl>},
    {"unchecked_funnel_shr", funnel<llvm::Intrinsic::fshr>},
    {"saturating_add", saturating<llvm::Intrinsic::sadd_sat, llvm::Intrinsic::uadd_sat>},
    {"saturating_sub", saturating<llvm::Intrinsic::ssub_sat, llvm::Intrinsic::usub_sat>},
    {"exact_div", exactDiv},
    {"disjoint_bitor", disjointOr},
    {"wrapping_add", binary<mir::BinOp::Add>},
    {"wrapping_sub", binary<mir::BinOp::Sub>},
    {"wrapping_mul", binary<mir::BinOp::Mul>},
    {"unchecked_add", binary<mir::BinOp::AddUnchecked>},
    {"unchecked_sub", binary<mir::BinOp::SubUnchecked>},
    {"unchecked_mul", binary<mir::BinOp::MulUnchecked>},
    {"unchecked_div", binary<mir::BinOp::Div>},
    {"unchecked_rem", binary<mir::BinOp::Rem>},
    {"unchecked_shl", binary<mir::BinOp::ShlUnchecked>},
    {"unchecked_shr", binary<mir::BinOp::ShrUnchecked>},
    {"add_with_overflow", binary<mir::BinOp::AddWithOverflow>},
    {"sub_with_overflow", binary<mir::BinOp::SubWithOverflow>},
    {"mul_with_overflow", binary<mir::BinOp::MulWithOverflow>},
    {"three_way_compare", binary<mir::BinOp::Cmp>},
};

std::span<const CoreIntrinsicRow> integerIntrinsics() { return kRows; }

} // namespace mirgpu::lowering
