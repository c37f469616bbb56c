// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See operand.h: operands to values, and the moves between the kinds of values.
#include "lowering/operand.h"

#include "lowering/memory_access.h"
#include "support/check.h"
#include "support/match.h"

#include <algorithm>

namespace mirgpu::lowering {

llvm::Value *OperandValue::imm() const {
  MIRGPU_CHECK(kind == Kind::Immediate, "the value of an operand that is no immediate");
  return first;
}

PlaceRef OperandValue::place() const {
  MIRGPU_CHECK(kind == Kind::Ref, "the place of an operand that is not in memory");
  return {first, second, ty, std::nullopt, align};
}

OperandValue::Kind kindOf(const mir::Type &type) {
  if (mir::isZst(type))
    return OperandValue::Kind::ZeroSized;
  return match(
      type.repr, [](const mir::ReprScalar &) { return OperandValue::Kind::Immediate; },
      [](const mir::ReprPair &) { return OperandValue::Kind::Pair; },
      [](const mir::ReprVector &) { return OperandValue::Kind::Immediate; },
      [](const mir::ReprMemory &) { return OperandValue::Kind::Ref; });
}

OperandValue integerOperand(FunctionContext &fc, mir::TypeId ty, mir::u128 bits) {
  const mir::Scalar *scalar = mir::scalarOf(fc.type(ty));
  MIRGPU_CHECK(scalar && scalar->primitive == mir::Primitive::Int,
               "an integer constant of a type that is no integer");
  return OperandValue::immediate(ty, integerConstant(fc.mc.immediateType(*scalar), bits));
}

llvm::ConstantInt *integerConstant(llvm::Type *type, mir::u128 bits) {
  const uint64_t words[2] = {static_cast<uint64_t>(bits), static_cast<uint64_t>(bits >> 64)};
  const llvm::APInt value =
      llvm::APInt(128, llvm::ArrayRef<uint64_t>(words, 2)).trunc(type->getIntegerBitWidth());
  return llvm::ConstantInt::get(type->getContext(), value);
}

OperandValue lowerOperand(FunctionContext &fc, const mir::Operand &operand) {
  return match(
      operand, [&](const mir::Copy &copy) { return lowerPlaceValue(fc, copy.place); },
      [&](const mir::Move &move) { return lowerPlaceValue(fc, move.place); },
      [&](const mir::Constant &constant) { return lowerConstant(fc, constant); },
      [&](const mir::RuntimeChecks &checks) {
        const mir::TypeId ty = fc.typeOf(operand);
        return OperandValue::immediate(
            ty, fc.builder.getInt1(runtimeCheckValue(fc.program, checks.check)));
      });
}

bool runtimeCheckValue(const mir::Program &program, mir::RuntimeCheck check) {
  switch (check) {
  case mir::RuntimeCheck::Ub:
    return program.session.ubChecks;
  case mir::RuntimeCheck::Contract:
    return program.session.contractChecks;
  case mir::RuntimeCheck::Overflow:
    return program.session.overflowChecks;
  }
  llvm_unreachable("covered");
}

PlaceRef spillOperand(FunctionContext &fc, const OperandValue &value) {
  if (value.kind == OperandValue::Kind::Ref)
    return value.place();
  const PlaceRef slot = fc.temporary(value.ty);
  storeOperand(fc, value, slot);
  return slot;
}

llvm::Value *convertScalar(FunctionContext &fc, llvm::Value *value, const mir::Scalar &from,
                           const mir::Scalar &to) {
  llvm::IRBuilder<> &b = fc.builder;
  llvm::Type *wanted = fc.mc.immediateType(to);
  if (value->getType() == wanted)
    return value;
  if (isBool(from))
    value = b.CreateZExt(value, b.getInt8Ty());
  if (from.primitive == mir::Primitive::Pointer && to.primitive != mir::Primitive::Pointer)
    value = b.CreatePtrToInt(value, b.getIntNTy(from.bits));
  switch (to.primitive) {
  case mir::Primitive::Int:
    value = b.CreateBitCast(value, b.getIntNTy(to.bits));
    return isBool(to) ? b.CreateTrunc(value, b.getInt1Ty()) : value;
  case mir::Primitive::Float:
    return b.CreateBitCast(value, wanted);
  case mir::Primitive::Pointer:
    if (from.primitive == mir::Primitive::Float)
      value = b.CreateBitCast(value, b.getIntNTy(from.bits));
    return b.CreateIntToPtr(value, wanted);
  }
  llvm_unreachable("covered");
}

/// The scalars of an immediate or pair, each with its offset.
namespace {
struct Part {
  const mir::Scalar *scalar;
  llvm::Value *value;
  uint64_t offset;
};
} // namespace

static llvm::SmallVector<Part, 2> partsOf(FunctionContext &fc, const OperandValue &value) {
  if (const mir::ReprPair *pair = mir::pairOf(fc.type(value.ty));
      pair && value.kind == OperandValue::Kind::Pair)
    return {{&pair->a, value.first, 0}, {&pair->b, value.second, pair->bOffset}};
  if (const mir::Scalar *scalar = mir::scalarOf(fc.type(value.ty));
      scalar && value.kind == OperandValue::Kind::Immediate)
    return {{scalar, value.first, 0}};
  return {};
}

/// The part of `parts` at `offset` as a scalar `to`, or null.
static llvm::Value *partAt(FunctionContext &fc, llvm::ArrayRef<Part> parts, uint64_t offset,
                           const mir::Scalar &to) {
  for (const Part &part : parts)
    if (part.offset == offset && part.scalar->bits == to.bits)
      return convertScalar(fc, part.value, *part.scalar, to);
  return nullptr;
}

/// The value of type `ty` that starts at `offset` of an immediate or pair, if it is made of whole
/// scalars of it.
static std::optional<OperandValue> subvalue(FunctionContext &fc, const OperandValue &value,
                                            uint64_t offset, mir::TypeId ty) {
  const mir::Type &type = fc.type(ty);
  const auto parts = partsOf(fc, value);
  if (kindOf(type) == OperandValue::Kind::Immediate) {
    if (const mir::Scalar *scalar = mir::scalarOf(type))
      if (llvm::Value *part = partAt(fc, parts, offset, *scalar))
        return OperandValue::immediate(ty, part);
  } else if (kindOf(type) == OperandValue::Kind::Pair) {
    const mir::ReprPair *pair = mir::pairOf(type);
    llvm::Value *first = partAt(fc, parts, offset, pair->a);
    llvm::Value *second = partAt(fc, parts, offset + pair->bOffset, pair->b);
    if (first && second)
      return OperandValue::pair(ty, first, second);
  }
  return std::nullopt;
}

OperandValue extractField(FunctionContext &fc, const OperandValue &value,
                          std::optional<uint32_t> variant, uint32_t field) {
  if (value.kind == OperandValue::Kind::Ref) {
    PlaceRef place = value.place();
    place.variant = variant;
    return loadOperand(fc, projectField(fc, place, field));
  }
  const mir::Field *info = mir::fieldOf(fc.program, value.ty, variant, field);
  MIRGPU_CHECK(info, "a field that its type does not have");
  if (kindOf(fc.type(info->ty)) == OperandValue::Kind::ZeroSized)
    return OperandValue::zeroSized(info->ty);
  if (value.kind == OperandValue::Kind::ZeroSized)
    return poisonOperand(fc, info->ty);
  // A field that is the whole vector of a newtype.
  if (value.kind == OperandValue::Kind::Immediate &&
      std::holds_alternative<mir::ReprVector>(fc.type(info->ty).repr) &&
      fc.mc.immediateType(info->ty) == value.first->getType())
    return OperandValue::immediate(info->ty, value.first);
  if (std::optional<OperandValue> part = subvalue(fc, value, info->offset, info->ty))
    return *part;
  PlaceRef place = spillOperand(fc, value);
  place.variant = variant;
  return loadOperand(fc, projectField(fc, place, field));
}

OperandValue transmuteOperand(FunctionContext &fc, const OperandValue &value, mir::TypeId ty) {
  const mir::Type &to = fc.type(ty), &from = fc.type(value.ty);
  if (kindOf(to) == OperandValue::Kind::ZeroSized)
    return OperandValue::zeroSized(ty);
  if (from.size != to.size || value.kind == OperandValue::Kind::ZeroSized)
    return poisonOperand(fc, ty); // one of them is uninhabited
  if (value.kind == OperandValue::Kind::Ref) {
    PlaceRef place = value.place();
    place.ty = ty;
    return loadOperand(fc, place);
  }
  if (std::optional<OperandValue> same = subvalue(fc, value, 0, ty))
    return *same;
  if (value.kind == OperandValue::Kind::Immediate && kindOf(to) == OperandValue::Kind::Immediate &&
      value.first->getType() == fc.mc.immediateType(ty))
    return OperandValue::immediate(ty, value.first);
  PlaceRef slot{fc.allocaBytes(to.size, std::max(to.align, from.align), "transmute"), nullptr,
                value.ty, std::nullopt, std::max(to.align, from.align)};
  storeOperand(fc, value, slot);
  slot.ty = ty;
  return loadOperand(fc, slot);
}

OperandValue poisonOperand(FunctionContext &fc, mir::TypeId ty) {
  const mir::Type &type = fc.type(ty);
  switch (kindOf(type)) {
  case OperandValue::Kind::ZeroSized:
    return OperandValue::zeroSized(ty);
  case OperandValue::Kind::Immediate:
    return OperandValue::immediate(ty, llvm::PoisonValue::get(fc.mc.immediateType(ty)));
  case OperandValue::Kind::Pair: {
    const mir::ReprPair *pair = mir::pairOf(type);
    return OperandValue::pair(ty, llvm::PoisonValue::get(fc.mc.immediateType(pair->a)),
                              llvm::PoisonValue::get(fc.mc.immediateType(pair->b)));
  }
  case OperandValue::Kind::Ref: {
    if (mir::isSized(type))
      return OperandValue::ref(fc.temporary(ty, "poison"));
    llvm::Value *pointer = llvm::PoisonValue::get(fc.mc.pointerType());
    const bool isLength = type.unsizedTail->metadata == mir::Metadata::Length;
    return OperandValue::ref({pointer,
                              isLength ? llvm::PoisonValue::get(fc.mc.usizeType()) : pointer, ty,
                              std::nullopt, 1});
  }
  }
  llvm_unreachable("covered");
}

} // namespace mirgpu::lowering
