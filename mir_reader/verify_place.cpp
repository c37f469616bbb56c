// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places and operands of a body: each projection fits the type before it (by the rules of query.h),
// constants fit their types.
#include "mir_reader/verify_body.h"

#include "support/match.h"

namespace mirgpu::mir {

static const char *projectionName(const Projection &projection) {
  return match(
      projection, [](const ProjDeref &) { return "deref"; },
      [](const ProjField &) { return "field"; }, [](const ProjIndex &) { return "index"; },
      [](const ProjConstantIndex &) { return "constant index"; },
      [](const ProjSubslice &) { return "subslice"; },
      [](const ProjDowncast &) { return "downcast"; },
      [](const ProjOpaqueCast &) { return "opaque cast"; },
      [](const ProjUnwrapUnsafeBinder &) { return "unsafe binder"; });
}

std::optional<PlaceTy> BodyVerifier::placeTy(const Place &place) {
  if (!v.inRange(body.locals, place.local, "local"))
    return std::nullopt;
  PlaceTy at{body.locals[place.local].ty, std::nullopt};
  for (size_t i = 0; i < place.projection.size(); ++i) {
    auto next = tryProject(program, body, at, place.projection[i]);
    if (!next) {
      v.fail(llvm::Twine("projection ") + llvm::Twine(i) + " of a place (" +
             projectionName(place.projection[i]) + ") does not fit `" + v.name(at.ty) + "`");
      return std::nullopt;
    }
    at = *next;
  }
  return at;
}

TypeId BodyVerifier::wholePlace(const Place &place) {
  auto ty = placeTy(place);
  if (!ty || !v.check(!ty->variant, "a place that is a value must not end in a downcast"))
    return TypeId();
  return ty->ty;
}

TypeId BodyVerifier::operand(const Operand &operand) {
  return match(
      operand, [&](const Copy &copy) { return wholePlace(copy.place); },
      [&](const Move &move) { return wholePlace(move.place); },
      [&](const Constant &constant) {
        verifyConstant(v, constant);
        return v.failed() ? TypeId() : constant.ty;
      },
      [&](const RuntimeChecks &) {
        if (!boolTy_)
          boolTy_ = findBool(program);
        v.check(boolTy_->isValid(), "the program has no type `bool`");
        return *boolTy_;
      });
}

TypeId BodyVerifier::sizedOperand(const Operand &value) {
  TypeId ty = operand(value);
  if (!ty.isValid() || !v.check(isSized(type(ty)), "an operand must be sized"))
    return TypeId();
  return ty;
}

bool BodyVerifier::assignable(TypeId to, TypeId from, const char *what) {
  return v.check(isAssignable(program, to, from), llvm::Twine(what) + ": expected `" + v.name(to) +
                                                      "`, found `" + v.name(from) + "`");
}

bool BodyVerifier::isPointerSizedInt(TypeId ty) const {
  const auto *integer = kindAs<TyInt>(program, ty);
  return integer && integer->bits == program.target.pointerWidth;
}

bool BodyVerifier::isUsize(TypeId ty) const {
  return isPointerSizedInt(ty) && !kindAs<TyInt>(program, ty)->isSigned;
}

bool BodyVerifier::isRawPointer(TypeId ty) const {
  const auto *pointer = kindAs<TyPointer>(program, ty);
  return pointer && !pointer->isRef;
}

uint32_t bitsOfIntegral(const Type &type) {
  if (const auto *integer = std::get_if<TyInt>(&type.kind))
    return integer->bits;
  if (std::holds_alternative<TyBool>(type.kind))
    return 8;
  return std::holds_alternative<TyChar>(type.kind) ? 32 : 0;
}

} // namespace mirgpu::mir
