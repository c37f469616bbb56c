// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of casts: source and target of each kind, and the way down to the pointer that an
// unsizing cast changes.
#include "mir_reader/names.h"
#include "mir_reader/verify_body.h"

#include "support/match.h"

namespace mirgpu::mir {

// ---- Unsizing
// -------------------------------------------------------------------------------------

/// Follows the fields of `path`, then patterns, to the pointer; invalid if there is none.
static TypeId pointerAt(const Program &program, TypeId ty, const std::vector<uint32_t> &path) {
  for (uint32_t index : path) {
    const Field *field = fieldOf(program, PlaceTy{ty, std::nullopt}, index);
    if (!field)
      return TypeId();
    ty = field->ty;
  }
  while (const auto *pattern = kindAs<TyPattern>(program, ty))
    ty = pattern->base;
  return isKind<TyPointer>(program, ty) ? ty : TypeId();
}

/// Whether the structs on the way are alike but for the field that the path takes: lowering copies
/// the others.
static bool structsFit(const BodyVerifier &b, TypeId from, TypeId to,
                       const std::vector<uint32_t> &path) {
  for (uint32_t index : path) {
    const Type &source = b.type(from), &target = b.type(to);
    if (source.variants.size() != 1 || target.variants.size() != 1)
      return false;
    const std::vector<Field> &fields = source.variants[0].fields,
                             &wanted = target.variants[0].fields;
    if (fields.size() != wanted.size())
      return false;
    for (uint32_t i = 0; i < fields.size(); ++i)
      if (i != index && !isAssignable(b.program, wanted[i].ty, fields[i].ty) &&
          !(isZst(b.type(fields[i].ty)) && isZst(b.type(wanted[i].ty))))
        return false;
    from = fields[index].ty;
    to = wanted[index].ty;
  }
  return true;
}

static void unsizeCast(BodyVerifier &b, const Cast &cast, TypeId source) {
  Verifier &v = b.v;
  if (!v.check(cast.unsize.has_value(), "an unsizing cast must say what it adds"))
    return;
  TypeId from = pointerAt(b.program, source, cast.unsize->path);
  TypeId to = pointerAt(b.program, cast.ty, cast.unsize->path);
  if (!v.check(from.isValid() && to.isValid(),
               "the path of an unsizing cast must lead to a pointer in `" + v.name(source) +
                   "` and in `" + v.name(cast.ty) + "`"))
    return;
  if (!v.check(structsFit(b, source, cast.ty, cast.unsize->path),
               "an unsizing cast from `" + v.name(source) + "` to `" + v.name(cast.ty) +
                   "` must keep all fields but one"))
    return;
  TypeId fromPointee = pointeeOf(b.program, from);
  Metadata before = metadataOf(b.program, fromPointee);
  Metadata after = metadataOf(b.program, pointeeOf(b.program, to));
  bool fits = match(
      cast.unsize->to,
      [&](const UnsizeLength &) { return before == Metadata::None && after == Metadata::Length; },
      [&](const UnsizeVtable &unsize) {
        return v.inRange(b.program.vtables, unsize.vtable, "vtable") && before == Metadata::None &&
               after == Metadata::Vtable;
      },
      [&](const UnsizeUpcast &) {
        return before == Metadata::Vtable && after == Metadata::Vtable;
      });
  v.check(fits, "an unsizing cast from `" + v.name(source) + "` to `" + v.name(cast.ty) +
                    "` does not add this metadata");
}

// ---- Other kinds
// ----------------------------------------------------------------------------------

static bool isFnPtr(const BodyVerifier &b, TypeId ty) { return isKind<TyFnPtr>(b.program, ty); }

/// A pointer cast keeps the metadata's kind or drops it.
static bool pointerCastFits(const BodyVerifier &b, TypeId from, TypeId to) {
  if (!b.isPointer(from) || !b.isPointer(to))
    return false;
  Metadata after = metadataOf(b.program, pointeeOf(b.program, to));
  return after == Metadata::None || after == metadataOf(b.program, pointeeOf(b.program, from));
}

static bool castFits(const BodyVerifier &b, const Cast &cast, TypeId from, TypeId to) {
  bool fromInt = bitsOfIntegral(b.type(from)) != 0, toInt = bitsOfIntegral(b.type(to)) != 0;
  switch (cast.kind) {
  case CastKind::PointerExposeProvenance:
    return (b.isThinPointer(from) || isFnPtr(b, from)) && b.isInt(to);
  case CastKind::PointerWithExposedProvenance:
    return b.isInt(from) && b.isThinPointer(to);
  case CastKind::ReifyFnPointer:
    return isKind<TyFnDef>(b.program, from) && isFnPtr(b, to);
  case CastKind::ClosureFnPointer:
    return isKind<TyClosure>(b.program, from) && isZst(b.type(from)) && isFnPtr(b, to);
  case CastKind::UnsafeFnPointer:
    return isFnPtr(b, from) && isFnPtr(b, to);
  case CastKind::IntToInt:
    return fromInt && toInt;
  case CastKind::FloatToInt:
    return b.isFloat(from) && b.isInt(to);
  case CastKind::FloatToFloat:
    return b.isFloat(from) && b.isFloat(to);
  case CastKind::IntToFloat:
    return b.isInt(from) && b.isFloat(to);
  case CastKind::PtrToPtr:
    return pointerCastFits(b, from, to);
  case CastKind::FnPtrToPtr:
    return isFnPtr(b, from) && b.isThinPointer(to);
  case CastKind::Subtype:
    return sameShape(b.type(from), b.type(to));
  case CastKind::Transmute:
  case CastKind::Unsize:
    return true;
  }
  return false;
}

void BodyVerifier::cast(const Cast &cast, TypeId dest) {
  if (!v.type(cast.ty) || !v.check(isSized(type(cast.ty)), "the target of a cast must be sized"))
    return;
  TypeId source = sizedOperand(cast.operand);
  if (!source.isValid())
    return;
  bool isReify = cast.kind == CastKind::ReifyFnPointer || cast.kind == CastKind::ClosureFnPointer;
  if (isReify)
    v.function(cast.function);
  if (cast.kind == CastKind::Unsize)
    unsizeCast(*this, cast, source);
  v.check(castFits(*this, cast, source, cast.ty), "no `" + text(wordFor(cast.kind)) +
                                                      "` cast from `" + v.name(source) + "` to `" +
                                                      v.name(cast.ty) + "`");
  assignable(dest, cast.ty, "cast");
}

} // namespace mirgpu::mir
