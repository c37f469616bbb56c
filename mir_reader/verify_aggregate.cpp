// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of aggregates: as many operands as fields, each of its field's type.
#include "mir_reader/verify_body.h"

namespace mirgpu::mir {

static void checkOperand(BodyVerifier &b, size_t index, const Operand &operand, TypeId expected) {
  Verifier::At at(b.v, "operands", index);
  TypeId ty = b.sizedOperand(operand);
  if (ty.isValid())
    b.assignable(expected, ty, "operand");
}

static bool checkCount(BodyVerifier &b, const Aggregate &aggregate, uint64_t expected) {
  return b.v.check(aggregate.operands.size() == expected,
                   "an aggregate of `" + b.v.name(aggregate.ty) + "` has " +
                       llvm::Twine(aggregate.operands.size()) + " operands, expected " +
                       llvm::Twine(expected));
}

static void arrayAggregate(BodyVerifier &b, const Aggregate &aggregate, const TyArray &array) {
  if (!checkCount(b, aggregate, array.len))
    return;
  for (size_t i = 0; i < aggregate.operands.size() && !b.v.failed(); ++i)
    checkOperand(b, i, aggregate.operands[i], array.elem);
}

/// A pointer made of an address and metadata.
static void pointerAggregate(BodyVerifier &b, const Aggregate &aggregate) {
  if (!checkCount(b, aggregate, 2))
    return;
  TypeId address = b.sizedOperand(aggregate.operands[0]);
  TypeId metadata = b.sizedOperand(aggregate.operands[1]);
  if (b.v.failed())
    return;
  b.v.check(b.isThinPointer(address), "the address of a pointer must be a thin pointer");
  const ReprPair *pair = pairOf(b.type(aggregate.ty));
  const Scalar *scalar = scalarOf(b.type(metadata));
  b.v.check(pair ? scalar && sameScalar(pair->b, *scalar) : isZst(b.type(metadata)),
            "the metadata of a pointer does not fit `" + b.v.name(aggregate.ty) + "`");
}

static void unionAggregate(BodyVerifier &b, const Aggregate &aggregate) {
  const Field *field =
      fieldOf(b.program, aggregate.ty, std::nullopt, aggregate.activeField.value_or(UINT32_MAX));
  if (b.v.check(field, "an aggregate of a union must name a field of it") &&
      checkCount(b, aggregate, 1))
    checkOperand(b, 0, aggregate.operands[0], field->ty);
}

static void variantAggregate(BodyVerifier &b, const Aggregate &aggregate) {
  const Type &type = b.type(aggregate.ty);
  bool isEnum = isMultiVariant(type) && std::holds_alternative<TyAdt>(type.kind);
  uint32_t variant = aggregate.variant.value_or(0);
  if (!b.v.check((!isEnum || aggregate.variant) && variant < type.variants.size(),
                 "an aggregate of `" + b.v.name(aggregate.ty) + "` must name a variant of it"))
    return;
  const std::vector<Field> &fields = type.variants[variant].fields;
  if (!checkCount(b, aggregate, fields.size()))
    return;
  for (size_t i = 0; i < fields.size() && !b.v.failed(); ++i)
    checkOperand(b, i, aggregate.operands[i], fields[i].ty);
}

void BodyVerifier::aggregate(const Aggregate &aggregate, TypeId dest) {
  if (!v.type(aggregate.ty))
    return;
  const Type &ty = type(aggregate.ty);
  if (!v.check(isSized(ty), "an aggregate must be sized") ||
      !v.check(!aggregate.activeField || isUnion(ty), "only an aggregate of a union names a field"))
    return;
  if (const auto *array = std::get_if<TyArray>(&ty.kind))
    arrayAggregate(*this, aggregate, *array);
  else if (isPointer(aggregate.ty))
    pointerAggregate(*this, aggregate);
  else if (isUnion(ty))
    unionAggregate(*this, aggregate);
  else
    variantAggregate(*this, aggregate);
  if (!v.failed())
    assignable(dest, aggregate.ty, "aggregate");
}

} // namespace mirgpu::mir
