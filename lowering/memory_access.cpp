// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See memory_access.h.
#include "lowering/memory_access.h"

#include "lowering/function_abi.h"
#include "support/check.h"
#include "support/match.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/MDBuilder.h"

namespace mirgpu::lowering {

uint64_t alignAt(uint64_t align, uint64_t offset) {
  const uint64_t ofOffset = offset & (~offset + 1);
  return offset == 0 || align < ofOffset ? align : ofOffset;
}

llvm::Value *emitOffset(FunctionContext &fc, llvm::Value *pointer, uint64_t offset) {
  return offset == 0 ? pointer : emitOffset(fc, pointer, fc.usize(offset));
}

llvm::Value *emitOffset(FunctionContext &fc, llvm::Value *pointer, llvm::Value *offset) {
  return fc.builder.CreateInBoundsPtrAdd(pointer, offset);
}

static void markNonTemporal(FunctionContext &fc, llvm::Instruction *access, AccessFlags flags) {
  if (flags.isNonTemporal)
    access->setMetadata(
        llvm::LLVMContext::MD_nontemporal,
        llvm::MDNode::get(fc.mc.context, llvm::ConstantAsMetadata::get(fc.builder.getInt32(1))));
}

llvm::LoadInst *emitLoad(FunctionContext &fc, llvm::Type *type, llvm::Value *address,
                         uint64_t align, AccessFlags flags) {
  llvm::LoadInst *load =
      fc.builder.CreateAlignedLoad(type, address, llvm::Align(align), flags.isVolatile);
  markNonTemporal(fc, load, flags);
  return load;
}

void emitStore(FunctionContext &fc, llvm::Value *value, llvm::Value *address, uint64_t align,
               AccessFlags flags) {
  markNonTemporal(
      fc, fc.builder.CreateAlignedStore(value, address, llvm::Align(align), flags.isVolatile),
      flags);
}

static bool isZero(llvm::Value *bytes) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(bytes);
  return constant && constant->isZero();
}

void emitCopy(FunctionContext &fc, llvm::Value *dst, uint64_t dstAlign, llvm::Value *src,
              uint64_t srcAlign, llvm::Value *bytes, AccessFlags flags) {
  if (isZero(bytes) || dst == src)
    return;
  fc.builder.CreateMemCpy(dst, llvm::Align(dstAlign), src, llvm::Align(srcAlign), bytes,
                          flags.isVolatile);
}

void emitMove(FunctionContext &fc, llvm::Value *dst, uint64_t dstAlign, llvm::Value *src,
              uint64_t srcAlign, llvm::Value *bytes, AccessFlags flags) {
  if (!isZero(bytes))
    fc.builder.CreateMemMove(dst, llvm::Align(dstAlign), src, llvm::Align(srcAlign), bytes,
                             flags.isVolatile);
}

void emitFill(FunctionContext &fc, llvm::Value *dst, uint64_t align, llvm::Value *byte,
              llvm::Value *bytes, AccessFlags flags) {
  if (!isZero(bytes))
    fc.builder.CreateMemSet(dst, byte, bytes, llvm::Align(align), flags.isVolatile);
}

/// The valid range as LLVM's half-open one; none if every value is valid.
static std::optional<llvm::ConstantRange> rangeOf(const mir::Scalar &scalar) {
  const uint64_t words[2][2] = {
      {static_cast<uint64_t>(scalar.validStart), static_cast<uint64_t>(scalar.validStart >> 64)},
      {static_cast<uint64_t>(scalar.validEnd), static_cast<uint64_t>(scalar.validEnd >> 64)}};
  auto apint = [&](int i) {
    return llvm::APInt(128, llvm::ArrayRef<uint64_t>(words[i], 2)).trunc(scalar.bits);
  };
  const llvm::APInt lower = apint(0), upper = apint(1) + 1;
  if (lower == upper)
    return std::nullopt;
  return llvm::ConstantRange(lower, upper);
}

static void addPointerFacts(FunctionContext &fc, llvm::LoadInst *load, const mir::Scalar &scalar,
                            const mir::PointeeInfo *pointee) {
  llvm::LLVMContext &context = fc.mc.context;
  if (std::optional<llvm::ConstantRange> range = rangeOf(scalar);
      !range || range->contains(llvm::APInt::getZero(scalar.bits)))
    return;
  load->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(context, {}));
  if (pointee && pointee->safety != mir::PointerSafety::Raw && pointee->align > 1)
    load->setMetadata(llvm::LLVMContext::MD_align,
                      llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(
                                                     fc.builder.getInt64(pointee->align))));
}

llvm::Value *loadScalar(FunctionContext &fc, const mir::Scalar &scalar, llvm::Value *address,
                        uint64_t align, const mir::PointeeInfo *pointee, AccessFlags flags) {
  if (std::optional<bool> answer = fc.mc.targetAnswer(address); answer && isBool(scalar))
    return fc.builder.getInt1(*answer);
  llvm::LoadInst *load = emitLoad(fc, fc.mc.memoryType(scalar), address, align, flags);
  if (!scalar.isInit)
    return load;
  load->setMetadata(llvm::LLVMContext::MD_noundef, llvm::MDNode::get(fc.mc.context, {}));
  switch (scalar.primitive) {
  case mir::Primitive::Int:
    if (std::optional<llvm::ConstantRange> range = rangeOf(scalar))
      load->setMetadata(
          llvm::LLVMContext::MD_range,
          llvm::MDBuilder(fc.mc.context).createRange(range->getLower(), range->getUpper()));
    break;
  case mir::Primitive::Pointer:
    addPointerFacts(fc, load, scalar, pointee);
    break;
  case mir::Primitive::Float:
    break;
  }
  return isBool(scalar) ? fc.builder.CreateTrunc(load, fc.builder.getInt1Ty(), "", /*IsNUW=*/true)
                        : load;
}

void storeScalar(FunctionContext &fc, const mir::Scalar &scalar, llvm::Value *value,
                 llvm::Value *address, uint64_t align, AccessFlags flags) {
  if (isBool(scalar))
    value = fc.builder.CreateZExt(value, fc.builder.getInt8Ty());
  emitStore(fc, value, address, align, flags);
}

OperandValue loadOperand(FunctionContext &fc, const PlaceRef &place, AccessFlags flags) {
  const mir::Type &type = fc.type(place.ty);
  if (kindOf(type) == OperandValue::Kind::ZeroSized)
    return OperandValue::zeroSized(place.ty);
  return match(
      type.repr,
      [&](const mir::ReprScalar &repr) {
        return OperandValue::immediate(place.ty,
                                       loadScalar(fc, repr.scalar, place.address, place.align,
                                                  pointeeInfo(fc.program, place.ty), flags));
      },
      [&](const mir::ReprPair &repr) {
        llvm::Value *first = loadScalar(fc, repr.a, place.address, place.align,
                                        pointeeInfo(fc.program, place.ty), flags);
        llvm::Value *address = emitOffset(fc, place.address, repr.bOffset);
        llvm::Value *second =
            loadScalar(fc, repr.b, address, alignAt(place.align, repr.bOffset), nullptr, flags);
        return OperandValue::pair(place.ty, first, second);
      },
      [&](const mir::ReprVector &) {
        return OperandValue::immediate(place.ty, emitLoad(fc, fc.mc.immediateType(place.ty),
                                                          place.address, place.align, flags));
      },
      [&](const mir::ReprMemory &) {
        PlaceRef whole = place;
        whole.variant.reset();
        return OperandValue::ref(whole);
      });
}

OperandValue loadOperand(FunctionContext &fc, const PlaceRef &place) {
  return loadOperand(fc, place, {});
}

void storeOperand(FunctionContext &fc, const OperandValue &value, const PlaceRef &dest,
                  AccessFlags flags) {
  switch (value.kind) {
  case OperandValue::Kind::ZeroSized:
    return;
  case OperandValue::Kind::Ref: {
    llvm::Value *bytes = value.second ? sizeAndAlignOf(fc, value.ty, value.second).size
                                      : fc.usize(fc.type(value.ty).size);
    emitCopy(fc, dest.address, dest.align, value.first, value.align, bytes, flags);
    return;
  }
  case OperandValue::Kind::Immediate:
    if (const mir::Scalar *scalar = mir::scalarOf(fc.type(value.ty)))
      storeScalar(fc, *scalar, value.first, dest.address, dest.align, flags);
    else
      emitStore(fc, value.first, dest.address, dest.align, flags);
    return;
  case OperandValue::Kind::Pair: {
    const mir::ReprPair *repr = mir::pairOf(fc.type(value.ty));
    MIRGPU_CHECK(repr, "a pair value of a type that is no pair");
    storeScalar(fc, repr->a, value.first, dest.address, dest.align, flags);
    storeScalar(fc, repr->b, value.second, emitOffset(fc, dest.address, repr->bOffset),
                alignAt(dest.align, repr->bOffset), flags);
    return;
  }
  }
}

void storeOperand(FunctionContext &fc, const OperandValue &value, const PlaceRef &dest) {
  storeOperand(fc, value, dest, {});
}

} // namespace mirgpu::lowering
