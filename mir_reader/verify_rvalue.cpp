// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of rvalues: operands and places type-check, and the result can be assigned to the
// destination's type.
#include "mir_reader/names.h"
#include "mir_reader/verify_body.h"

#include "support/match.h"

namespace mirgpu::mir {

static void checkUse(BodyVerifier &b, const Operand &operand, TypeId dest) {
  TypeId ty = b.sizedOperand(operand);
  if (ty.isValid())
    b.assignable(dest, ty, "assignment");
}

static void checkRepeat(BodyVerifier &b, const Repeat &repeat, TypeId dest) {
  TypeId ty = b.sizedOperand(repeat.operand);
  const auto *array = kindAs<TyArray>(b.program, dest);
  if (ty.isValid() && b.v.check(array && array->len == repeat.count,
                                "`" + b.v.name(dest) + "` is not an array of this length"))
    b.assignable(array->elem, ty, "repeated element");
}

/// `&place` or `&raw place`.
static void checkBorrow(BodyVerifier &b, const Place &place, TypeId dest, bool isRef) {
  TypeId ty = b.wholePlace(place);
  if (!ty.isValid())
    return;
  const auto *pointer = kindAs<TyPointer>(b.program, dest);
  if (b.v.check(pointer && pointer->isRef == isRef,
                "the address of a place cannot have the type `" + b.v.name(dest) + "`"))
    b.assignable(pointer->pointee, ty, "pointee");
}

static void checkThreadLocal(BodyVerifier &b, const ThreadLocalRef &ref, TypeId dest) {
  if (!b.v.inRange(b.program.statics, ref.target, "static"))
    return;
  if (b.v.check(b.isThinPointer(dest), "the address of a static must be a thin pointer"))
    b.assignable(pointeeOf(b.program, dest), b.program.statics[ref.target].ty, "pointee");
}

static void checkDiscriminant(BodyVerifier &b, const Discriminant &discriminant, TypeId dest) {
  TypeId ty = b.wholePlace(discriminant.place);
  if (!ty.isValid())
    return;
  b.v.check(isSized(b.type(ty)), "a type with a discriminant must be sized");
  TypeId discr = discriminantType(b.type(ty));
  b.v.check(b.isInt(dest) && (!discr.isValid() || discr == dest),
            "the discriminant of `" + b.v.name(ty) + "` cannot have the type `" + b.v.name(dest) +
                "`");
}

static void checkMetadata(BodyVerifier &b, TypeId pointer, TypeId dest) {
  if (!b.v.check(b.isPointer(pointer), "`" + b.v.name(pointer) + "` is not a pointer"))
    return;
  const ReprPair *pair = pairOf(b.type(pointer));
  const Scalar *scalar = scalarOf(b.type(dest));
  b.v.check(pair ? scalar && sameScalar(pair->b, *scalar) : isZst(b.type(dest)),
            "the metadata of `" + b.v.name(pointer) + "` cannot have the type `" + b.v.name(dest) +
                "`");
}

static void checkUnary(BodyVerifier &b, const UnaryOp &unary, TypeId dest) {
  TypeId ty = b.sizedOperand(unary.operand);
  if (!ty.isValid())
    return;
  bool fits = false;
  switch (unary.op) {
  case UnOp::PtrMetadata:
    return checkMetadata(b, ty, dest);
  case UnOp::Not:
    fits = b.isInt(ty) || b.isBool(ty);
    break;
  case UnOp::Neg:
    fits = b.isInt(ty) || b.isFloat(ty);
    break;
  }
  b.v.check(fits, "`" + text(wordFor(unary.op)) + "` cannot have an operand of type `" +
                      b.v.name(ty) + "`");
  b.assignable(dest, ty, "result");
}

static void checkCopyForDeref(BodyVerifier &b, const CopyForDeref &copy, TypeId dest) {
  TypeId ty = b.wholePlace(copy.place);
  if (ty.isValid() && b.v.check(isSized(b.type(ty)), "an operand must be sized"))
    b.assignable(dest, ty, "assignment");
}

static void checkWrap(BodyVerifier &b, const WrapUnsafeBinder &wrap, TypeId dest) {
  TypeId ty = b.sizedOperand(wrap.operand);
  if (!ty.isValid() || !b.v.type(wrap.ty))
    return;
  const auto *binder = kindAs<TyUnsafeBinder>(b.program, wrap.ty);
  if (b.v.check(binder, "`" + b.v.name(wrap.ty) + "` is not an unsafe binder"))
    b.assignable(binder->inner, ty, "bound value");
  b.assignable(dest, wrap.ty, "assignment");
}

void BodyVerifier::rvalue(const Rvalue &rvalue, TypeId dest) {
  match(
      rvalue, [&](const Use &use) { checkUse(*this, use.operand, dest); },
      [&](const Repeat &repeat) { checkRepeat(*this, repeat, dest); },
      [&](const Ref &ref) { checkBorrow(*this, ref.place, dest, /*isRef=*/true); },
      [&](const ThreadLocalRef &ref) { checkThreadLocal(*this, ref, dest); },
      [&](const RawPtr &raw) { checkBorrow(*this, raw.place, dest, /*isRef=*/false); },
      [&](const Cast &value) { cast(value, dest); },
      [&](const BinaryOp &value) { binary(value, dest); },
      [&](const UnaryOp &value) { checkUnary(*this, value, dest); },
      [&](const Discriminant &value) { checkDiscriminant(*this, value, dest); },
      [&](const Aggregate &value) { aggregate(value, dest); },
      [&](const CopyForDeref &value) { checkCopyForDeref(*this, value, dest); },
      [&](const WrapUnsafeBinder &value) { checkWrap(*this, value, dest); });
}

} // namespace mirgpu::mir
