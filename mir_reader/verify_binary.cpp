// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of binary operations: which operand types each has, and the type of its result.
#include "mir_reader/names.h"
#include "mir_reader/verify_body.h"

namespace mirgpu::mir {

namespace {
/// What an operation asks of its operands.
enum class Family : uint8_t {
  Arithmetic,
  IntArithmetic,
  Overflowing,
  Bits,
  Shift,
  Equality,
  ThreeWay,
  Offset
};
} // namespace

static Family familyOf(BinOp op) {
  switch (op) {
  case BinOp::Add:
  case BinOp::Sub:
  case BinOp::Mul:
  case BinOp::Div:
  case BinOp::Rem:
    return Family::Arithmetic;
  case BinOp::AddUnchecked:
  case BinOp::SubUnchecked:
  case BinOp::MulUnchecked:
    return Family::IntArithmetic;
  case BinOp::AddWithOverflow:
  case BinOp::SubWithOverflow:
  case BinOp::MulWithOverflow:
    return Family::Overflowing;
  case BinOp::BitXor:
  case BinOp::BitAnd:
  case BinOp::BitOr:
    return Family::Bits;
  case BinOp::Shl:
  case BinOp::ShlUnchecked:
  case BinOp::Shr:
  case BinOp::ShrUnchecked:
    return Family::Shift;
  case BinOp::Eq:
  case BinOp::Lt:
  case BinOp::Le:
  case BinOp::Ne:
  case BinOp::Ge:
  case BinOp::Gt:
    return Family::Equality;
  case BinOp::Cmp:
    return Family::ThreeWay;
  case BinOp::Offset:
    return Family::Offset;
  }
  return Family::Offset;
}

/// `(T, bool)`, the result of an overflowing operation on `T`.
static bool isOverflowPair(const BodyVerifier &b, TypeId pair, TypeId operand) {
  if (!isKind<TyTuple>(b.program, pair))
    return false;
  const std::vector<Field> &fields = b.type(pair).variants[0].fields;
  return fields.size() == 2 && fields[0].ty == operand && b.isBool(fields[1].ty) &&
         pairOf(b.type(pair));
}

static bool isComparable(const BodyVerifier &b, TypeId ty) {
  return bitsOfIntegral(b.type(ty)) != 0 || b.isFloat(ty) || b.isPointer(ty) ||
         isKind<TyFnPtr>(b.program, ty);
}

/// Whether the operands of `family` may have the type `lhs` on the left and `rhs` on the right.
static bool operandsFit(const BodyVerifier &b, Family family, TypeId lhs, TypeId rhs) {
  bool same = isAssignable(b.program, lhs, rhs);
  switch (family) {
  case Family::Arithmetic:
    return same && (b.isInt(lhs) || b.isFloat(lhs));
  case Family::IntArithmetic:
  case Family::Overflowing:
    return same && b.isInt(lhs);
  case Family::Bits:
    return same && (b.isInt(lhs) || b.isBool(lhs));
  case Family::Shift:
    return b.isInt(lhs) && b.isInt(rhs);
  case Family::Equality:
    return same && isComparable(b, lhs);
  case Family::ThreeWay:
    return same && bitsOfIntegral(b.type(lhs)) != 0;
  case Family::Offset:
    return b.isRawPointer(lhs) && b.isThinPointer(lhs) && b.isPointerSizedInt(rhs) &&
           isSized(b.type(pointeeOf(b.program, lhs)));
  }
  return false;
}

/// Whether `family` on operands of type `lhs` gives a value of type `dest`.
static bool resultFits(const BodyVerifier &b, Family family, TypeId lhs, TypeId dest) {
  switch (family) {
  case Family::Arithmetic:
  case Family::IntArithmetic:
  case Family::Bits:
  case Family::Shift:
  case Family::Offset:
    return isAssignable(b.program, dest, lhs);
  case Family::Overflowing:
    return isOverflowPair(b, dest, lhs);
  case Family::Equality:
    return b.isBool(dest);
  case Family::ThreeWay: {
    const Scalar *scalar = scalarOf(b.type(dest));
    return scalar && scalar->bits == 8 && isMultiVariant(b.type(dest));
  }
  }
  return false;
}

void BodyVerifier::binary(const BinaryOp &binary, TypeId dest) {
  TypeId lhs = sizedOperand(binary.lhs), rhs = sizedOperand(binary.rhs);
  if (!lhs.isValid() || !rhs.isValid())
    return;
  Family family = familyOf(binary.op);
  llvm::StringRef op = text(wordFor(binary.op));
  v.check(operandsFit(*this, family, lhs, rhs), "`" + op + "` cannot have operands of types `" +
                                                    v.name(lhs) + "` and `" + v.name(rhs) + "`");
  v.check(resultFits(*this, family, lhs, dest),
          "`" + op + "` on `" + v.name(lhs) + "` cannot give `" + v.name(dest) + "`");
}

} // namespace mirgpu::mir
