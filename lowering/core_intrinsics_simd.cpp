// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `simd_*` intrinsics that work lane by lane, comparisons, and reductions. As in the scalar
// intrinsics, what needs a library goes through the table of math functions, a lane at a time, so
// that lanes and scalars give the same bits. An unordered sum or product of floats is a tree of
// halves, the same on every target.
#include "lowering/math.h"
#include "lowering/simd_lanes.h"

#include "llvm/IR/Intrinsics.h"

namespace mirgpu::lowering {

using llvm::Value;
using llvm::Intrinsic::ID;
using Op = llvm::Instruction::BinaryOps;

namespace {
/// Which elements an operation has.
enum class Elements : uint8_t { Integers, Floats, Numbers };
} // namespace

static bool has(const Lanes &lanes, Elements elements) {
  switch (elements) {
  case Elements::Integers:
    return lanes.isInteger();
  case Elements::Floats:
    return lanes.isFloat();
  case Elements::Numbers:
    return lanes.isInteger() || lanes.isFloat();
  }
  return false;
}

// ---- Lane by lane
// -------------------------------------------------------------------------------

/// One operation for integers, signed and not, and one for floats.
template <Op signedOp, Op unsignedOp, Op floatOp, Elements elements>
static OperandValue binary(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  if (!call.isElementwise(2) || !has(*call.resultLanes(), elements))
    return call.misshapen();
  const Lanes lanes = *call.resultLanes();
  const Op op = lanes.isFloat() ? floatOp : lanes.scalar.isSigned ? signedOp : unsignedOp;
  return call.result(call.b.CreateBinOp(op, call.vector(0), call.vector(1)));
}

template <ID signedId, ID unsignedId, unsigned arity>
static OperandValue integers(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  if (!call.isElementwise(arity) || !call.resultLanes()->isInteger())
    return call.misshapen();
  const Lanes lanes = *call.resultLanes();
  if (signedId == llvm::Intrinsic::bswap && lanes.scalar.bits == 8)
    return call.result(call.vector(0));
  llvm::SmallVector<Value *, 3> operands;
  for (unsigned i = 0; i < arity; ++i)
    operands.push_back(call.vector(i));
  if (signedId == llvm::Intrinsic::ctlz || signedId == llvm::Intrinsic::cttz)
    operands.push_back(call.b.getFalse()); // zero has an answer
  return call.result(call.b.CreateIntrinsic(lanes.scalar.isSigned ? signedId : unsignedId,
                                            {lanes.type}, operands));
}

template <ID id, unsigned arity> static OperandValue floats(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  if (!call.isElementwise(arity) || !call.resultLanes()->isFloat())
    return call.misshapen();
  llvm::SmallVector<Value *, 3> operands;
  for (unsigned i = 0; i < arity; ++i)
    operands.push_back(call.vector(i));
  return call.result(call.b.CreateIntrinsic(id, {call.resultLanes()->type}, operands));
}

static OperandValue negate(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  if (!call.isElementwise(1) || !has(*call.resultLanes(), Elements::Numbers))
    return call.misshapen();
  Value *x = call.vector(0);
  return call.result(call.resultLanes()->isFloat() ? call.b.CreateFNeg(x) : call.b.CreateNeg(x));
}

/// x * y + z: rounded twice, as everywhere unless contraction is asked for.
static OperandValue relaxedMulAdd(const IntrinsicCall &plain) {
  if (plain.fc.mc.options.fpContract)
    return floats<llvm::Intrinsic::fmuladd, 3>(plain);
  const SimdCall call(plain);
  if (!call.isElementwise(3) || !call.resultLanes()->isFloat())
    return call.misshapen();
  return call.result(
      call.b.CreateFAdd(call.b.CreateFMul(call.vector(0), call.vector(1)), call.vector(2)));
}

/// The remainder of each lane; that of floats is exact.
static OperandValue remainder(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  if (!call.isElementwise(2) || !call.resultLanes()->isFloat())
    return binary<Op::SRem, Op::URem, Op::FRem, Elements::Integers>(plain);
  Value *x = call.vector(0), *y = call.vector(1), *all = llvm::PoisonValue::get(x->getType());
  for (unsigned i = 0; i < call.resultLanes()->count; ++i)
    all = call.b.CreateInsertElement(all,
                                     emitRemainder(plain.fc, call.b.CreateExtractElement(x, i),
                                                   call.b.CreateExtractElement(y, i)),
                                     i);
  return call.result(all);
}

/// `simd_fsin` and its like: the row of the scalar function, for each lane.
static OperandValue library(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  llvm::StringRef name(plain.callee.name);
  name.consume_front("simd_f");
  const intrinsics::MathDef *def = intrinsics::findMathIntrinsic(std::string_view(name));
  if (!def || !call.isElementwise(1) || !call.resultLanes()->isFloat())
    return call.misshapen();
  Value *x = call.vector(0), *all = llvm::PoisonValue::get(x->getType());
  for (unsigned i = 0; i < call.resultLanes()->count; ++i)
    all = call.b.CreateInsertElement(
        all, emitMath(plain.fc, *def, {call.b.CreateExtractElement(x, i)}), i);
  return call.result(all);
}

/// The product without carries: an exclusive or of shifted copies of x.
static OperandValue carrylessProduct(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  if (!call.isElementwise(2) || !call.resultLanes()->isInteger())
    return call.misshapen();
  const Lanes lanes = *call.resultLanes();
  llvm::IRBuilder<> &b = call.b;
  Value *x = call.vector(0), *y = call.vector(1);
  Value *product = llvm::Constant::getNullValue(lanes.type), *zero = product;
  for (unsigned bit = 0; bit < lanes.scalar.bits; ++bit) {
    llvm::Constant *mask =
        llvm::ConstantInt::get(lanes.type, llvm::APInt::getOneBitSet(lanes.scalar.bits, bit));
    Value *isSet = b.CreateICmpNE(b.CreateAnd(y, mask), zero);
    product = b.CreateXor(product, b.CreateSelect(isSet, b.CreateShl(x, bit), zero));
  }
  return call.result(product);
}

// ---- Comparisons
// --------------------------------------------------------------------------------

using Predicate = llvm::CmpInst::Predicate;

template <Predicate signedP, Predicate unsignedP, Predicate floatP>
static OperandValue compare(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> x = call.lanes(0), y = call.lanes(1), mask = call.resultLanes();
  if (call.count() != 2 || !x || !y || *x != *y || !mask || !mask->isInteger() ||
      mask->count != x->count)
    return call.misshapen();
  const Predicate predicate = x->isFloat() ? floatP : x->scalar.isSigned ? signedP : unsignedP;
  return call.result(
      call.b.CreateSExt(call.b.CreateCmp(predicate, call.vector(0), call.vector(1)), mask->type));
}

// ---- Reductions
// ---------------------------------------------------------------------------------

/// The lanes combined in pairs of halves; an odd one out joins at the end.
template <class Combine>
static Value *foldByHalves(llvm::IRBuilder<> &b, Value *x, unsigned count, Combine combine) {
  Value *rest = nullptr;
  while (count > 1) {
    if (count % 2) {
      Value *last = b.CreateExtractElement(x, count - 1);
      rest = rest ? combine(last, rest) : last;
    }
    const unsigned half = count / 2;
    llvm::SmallVector<int> low, high;
    for (unsigned i = 0; i < half; ++i) {
      low.push_back(static_cast<int>(i));
      high.push_back(static_cast<int>(half + i));
    }
    x = combine(b.CreateShuffleVector(x, low), b.CreateShuffleVector(x, high));
    count = half;
  }
  Value *first = b.CreateExtractElement(x, uint64_t(0));
  return rest ? combine(first, rest) : first;
}

template <Op intOp, Op floatOp> static OperandValue reduceUnordered(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> x = call.lanes(0);
  if (call.count() != 1 || !x || !has(*x, Elements::Numbers) ||
      !call.returnsScalar(x->type->getElementType()))
    return call.misshapen();
  const Op op = x->isFloat() ? floatOp : intOp;
  return plain.result(foldByHalves(call.b, call.vector(0), x->count, [&](Value *l, Value *r) {
    return call.b.CreateBinOp(op, l, r);
  }));
}

/// From the first lane to the last, beginning with the second argument.
template <Op intOp, Op floatOp> static OperandValue reduceOrdered(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> x = call.lanes(0);
  if (call.count() != 2 || !x || !has(*x, Elements::Numbers) ||
      !call.isScalar(1, x->type->getElementType()) ||
      !call.returnsScalar(x->type->getElementType()))
    return call.misshapen();
  const Op op = x->isFloat() ? floatOp : intOp;
  Value *lanes = call.vector(0), *all = plain.imm(1);
  for (unsigned i = 0; i < x->count; ++i)
    all = call.b.CreateBinOp(op, all, call.b.CreateExtractElement(lanes, i));
  return plain.result(all);
}

template <ID signedId, ID unsignedId, ID floatId>
static OperandValue reduceExtreme(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> x = call.lanes(0);
  if (call.count() != 1 || !x || !has(*x, Elements::Numbers) ||
      !call.returnsScalar(x->type->getElementType()))
    return call.misshapen();
  const ID id = x->isFloat() ? floatId : x->scalar.isSigned ? signedId : unsignedId;
  return plain.result(foldByHalves(call.b, call.vector(0), x->count, [&](Value *l, Value *r) {
    return call.b.CreateBinaryIntrinsic(id, l, r);
  }));
}

template <Op op> static OperandValue reduceBits(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> x = call.lanes(0);
  if (call.count() != 1 || !x || !x->isInteger() || !call.returnsScalar(x->type->getElementType()))
    return call.misshapen();
  return plain.result(foldByHalves(call.b, call.vector(0), x->count, [&](Value *l, Value *r) {
    return call.b.CreateBinOp(op, l, r);
  }));
}

/// Whether all lanes of a mask are set, or any.
template <Op op> static OperandValue reduceMask(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> x = call.lanes(0);
  if (call.count() != 1 || !x || !x->isInteger() || !call.returnsScalar(call.b.getInt1Ty()))
    return call.misshapen();
  Value *all = foldByHalves(call.b, call.vector(0), x->count,
                            [&](Value *l, Value *r) { return call.b.CreateBinOp(op, l, r); });
  return plain.result(call.bits(all));
}

// clang-format off
static constexpr CoreIntrinsicRow kRows[] = {
    {"simd_add", binary<Op::Add, Op::Add, Op::FAdd, Elements::Numbers>},
    {"simd_sub", binary<Op::Sub, Op::Sub, Op::FSub, Elements::Numbers>},
    {"simd_mul", binary<Op::Mul, Op::Mul, Op::FMul, Elements::Numbers>},
    {"simd_div", binary<Op::SDiv, Op::UDiv, Op::FDiv, Elements::Numbers>},
    {"simd_rem", remainder},
    {"simd_shl", binary<Op::Shl, Op::Shl, Op::Shl, Elements::Integers>},
    {"simd_shr", binary<Op::AShr, Op::LShr, Op::LShr, Elements::Integers>},
    {"simd_and", binary<Op::And, Op::And, Op::And, Elements::Integers>},
    {"simd_or", binary<Op::Or, Op::Or, Op::Or, Elements::Integers>},
    {"simd_xor", binary<Op::Xor, Op::Xor, Op::Xor, Elements::Integers>},
    {"simd_saturating_add", integers<llvm::Intrinsic::sadd_sat, llvm::Intrinsic::uadd_sat, 2>},
    {"simd_saturating_sub", integers<llvm::Intrinsic::ssub_sat, llvm::Intrinsic::usub_sat, 2>},
    {"simd_funnel_shl", integers<llvm::Intrinsic::fshl, llvm::Intrinsic::fshl, 3>},
    {"simd_funnel_shr", integers<llvm::Intrinsic::fshr, llvm::Intrinsic::fshr, 3>},
    {"simd_bswap", integers<llvm::Intrinsic::bswap, llvm::Intrinsic::bswap, 1>},
    {"simd_bitreverse", integers<llvm::Intrinsic::bitreverse, llvm::Intrinsic::bitreverse, 1>},
    {"simd_ctpop", integers<llvm::Intrinsic::ctpop, llvm::Intrinsic::ctpop, 1>},
    {"simd_ctlz", integers<llvm::Intrinsic::ctlz, llvm::Intrinsic::ctlz, 1>},
    {"simd_cttz", integers<llvm::Intrinsic::cttz, llvm::Intrinsic::cttz, 1>},
    {"simd_carryless_mul", carrylessProduct},
    {"simd_neg", negate},
    {"simd_fabs", floats<llvm::Intrinsic::fabs, 1>},
    {"simd_fsqrt", floats<llvm::Intrinsic::sqrt, 1>},
    {"simd_floor", floats<llvm::Intrinsic::floor, 1>},
    {"simd_ceil", floats<llvm::Intrinsic::ceil, 1>},
    {"simd_trunc", floats<llvm::Intrinsic::trunc, 1>},
    {"simd_round", floats<llvm::Intrinsic::round, 1>},
    {"simd_round_ties_even", floats<llvm::Intrinsic::roundeven, 1>},
    {"simd_minimum_number_nsz", floats<llvm::Intrinsic::minimumnum, 2>},
    {"simd_maximum_number_nsz", floats<llvm::Intrinsic::maximumnum, 2>},
    {"simd_fma", floats<llvm::Intrinsic::fma, 3>},
    {"simd_relaxed_fma", relaxedMulAdd},
    {"simd_fsin", library}, {"simd_fcos", library}, {"simd_fexp", library}, {"simd_fexp2", library},
    {"simd_flog", library}, {"simd_flog2", library}, {"simd_flog10", library},
    {"simd_eq", compare<Predicate::ICMP_EQ, Predicate::ICMP_EQ, Predicate::FCMP_OEQ>},
    {"simd_ne", compare<Predicate::ICMP_NE, Predicate::ICMP_NE, Predicate::FCMP_UNE>},
    {"simd_lt", compare<Predicate::ICMP_SLT, Predicate::ICMP_ULT, Predicate::FCMP_OLT>},
    {"simd_le", compare<Predicate::ICMP_SLE, Predicate::ICMP_ULE, Predicate::FCMP_OLE>},
    {"simd_gt", compare<Predicate::ICMP_SGT, Predicate::ICMP_UGT, Predicate::FCMP_OGT>},
    {"simd_ge", compare<Predicate::ICMP_SGE, Predicate::ICMP_UGE, Predicate::FCMP_OGE>},
    {"simd_reduce_add_unordered", reduceUnordered<Op::Add, Op::FAdd>},
    {"simd_reduce_mul_unordered", reduceUnordered<Op::Mul, Op::FMul>},
    {"simd_reduce_add_ordered", reduceOrdered<Op::Add, Op::FAdd>},
    {"simd_reduce_mul_ordered", reduceOrdered<Op::Mul, Op::FMul>},
    {"simd_reduce_min", reduceExtreme<llvm::Intrinsic::smin, llvm::Intrinsic::umin, llvm::Intrinsic::minimumnum>},
    {"simd_reduce_max", reduceExtreme<llvm::Intrinsic::smax, llvm::Intrinsic::umax, llvm::Intrinsic::maximumnum>},
    {"simd_reduce_and", reduceBits<Op::And>},
    {"simd_reduce_or", reduceBits<Op::Or>},
    {"simd_reduce_xor", reduceBits<Op::Xor>},
    {"simd_reduce_all", reduceMask<Op::And>},
    {"simd_reduce_any", reduceMask<Op::Or>},
};
// clang-format on

std::span<const CoreIntrinsicRow> simdIntrinsics() { return kRows; }

} // namespace mirgpu::lowering
