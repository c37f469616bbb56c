// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MIR constants to values: scalars to LLVM constants, pointers to addresses of globals, and a value
// that the file gives as bytes
// (`indirect`) either read apart into its scalars or left where it is as a Ref to the constant's
// global.
#include "lowering/memory_access.h"
#include "support/check.h"
#include "support/match.h"

namespace mirgpu::lowering {

/// `bits` as a value of `scalar`: an integer, i1, float, or a pointer without provenance.
static llvm::Constant *scalarConstant(FunctionContext &fc, const mir::Scalar &scalar,
                                      mir::u128 bits) {
  llvm::Constant *value = integerConstant(llvm::IntegerType::get(fc.mc.context, scalar.bits), bits);
  llvm::Type *type = fc.mc.immediateType(scalar);
  switch (scalar.primitive) {
  case mir::Primitive::Int:
    return isBool(scalar) ? llvm::ConstantInt::getBool(fc.mc.context, bits != 0) : value;
  case mir::Primitive::Float:
    return llvm::ConstantFP::get(
        fc.mc.context,
        llvm::APFloat(type->getFltSemantics(), llvm::cast<llvm::ConstantInt>(value)->getValue()));
  case mir::Primitive::Pointer:
    return bits == 0 ? llvm::ConstantPointerNull::get(fc.mc.pointerType())
                     : llvm::ConstantExpr::getIntToPtr(value, type);
  }
  llvm_unreachable("covered");
}

/// A pointer to `alloc` as a value of `scalar`, which may be an integer that holds an address.
static llvm::Value *pointerConstant(FunctionContext &fc, const mir::Scalar &scalar,
                                    mir::AllocId alloc, uint64_t offset) {
  llvm::Value *address = fc.allocAddress(alloc, offset);
  if (scalar.primitive == mir::Primitive::Pointer)
    return address;
  return fc.builder.CreateBitCast(
      fc.builder.CreatePtrToInt(address, llvm::IntegerType::get(fc.mc.context, scalar.bits)),
      fc.mc.immediateType(scalar));
}

/// The scalar at `offset` of an alloc; undef where its bytes are undef.
static llvm::Value *scalarFromAlloc(FunctionContext &fc, const mir::Scalar &scalar,
                                    mir::AllocId alloc, uint64_t offset) {
  if (std::optional<mir::ConstPtr> pointer = fc.mc.readPointer(alloc, offset))
    return pointerConstant(fc, scalar, pointer->alloc, pointer->offset);
  if (std::optional<mir::u128> bits = fc.mc.readBytes(alloc, offset, scalar.bits / 8))
    return scalarConstant(fc, scalar, *bits);
  return llvm::UndefValue::get(fc.mc.immediateType(scalar));
}

static OperandValue constantFromAlloc(FunctionContext &fc, mir::TypeId ty, mir::AllocId alloc,
                                      uint64_t offset) {
  const mir::Type &type = fc.type(ty);
  if (kindOf(type) == OperandValue::Kind::ZeroSized)
    return OperandValue::zeroSized(ty);
  auto inMemory = [&] {
    return loadOperand(fc, {fc.allocAddress(alloc, offset), nullptr, ty, std::nullopt, type.align});
  };
  if (!std::holds_alternative<mir::AllocMemory>(fc.program.allocs[alloc]))
    return inMemory();
  return match(
      type.repr,
      [&](const mir::ReprScalar &repr) {
        return OperandValue::immediate(ty, scalarFromAlloc(fc, repr.scalar, alloc, offset));
      },
      [&](const mir::ReprPair &repr) {
        llvm::Value *first = scalarFromAlloc(fc, repr.a, alloc, offset);
        return OperandValue::pair(ty, first,
                                  scalarFromAlloc(fc, repr.b, alloc, offset + repr.bOffset));
      },
      [&](const mir::ReprVector &) { return inMemory(); },
      [&](const mir::ReprMemory &) { return inMemory(); });
}

static OperandValue undefConstant(FunctionContext &fc, mir::TypeId ty) {
  OperandValue value = poisonOperand(fc, ty);
  if (value.kind == OperandValue::Kind::Immediate || value.kind == OperandValue::Kind::Pair)
    value.first = llvm::UndefValue::get(value.first->getType());
  if (value.kind == OperandValue::Kind::Pair)
    value.second = llvm::UndefValue::get(value.second->getType());
  return value;
}

/// A scalar or a thin pointer where the type is laid out as something else than one scalar: through
/// memory.
static OperandValue scalarOperand(FunctionContext &fc, mir::TypeId ty, mir::u128 bits) {
  if (const mir::Scalar *scalar = mir::scalarOf(fc.type(ty)))
    return OperandValue::immediate(ty, scalarConstant(fc, *scalar, bits));
  const mir::Type &type = fc.type(ty);
  MIRGPU_CHECK(mir::isSized(type) && type.size <= 16,
               "a scalar constant of a type that is too large");
  const PlaceRef slot = fc.temporary(ty, "const");
  emitStore(fc,
            integerConstant(
                llvm::IntegerType::get(fc.mc.context, static_cast<unsigned>(type.size * 8)), bits),
            slot.address, slot.align);
  return loadOperand(fc, slot);
}

OperandValue lowerConstant(FunctionContext &fc, const mir::Constant &constant) {
  const mir::TypeId ty = constant.ty;
  if (kindOf(fc.type(ty)) == OperandValue::Kind::ZeroSized)
    return OperandValue::zeroSized(ty);
  return match(
      constant.value, [&](const mir::ConstZst &) { return poisonOperand(fc, ty); },
      [&](const mir::ConstScalar &scalar) { return scalarOperand(fc, ty, scalar.bits); },
      [&](const mir::ConstPtr &pointer) {
        const mir::Scalar *scalar = mir::scalarOf(fc.type(ty));
        MIRGPU_CHECK(scalar, "a pointer constant of a type that is no scalar");
        return OperandValue::immediate(ty,
                                       pointerConstant(fc, *scalar, pointer.alloc, pointer.offset));
      },
      [&](const mir::ConstSlice &slice) {
        return OperandValue::pair(ty, fc.allocAddress(slice.alloc, 0), fc.usize(slice.length));
      },
      [&](const mir::ConstIndirect &indirect) {
        return constantFromAlloc(fc, ty, indirect.alloc, indirect.offset);
      },
      [&](const mir::ConstUndef &) { return undefConstant(fc, ty); });
}

} // namespace mirgpu::lowering
