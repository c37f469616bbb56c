// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs, tuples, enums, closures, unions and arrays from their fields: in place in the
// destination's memory, or, for a type that is one or two scalars, by putting each field's scalars
// where they belong.
#include "lowering/arithmetic.h"
#include "lowering/discriminant.h"
#include "lowering/memory_access.h"

#include <array>

namespace mirgpu::lowering {

void storeAggregate(FunctionContext &fc, const PlaceRef &dest, std::optional<uint32_t> variant,
                    const FieldValues &fields) {
  if (mir::elementOf(fc.program, dest.ty).isValid()) {
    for (const auto &[index, value] : fields)
      storeOperand(fc, value, projectIndex(fc, dest, fc.usize(index)));
    return;
  }
  PlaceRef place = dest;
  if (variant && mir::isMultiVariant(fc.type(dest.ty)))
    place.variant = variant;
  for (const auto &[index, value] : fields)
    storeOperand(fc, value, projectField(fc, place, index));
  if (place.variant)
    lowerSetDiscriminant(fc, dest, *variant);
}

namespace {
/// The scalars of a type that is an immediate or a pair, while they are filled in.
struct Parts {
  std::array<const mir::Scalar *, 2> scalars{};
  std::array<uint64_t, 2> offsets{};
  std::array<llvm::Value *, 2> values{};
};
} // namespace

static bool put(FunctionContext &fc, Parts &parts, uint64_t offset, const mir::Scalar &scalar,
                llvm::Value *value) {
  for (size_t i = 0; i < 2; ++i)
    if (parts.scalars[i] && parts.offsets[i] == offset && parts.scalars[i]->bits == scalar.bits) {
      parts.values[i] = convertScalar(fc, value, scalar, *parts.scalars[i]);
      return true;
    }
  return false;
}

static bool putField(FunctionContext &fc, Parts &parts, uint64_t offset,
                     const OperandValue &value) {
  const mir::Type &type = fc.type(value.ty);
  switch (value.kind) {
  case OperandValue::Kind::ZeroSized:
    return true;
  case OperandValue::Kind::Immediate:
    return mir::scalarOf(type) && put(fc, parts, offset, *mir::scalarOf(type), value.first);
  case OperandValue::Kind::Pair:
    return put(fc, parts, offset, mir::pairOf(type)->a, value.first) &&
           put(fc, parts, offset + mir::pairOf(type)->bOffset, mir::pairOf(type)->b, value.second);
  case OperandValue::Kind::Ref:
    return false;
  }
  llvm_unreachable("covered");
}

static std::optional<OperandValue> buildFromScalars(FunctionContext &fc, mir::TypeId ty,
                                                    std::optional<uint32_t> variant,
                                                    const FieldValues &fields) {
  const mir::Type &type = fc.type(ty);
  Parts parts;
  if (const mir::Scalar *scalar = mir::scalarOf(type))
    parts.scalars[0] = scalar;
  else if (const mir::ReprPair *pair = mir::pairOf(type))
    parts = {{&pair->a, &pair->b}, {0, pair->bOffset}, {}};
  else
    return std::nullopt;
  const bool hasVariants = variant && mir::isMultiVariant(type);
  for (const auto &[index, value] : fields) {
    const mir::Field *field =
        mir::fieldOf(fc.program, ty, hasVariants ? variant : std::nullopt, index);
    if (!field || !putField(fc, parts, field->offset, value))
      return std::nullopt;
  }
  if (hasVariants)
    if (std::optional<TagValue> tag = tagOfVariant(type, *variant))
      if (!put(fc, parts, tag->offset, *tag->scalar, tagConstant(fc, *tag)))
        return std::nullopt;
  for (size_t i = 0; i < 2; ++i)
    if (parts.scalars[i] && !parts.values[i])
      parts.values[i] = llvm::UndefValue::get(fc.mc.immediateType(*parts.scalars[i]));
  return parts.scalars[1] ? OperandValue::pair(ty, parts.values[0], parts.values[1])
                          : OperandValue::immediate(ty, parts.values[0]);
}

OperandValue buildAggregate(FunctionContext &fc, mir::TypeId ty, std::optional<uint32_t> variant,
                            const FieldValues &fields) {
  const mir::Type &type = fc.type(ty);
  if (kindOf(type) == OperandValue::Kind::ZeroSized)
    return OperandValue::zeroSized(ty);
  if (variant && *variant < type.variants.size() && type.variants[*variant].uninhabited)
    return poisonOperand(fc, ty);
  if (std::optional<OperandValue> value = buildFromScalars(fc, ty, variant, fields))
    return *value;
  const PlaceRef slot = fc.temporary(ty, "aggregate");
  storeAggregate(fc, slot, variant, fields);
  return loadOperand(fc, slot);
}

} // namespace mirgpu::lowering
