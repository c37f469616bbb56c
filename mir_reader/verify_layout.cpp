// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of layouts for all kinds of types: alignment and size, the representation's scalars,
// fields inside the type, and a representation that its fields can be read from: what lowering
// relies on when it takes a field out of an immediate or pair.
#include "mir_reader/verifier.h"
#include "mir_reader/verify_context.h"
#include "mir_reader/verify_shape.h"

#include "support/match.h"

namespace mirgpu::mir {

// ---- Representation
// -------------------------------------------------------------------------------

static bool primitiveHasBits(Primitive primitive, uint32_t bits) {
  switch (primitive) {
  case Primitive::Int:
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
  case Primitive::Float:
    return bits == 16 || bits == 32 || bits == 64 || bits == 128;
  case Primitive::Pointer:
    return bits == 64;
  }
  return false;
}

bool verifyScalar(Verifier &v, const Scalar &scalar) {
  u128 max = maxOfBits(scalar.bits);
  return v.check(primitiveHasBits(scalar.primitive, scalar.bits),
                 "no scalar has " + llvm::Twine(scalar.bits) + " bits") &&
         v.check(scalar.addressSpace == 0, "only address space 0 is supported") &&
         v.check(scalar.validStart <= max && scalar.validEnd <= max,
                 "the valid range does not fit the scalar's bits");
}

static void verifyPair(Verifier &v, const Type &type, const ReprPair &pair) {
  if (!verifyScalar(v, pair.a) || !verifyScalar(v, pair.b))
    return;
  uint64_t aSize = pair.a.bits / 8, bSize = pair.b.bits / 8;
  v.check(pair.bOffset >= aSize && pair.bOffset <= type.size && bSize <= type.size - pair.bOffset,
          "the second scalar of a pair must lie behind the first and inside the type");
}

static void verifyVector(Verifier &v, const Type &type, const ReprVector &vector) {
  if (!verifyScalar(v, vector.scalar))
    return;
  bool hasLanes = vector.count >= 1 && vector.count <= kMaxVectorLanes;
  v.check(hasLanes && vector.count * (vector.scalar.bits / 8) <= type.size,
          "a vector must have between 1 and 32768 lanes, and its lanes must fit its size");
}

static void verifyRepr(Verifier &v, const Type &type) {
  Verifier::At at(v, "repr");
  match(
      type.repr,
      [&](const ReprScalar &repr) {
        if (verifyScalar(v, repr.scalar))
          v.check(type.size == repr.scalar.bits / 8, "a scalar must have the size of its type");
      },
      [&](const ReprPair &repr) { verifyPair(v, type, repr); },
      [&](const ReprVector &repr) { verifyVector(v, type, repr); },
      [&](const ReprMemory &repr) {
        v.check(repr.isSized == isSized(type), "`sized` must agree with `unsized`");
      });
  v.check(isSized(type) || std::holds_alternative<ReprMemory>(type.repr),
          "an unsized type must be kept in memory");
}

// ---- Fields
// ---------------------------------------------------------------------------------------

/// Whether a field of type `field` at `offset` can be taken out of a value that is kept as `repr`.
static bool fieldFitsRepr(const Repr &repr, uint64_t offset, const Type &field) {
  const Scalar *scalar = scalarOf(field);
  const ReprPair *pair = pairOf(field);
  return match(
      repr,
      [&](const ReprScalar &whole) {
        return offset == 0 && scalar && scalarFits(whole.scalar, *scalar);
      },
      [&](const ReprPair &whole) {
        if (pair)
          return offset == 0 && scalarFits(whole.a, pair->a) && scalarFits(whole.b, pair->b) &&
                 whole.bOffset == pair->bOffset;
        return scalar && ((offset == 0 && scalarFits(whole.a, *scalar)) ||
                          (offset == whole.bOffset && scalarFits(whole.b, *scalar)));
      },
      [&](const ReprVector &) { return offset == 0; }, [](const ReprMemory &) { return true; });
}

static void verifySizedField(Verifier &v, const Type &type, const Field &field) {
  const Type &fieldType = v.program.types[field.ty];
  v.check(field.offset <= type.size && fieldType.size <= type.size - field.offset,
          "a field of `" + v.name(field.ty) + "` at offset " + llvm::Twine(field.offset) +
              " does not fit the type's size " + llvm::Twine(type.size));
  v.check(isZst(fieldType) || fieldFitsRepr(type.repr, field.offset, fieldType),
          "a field of `" + v.name(field.ty) + "` is no part of the type's representation");
}

/// Whether the last field of the one variant of `type` may be unsized.
static bool mayHaveUnsizedField(const Type &type) {
  const auto *adt = std::get_if<TyAdt>(&type.kind);
  return std::holds_alternative<TyTuple>(type.kind) || (adt && adt->kind == AdtKind::Struct);
}

static void verifyUnsizedField(Verifier &v, const Type &type, const Field &field, bool isLast) {
  const Type &fieldType = v.program.types[field.ty];
  v.check(isLast && mayHaveUnsizedField(type), "only the last field of a struct may be unsized");
  v.check(type.unsizedTail && type.unsizedTail->metadata == fieldType.unsizedTail->metadata &&
              type.unsizedTail->tail == fieldType.unsizedTail->tail,
          "a struct with an unsized field must have that field's unsized tail");
  v.check(field.offset <= type.size, "the unsized field must begin inside or at the prefix's end");
}

static void verifyFields(Verifier &v, const Type &type, const Variant &variant) {
  bool hasValues = !variant.uninhabited && !type.uninhabited;
  for (size_t i = 0; i < variant.fields.size(); ++i) {
    Verifier::At at(v, "fields", i);
    const Field &field = variant.fields[i];
    v.check(field.offset < kMaxSize, "the field's offset is too large");
    if (!isSized(v.program.types[field.ty]))
      verifyUnsizedField(v, type, field, i + 1 == variant.fields.size());
    else if (hasValues)
      verifySizedField(v, type, field);
  }
}

/// An unsized struct or tuple ends in an unsized field.
static void verifyTail(Verifier &v, const Type &type) {
  if (isSized(type) || type.variants.empty())
    return;
  const std::vector<Field> &fields = type.variants[0].fields;
  v.check(mayHaveUnsizedField(type) && !fields.empty() &&
              !isSized(v.program.types[fields.back().ty]),
          "an unsized type must be a struct or tuple whose last field is unsized");
}

void verifyLayout(Verifier &v, const Type &type) {
  v.check(isPowerOfTwo(type.align) && type.align <= kMaxAlign,
          "the alignment must be a power of two of at most 2^29");
  v.check(type.size < kMaxSize, "the size must be below 2^61");
  if (v.failed())
    return;
  v.check(!isSized(type) || type.size % type.align == 0,
          "the size must be a multiple of the alignment");
  verifyRepr(v, type);
  verifyTail(v, type);
  for (size_t i = 0; i < type.variants.size() && !v.failed(); ++i) {
    Verifier::At at(v, "variants", i);
    verifyFields(v, type, type.variants[i]);
  }
}

} // namespace mirgpu::mir
