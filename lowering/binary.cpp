// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binary and unary operations. Rust's wrapping integers carry no flags, the unchecked forms nuw or
// nsw; shifts mask their right side
// (`i32 << 33` is `<< 1`), the unchecked ones do not; `!=` on floats is unordered; wide pointers
// compare lexicographically; overflow-checked operations give a pair of the wrapped value and an
// i1. Division has no checks: MIR has asserts before it.
#include "lowering/arithmetic.h"
#include "lowering/math.h"

#include "support/check.h"

namespace mirgpu::lowering {

namespace {
enum class Domain : uint8_t { Unsigned, Signed, Float, Pointer };
} // namespace

static Domain domainOf(FunctionContext &fc, mir::TypeId ty) {
  const mir::Type &type = fc.type(ty);
  if (const auto *pattern = std::get_if<mir::TyPattern>(&type.kind))
    return domainOf(fc, pattern->base);
  if (std::holds_alternative<mir::TyFloat>(type.kind))
    return Domain::Float;
  if (const auto *integer = std::get_if<mir::TyInt>(&type.kind))
    return integer->isSigned ? Domain::Signed : Domain::Unsigned;
  const mir::Scalar *scalar = mir::scalarOf(type);
  return scalar && scalar->primitive == mir::Primitive::Pointer ? Domain::Pointer
                                                                : Domain::Unsigned;
}

static llvm::CmpInst::Predicate predicateOf(mir::BinOp op, Domain domain) {
  using P = llvm::CmpInst::Predicate;
  const bool isFloat = domain == Domain::Float, isSigned = domain == Domain::Signed;
  auto pick = [&](P f, P s, P u) { return isFloat ? f : isSigned ? s : u; };
  if (op == mir::BinOp::Eq)
    return pick(P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ);
  if (op == mir::BinOp::Ne)
    return pick(P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE);
  if (op == mir::BinOp::Lt)
    return pick(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT);
  if (op == mir::BinOp::Le)
    return pick(P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE);
  if (op == mir::BinOp::Gt)
    return pick(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT);
  MIRGPU_CHECK(op == mir::BinOp::Ge, "a predicate of an operation that is no comparison");
  return pick(P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE);
}

static llvm::Value *compare(FunctionContext &fc, mir::BinOp op, llvm::Value *lhs, llvm::Value *rhs,
                            Domain domain) {
  return fc.builder.CreateCmp(predicateOf(op, domain), lhs, rhs);
}

/// a < b  is  a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
static llvm::Value *compareWide(FunctionContext &fc, mir::BinOp op, const OperandValue &lhs,
                                const OperandValue &rhs) {
  llvm::IRBuilder<> &b = fc.builder;
  llvm::Value *sameFirst = b.CreateICmpEQ(lhs.first, rhs.first);
  if (op == mir::BinOp::Eq)
    return b.CreateAnd(sameFirst, b.CreateICmpEQ(lhs.second, rhs.second));
  if (op == mir::BinOp::Ne)
    return b.CreateOr(b.CreateNot(sameFirst), b.CreateICmpNE(lhs.second, rhs.second));
  const mir::BinOp strict =
      op == mir::BinOp::Lt || op == mir::BinOp::Le ? mir::BinOp::Lt : mir::BinOp::Gt;
  llvm::Value *first = compare(fc, strict, lhs.first, rhs.first, Domain::Pointer);
  return b.CreateOr(
      first, b.CreateAnd(sameFirst, compare(fc, op, lhs.second, rhs.second, Domain::Pointer)));
}

llvm::Value *shiftAmount(FunctionContext &fc, llvm::Value *amount, llvm::Type *type, bool masked) {
  llvm::Value *resized = fc.builder.CreateZExtOrTrunc(amount, type);
  if (!masked)
    return resized;
  return fc.builder.CreateAnd(resized,
                              llvm::ConstantInt::get(type, type->getScalarSizeInBits() - 1));
}

static llvm::Value *shift(FunctionContext &fc, mir::BinOp op, llvm::Value *lhs, llvm::Value *rhs,
                          Domain domain) {
  const bool isLeft = op == mir::BinOp::Shl || op == mir::BinOp::ShlUnchecked;
  const bool masked = op == mir::BinOp::Shl || op == mir::BinOp::Shr;
  llvm::Value *amount = shiftAmount(fc, rhs, lhs->getType(), masked);
  if (isLeft)
    return fc.builder.CreateShl(lhs, amount);
  return domain == Domain::Signed ? fc.builder.CreateAShr(lhs, amount)
                                  : fc.builder.CreateLShr(lhs, amount);
}

/// Add, sub, mul in their wrapping and unchecked forms, and on floats.
static llvm::Value *arithmetic(FunctionContext &fc, mir::BinOp op, llvm::Value *lhs,
                               llvm::Value *rhs, Domain domain) {
  llvm::IRBuilder<> &b = fc.builder;
  const bool isFloat = domain == Domain::Float;
  const bool unchecked = op == mir::BinOp::AddUnchecked || op == mir::BinOp::SubUnchecked ||
                         op == mir::BinOp::MulUnchecked;
  const bool nuw = unchecked && domain == Domain::Unsigned,
             nsw = unchecked && domain == Domain::Signed;
  if (op == mir::BinOp::Add || op == mir::BinOp::AddUnchecked)
    return isFloat ? b.CreateFAdd(lhs, rhs) : b.CreateAdd(lhs, rhs, "", nuw, nsw);
  if (op == mir::BinOp::Sub || op == mir::BinOp::SubUnchecked)
    return isFloat ? b.CreateFSub(lhs, rhs) : b.CreateSub(lhs, rhs, "", nuw, nsw);
  return isFloat ? b.CreateFMul(lhs, rhs) : b.CreateMul(lhs, rhs, "", nuw, nsw);
}

static llvm::Value *divide(FunctionContext &fc, mir::BinOp op, llvm::Value *lhs, llvm::Value *rhs,
                           Domain domain) {
  llvm::IRBuilder<> &b = fc.builder;
  const bool isDiv = op == mir::BinOp::Div;
  if (domain == Domain::Float)
    return isDiv ? b.CreateFDiv(lhs, rhs) : emitRemainder(fc, lhs, rhs);
  if (domain == Domain::Signed)
    return isDiv ? b.CreateSDiv(lhs, rhs) : b.CreateSRem(lhs, rhs);
  return isDiv ? b.CreateUDiv(lhs, rhs) : b.CreateURem(lhs, rhs);
}

static OperandValue overflowing(FunctionContext &fc, mir::BinOp op, llvm::Value *lhs,
                                llvm::Value *rhs, Domain domain, mir::TypeId ty) {
  using I = llvm::Intrinsic::IndependentIntrinsics;
  const bool isSigned = domain == Domain::Signed;
  I id = isSigned ? llvm::Intrinsic::smul_with_overflow : llvm::Intrinsic::umul_with_overflow;
  if (op == mir::BinOp::AddWithOverflow)
    id = isSigned ? llvm::Intrinsic::sadd_with_overflow : llvm::Intrinsic::uadd_with_overflow;
  else if (op == mir::BinOp::SubWithOverflow)
    id = isSigned ? llvm::Intrinsic::ssub_with_overflow : llvm::Intrinsic::usub_with_overflow;
  llvm::Value *both = fc.builder.CreateBinaryIntrinsic(id, lhs, rhs);
  return OperandValue::pair(ty, fc.builder.CreateExtractValue(both, 0),
                            fc.builder.CreateExtractValue(both, 1));
}

static llvm::Value *offsetPointer(FunctionContext &fc, const OperandValue &pointer,
                                  const OperandValue &count) {
  const uint64_t size = fc.type(mir::pointeeOf(fc.program, pointer.ty)).size;
  if (size == 0)
    return pointer.imm();
  llvm::GEPNoWrapFlags flags = llvm::GEPNoWrapFlags::inBounds();
  if (domainOf(fc, count.ty) == Domain::Unsigned)
    flags |= llvm::GEPNoWrapFlags::noUnsignedWrap();
  llvm::Type *element = fc.builder.getInt8Ty();
  if (size != 1)
    element = llvm::ArrayType::get(element, size);
  return fc.builder.CreateGEP(element, pointer.imm(), count.imm(), "", flags);
}

/// -1, 0 or 1 in the representation of `Ordering`.
static llvm::Value *threeWay(FunctionContext &fc, llvm::Value *lhs, llvm::Value *rhs, Domain domain,
                             mir::TypeId ty) {
  if (domain == Domain::Pointer) {
    lhs = fc.builder.CreatePtrToInt(lhs, fc.mc.usizeType());
    rhs = fc.builder.CreatePtrToInt(rhs, fc.mc.usizeType());
  }
  const auto id = domain == Domain::Signed ? llvm::Intrinsic::scmp : llvm::Intrinsic::ucmp;
  return fc.builder.CreateIntrinsic(fc.mc.immediateType(ty), id, {lhs, rhs});
}

OperandValue lowerBinaryOp(FunctionContext &fc, mir::BinOp op, const OperandValue &lhs,
                           const OperandValue &rhs, mir::TypeId ty) {
  auto immediate = [&](llvm::Value *value) { return OperandValue::immediate(ty, value); };
  if (lhs.kind == OperandValue::Kind::Pair)
    return immediate(compareWide(fc, op, lhs, rhs));
  if (lhs.kind == OperandValue::Kind::ZeroSized) {
    // Function items and () compare equal to themselves.
    const bool holds = op == mir::BinOp::Eq || op == mir::BinOp::Le || op == mir::BinOp::Ge;
    return immediate(fc.builder.getInt1(holds));
  }
  const Domain domain = domainOf(fc, lhs.ty);
  llvm::Value *a = lhs.imm(), *b = rhs.imm();
  switch (op) {
  case mir::BinOp::Add:
  case mir::BinOp::Sub:
  case mir::BinOp::Mul:
  case mir::BinOp::AddUnchecked:
  case mir::BinOp::SubUnchecked:
  case mir::BinOp::MulUnchecked:
    return immediate(arithmetic(fc, op, a, b, domain));
  case mir::BinOp::AddWithOverflow:
  case mir::BinOp::SubWithOverflow:
  case mir::BinOp::MulWithOverflow:
    return overflowing(fc, op, a, b, domain, ty);
  case mir::BinOp::Div:
  case mir::BinOp::Rem:
    return immediate(divide(fc, op, a, b, domain));
  case mir::BinOp::BitXor:
    return immediate(fc.builder.CreateXor(a, b));
  case mir::BinOp::BitAnd:
    return immediate(fc.builder.CreateAnd(a, b));
  case mir::BinOp::BitOr:
    return immediate(fc.builder.CreateOr(a, b));
  case mir::BinOp::Shl:
  case mir::BinOp::ShlUnchecked:
  case mir::BinOp::Shr:
  case mir::BinOp::ShrUnchecked:
    return immediate(shift(fc, op, a, b, domain));
  case mir::BinOp::Eq:
  case mir::BinOp::Lt:
  case mir::BinOp::Le:
  case mir::BinOp::Ne:
  case mir::BinOp::Ge:
  case mir::BinOp::Gt:
    return immediate(compare(fc, op, a, b, domain));
  case mir::BinOp::Cmp:
    return immediate(threeWay(fc, a, b, domain, ty));
  case mir::BinOp::Offset:
    return immediate(offsetPointer(fc, lhs, rhs));
  }
  llvm_unreachable("covered");
}

OperandValue lowerUnaryOp(FunctionContext &fc, mir::UnOp op, const OperandValue &value,
                          mir::TypeId ty) {
  switch (op) {
  case mir::UnOp::Not:
    return OperandValue::immediate(ty, fc.builder.CreateNot(value.imm()));
  case mir::UnOp::Neg:
    return OperandValue::immediate(ty, domainOf(fc, value.ty) == Domain::Float
                                           ? fc.builder.CreateFNeg(value.imm())
                                           : fc.builder.CreateNeg(value.imm()));
  case mir::UnOp::PtrMetadata:
    if (value.kind == OperandValue::Kind::Pair)
      return OperandValue::immediate(ty, value.second);
    return OperandValue::zeroSized(ty);
  }
  llvm_unreachable("covered");
}

} // namespace mirgpu::lowering
