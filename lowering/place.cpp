// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MIR places to memory or to values. `(*_1).f[_2]` becomes i8 GEPs from the pointer in `_1`; the
// alignment that is known of the base shrinks with each offset. A base local without a slot is read
// as a value until the first deref.
#include "lowering/memory_access.h"
#include "support/check.h"
#include "support/match.h"

#include <span>

namespace mirgpu::lowering {

PlaceRef derefPointer(FunctionContext &fc, const OperandValue &pointer) {
  mir::TypeId pointee = mir::pointeeOf(fc.program, pointer.ty);
  if (!pointee.isValid()) {
    // Box: rustc leaves few derefs of one; its first field leads to the pointer.
    MIRGPU_CHECK(mir::hasFlag(fc.type(pointer.ty), "box"), "a deref of what is no pointer");
    OperandValue inner = pointer;
    while (!mir::pointeeOf(fc.program, inner.ty).isValid())
      inner = extractField(fc, inner, std::nullopt, 0);
    return derefPointer(fc, inner);
  }
  const uint64_t align = fc.type(pointee).align;
  if (pointer.kind == OperandValue::Kind::Pair)
    return {pointer.first, pointer.second, pointee, std::nullopt, align};
  return {pointer.imm(), nullptr, pointee, std::nullopt, align};
}

PlaceRef projectField(FunctionContext &fc, const PlaceRef &base, uint32_t field) {
  const mir::Field *info = mir::fieldOf(fc.program, base.ty, base.variant, field);
  MIRGPU_CHECK(info, "a field that its type does not have");
  const mir::Type &fieldType = fc.type(info->ty);
  const uint64_t align = alignAt(base.align, info->offset);
  if (mir::isSized(fieldType))
    return {emitOffset(fc, base.address, info->offset), nullptr, info->ty, std::nullopt, align};
  const bool hasStaticOffset =
      info->offset == 0 || fieldType.unsizedTail->metadata != mir::Metadata::Vtable;
  if (hasStaticOffset)
    return {emitOffset(fc, base.address, info->offset), base.metadata, info->ty, std::nullopt,
            align};
  // offset + (-offset & (align - 1)): the tail starts at its own dynamic alignment.
  llvm::Value *dynamicAlign = sizeAndAlignOf(fc, info->ty, base.metadata).align;
  if (mir::hasFlag(fc.type(base.ty), "packed"))
    dynamicAlign = fc.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, dynamicAlign,
                                                    fc.usize(fc.type(base.ty).align));
  llvm::Value *padding = fc.builder.CreateAnd(llvm::ConstantExpr::getNeg(fc.usize(info->offset)),
                                              fc.builder.CreateSub(dynamicAlign, fc.usize(1)));
  llvm::Value *offset = fc.builder.CreateAdd(fc.usize(info->offset), padding);
  return {emitOffset(fc, base.address, offset), base.metadata, info->ty, std::nullopt, align};
}

PlaceRef projectIndex(FunctionContext &fc, const PlaceRef &base, llvm::Value *index) {
  mir::TypeId elem = mir::elementOf(fc.program, base.ty);
  MIRGPU_CHECK(elem.isValid(), "an index into what has no elements");
  const uint64_t size = fc.type(elem).size;
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(index)) {
    const uint64_t offset = size * constant->getZExtValue();
    return {emitOffset(fc, base.address, offset), nullptr, elem, std::nullopt,
            alignAt(base.align, offset)};
  }
  llvm::Value *address = base.address;
  if (size == 1)
    address = fc.builder.CreateGEP(fc.builder.getInt8Ty(), address, index, "",
                                   llvm::GEPNoWrapFlags::inBounds() |
                                       llvm::GEPNoWrapFlags::noUnsignedWrap());
  else if (size != 0)
    address = fc.builder.CreateGEP(
        llvm::ArrayType::get(fc.builder.getInt8Ty(), size), address, index, "",
        llvm::GEPNoWrapFlags::inBounds() | llvm::GEPNoWrapFlags::noUnsignedWrap());
  return {address, nullptr, elem, std::nullopt, alignAt(base.align, size)};
}

llvm::Value *placeLength(FunctionContext &fc, const PlaceRef &place) {
  if (const auto *array = mir::kindAs<mir::TyArray>(fc.program, place.ty))
    return fc.usize(array->len);
  MIRGPU_CHECK(place.metadata, "the length of a place that has none");
  return place.metadata;
}

static llvm::Value *constantIndex(FunctionContext &fc, const PlaceRef &base,
                                  const mir::ProjConstantIndex &index) {
  if (!index.fromEnd)
    return fc.usize(index.offset);
  return fc.builder.CreateSub(placeLength(fc, base), fc.usize(index.offset));
}

static PlaceRef projectSubslice(FunctionContext &fc, const PlaceRef &base,
                                const mir::Projection &projection, const mir::ProjSubslice &slice) {
  PlaceRef result = projectIndex(fc, base, fc.usize(slice.from));
  result.ty = mir::project(fc.program, fc.body, {base.ty, std::nullopt}, projection).ty;
  if (!mir::isSized(fc.type(result.ty)))
    result.metadata = fc.builder.CreateSub(placeLength(fc, base), fc.usize(slice.from + slice.to));
  return result;
}

static PlaceRef projectPlace(FunctionContext &fc, const PlaceRef &base,
                             const mir::Projection &projection) {
  auto retyped = [&](mir::TypeId ty) {
    PlaceRef place = base;
    place.ty = ty;
    return place;
  };
  return match(
      projection, [&](const mir::ProjDeref &) { return derefPointer(fc, loadOperand(fc, base)); },
      [&](const mir::ProjField &field) { return projectField(fc, base, field.field); },
      [&](const mir::ProjIndex &index) {
        return projectIndex(fc, base, lowerLocal(fc, index.local).imm());
      },
      [&](const mir::ProjConstantIndex &index) {
        return projectIndex(fc, base, constantIndex(fc, base, index));
      },
      [&](const mir::ProjSubslice &slice) { return projectSubslice(fc, base, projection, slice); },
      [&](const mir::ProjDowncast &downcast) {
        PlaceRef place = base;
        place.variant = downcast.variant;
        return place;
      },
      [&](const mir::ProjOpaqueCast &cast) { return retyped(cast.ty); },
      [&](const mir::ProjUnwrapUnsafeBinder &binder) { return retyped(binder.ty); });
}

OperandValue lowerLocal(FunctionContext &fc, mir::LocalId local) {
  const PlaceRef *slot = fc.slotOf(local);
  return slot ? loadOperand(fc, *slot) : fc.valueOf(local);
}

namespace {
/// A place on the way: in memory, or a value of a local without a slot with the variant that a
/// downcast chose.
struct Cursor {
  std::optional<PlaceRef> memory;
  OperandValue value;
  std::optional<uint32_t> variant;
};
} // namespace

static void advance(FunctionContext &fc, Cursor &at, const mir::Projection &projection) {
  if (at.memory) {
    at.memory = projectPlace(fc, *at.memory, projection);
  } else if (std::holds_alternative<mir::ProjDeref>(projection)) {
    at.memory = derefPointer(fc, at.value);
  } else if (const auto *field = std::get_if<mir::ProjField>(&projection)) {
    at.value = extractField(fc, at.value, at.variant, field->field);
    at.variant.reset();
  } else if (const auto *downcast = std::get_if<mir::ProjDowncast>(&projection)) {
    at.variant = downcast->variant;
  } else if (const auto *binder = std::get_if<mir::ProjUnwrapUnsafeBinder>(&projection)) {
    at.value = transmuteOperand(fc, at.value, binder->ty);
  } else {
    at.memory = projectPlace(fc, spillOperand(fc, at.value), projection);
  }
}

static Cursor walk(FunctionContext &fc, const mir::Place &place) {
  Cursor at;
  if (const PlaceRef *slot = fc.slotOf(place.local))
    at.memory = *slot;
  else
    at.value = fc.valueOf(place.local);
  for (const mir::Projection &projection : place.projection)
    advance(fc, at, projection);
  return at;
}

PlaceRef lowerPlace(FunctionContext &fc, const mir::Place &place) {
  Cursor at = walk(fc, place);
  if (at.memory)
    return *at.memory;
  // Without a slot only what has no bytes is ever addressed.
  MIRGPU_CHECK(at.value.kind == OperandValue::Kind::ZeroSized,
               "the address of a local that lives in a value");
  const mir::Type &type = fc.type(at.value.ty);
  llvm::Value *dangling =
      llvm::ConstantExpr::getIntToPtr(fc.usize(type.align), fc.mc.pointerType());
  return {dangling, nullptr, at.value.ty, at.variant, type.align};
}

OperandValue lowerPlaceValue(FunctionContext &fc, const mir::Place &place) {
  Cursor at = walk(fc, place);
  return at.memory ? loadOperand(fc, *at.memory) : at.value;
}

Destination lowerDestination(FunctionContext &fc, const mir::Place &place) {
  Destination dest;
  dest.ty = fc.typeOf(place);
  if (place.projection.empty() && !fc.slotOf(place.local)) {
    if (kindOf(fc.type(dest.ty)) != OperandValue::Kind::ZeroSized)
      dest.local = place.local;
    return dest;
  }
  if (kindOf(fc.type(dest.ty)) == OperandValue::Kind::ZeroSized && !fc.slotOf(place.local) &&
      !mir::isZst(fc.program, fc.body.locals[place.local].ty))
    return dest;
  dest.memory = lowerPlace(fc, place);
  return dest;
}

void storeTo(FunctionContext &fc, const Destination &dest, const OperandValue &value) {
  if (dest.local)
    fc.defineLocal(*dest.local, value);
  else if (dest.memory)
    storeOperand(fc, value, *dest.memory);
}

OperandValue addressOf(FunctionContext &fc, const PlaceRef &place, mir::TypeId pointerTy) {
  if (kindOf(fc.type(pointerTy)) != OperandValue::Kind::Pair)
    return OperandValue::immediate(pointerTy, place.address);
  MIRGPU_CHECK(place.metadata, "a wide pointer to a place without metadata");
  return OperandValue::pair(pointerTy, place.address, place.metadata);
}

} // namespace mirgpu::lowering
