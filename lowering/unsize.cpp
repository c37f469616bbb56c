// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unsizing casts, and the size and alignment of unsized values. `&[T; 4] -> &[T]` gains a length,
// `&T -> &dyn Trait` a vtable,
// `&dyn Sub -> &dyn Super` a vtable out of the old one; a smart pointer does it in the field that
// the cast's path names.
#include "lowering/unsize.h"

#include "lowering/memory_access.h"
#include "support/check.h"
#include "support/match.h"

namespace mirgpu::lowering {

llvm::Value *loadVtableSlot(FunctionContext &fc, llvm::Value *vtable, uint64_t slot,
                            llvm::Type *type) {
  const uint64_t word = fc.program.target.pointerWidth / 8;
  llvm::LoadInst *load = emitLoad(fc, type, emitOffset(fc, vtable, slot * word), word);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(fc.mc.context, {}));
  return load;
}

static llvm::Value *newMetadata(FunctionContext &fc, const mir::UnsizeInfo &info,
                                llvm::Value *old) {
  return match(
      info.to,
      [&](const mir::UnsizeLength &length) -> llvm::Value * { return fc.usize(length.length); },
      [&](const mir::UnsizeVtable &vtable) -> llvm::Value * {
        fc.mc.setRequester(fc.id, fc.span);
        return fc.mc.vtableAddress(vtable.vtable);
      },
      [&](const mir::UnsizeUpcast &upcast) -> llvm::Value * {
        MIRGPU_CHECK(old, "an upcast of a pointer without a vtable");
        return upcast.slot ? loadVtableSlot(fc, old, *upcast.slot, fc.mc.pointerType()) : old;
      });
}

/// A struct with more than the pointer in it: field by field, the one on the path coerced.
static OperandValue unsizeStruct(FunctionContext &fc, const OperandValue &value, mir::TypeId ty,
                                 const mir::UnsizeInfo &info, size_t depth) {
  const PlaceRef dest = fc.temporary(ty, "unsize");
  const auto &fields = fc.type(ty).variants.front().fields;
  for (uint32_t i = 0; i < fields.size(); ++i) {
    OperandValue field = extractField(fc, value, std::nullopt, i);
    if (i == info.path[depth])
      field = unsizeValue(fc, field, fields[i].ty, info, depth + 1);
    storeOperand(fc, field, projectField(fc, dest, i));
  }
  return loadOperand(fc, dest);
}

/// `value` as an address or as an integer: a wrapper may keep a pointer in either way.
static llvm::Value *toWord(FunctionContext &fc, llvm::Value *value, llvm::Type *type) {
  if (!value || value->getType() == type)
    return value;
  return type->isPointerTy() ? fc.builder.CreateIntToPtr(value, type)
                             : fc.builder.CreatePtrToInt(value, type);
}

OperandValue unsizeValue(FunctionContext &fc, const OperandValue &value, mir::TypeId ty,
                         const mir::UnsizeInfo &info, size_t depth) {
  const mir::Type &source = fc.type(value.ty);
  const mir::ReprPair *pair = mir::pairOf(fc.type(ty));
  if (pair && (mir::scalarOf(source) || mir::pairOf(source))) {
    const bool hasVtable = std::holds_alternative<mir::UnsizeUpcast>(info.to);
    llvm::Value *old = hasVtable ? toWord(fc, value.second, fc.mc.pointerType()) : value.second;
    return OperandValue::pair(ty, toWord(fc, value.first, fc.mc.immediateType(pair->a)),
                              toWord(fc, newMetadata(fc, info, old), fc.mc.immediateType(pair->b)));
  }
  MIRGPU_CHECK(depth < info.path.size() && !fc.type(ty).variants.empty(),
               "an unsizing cast without a pointer");
  return unsizeStruct(fc, value, ty, info, depth);
}

static SizeAndAlign ofUnsizedStruct(FunctionContext &fc, const mir::Type &type,
                                    llvm::Value *metadata) {
  // (offset of the tail + its size) rounded up to the larger alignment.
  llvm::IRBuilder<> &b = fc.builder;
  const mir::Field *tail = nullptr;
  for (const mir::Field &field : type.variants.front().fields)
    if (!mir::isSized(fc.type(field.ty)))
      tail = &field;
  MIRGPU_CHECK(tail, "an unsized struct without an unsized field");
  SizeAndAlign inner = sizeAndAlignOf(fc, tail->ty, metadata);
  if (mir::hasFlag(type, "packed"))
    inner.align = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, inner.align, fc.usize(type.align));
  llvm::Value *align =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, inner.align, fc.usize(type.align));
  llvm::Value *end = b.CreateAdd(fc.usize(tail->offset), inner.size);
  llvm::Value *rounded = b.CreateAdd(end, b.CreateSub(align, fc.usize(1)));
  return {b.CreateAnd(rounded, b.CreateNeg(align)), align};
}

SizeAndAlign sizeAndAlignOf(FunctionContext &fc, mir::TypeId ty, llvm::Value *metadata) {
  const mir::Type &type = fc.type(ty);
  if (mir::isSized(type))
    return {fc.usize(type.size), fc.usize(type.align)};
  if (mir::isKind<mir::TyDyn>(fc.program, ty))
    return {loadVtableSlot(fc, metadata, 1, fc.mc.usizeType()),
            loadVtableSlot(fc, metadata, 2, fc.mc.usizeType())};
  if (const auto *slice = mir::kindAs<mir::TySlice>(fc.program, ty)) {
    const mir::Type &elem = fc.type(slice->elem);
    return {
        fc.builder.CreateMul(metadata, fc.usize(elem.size), "", /*HasNUW=*/true, /*HasNSW=*/true),
        fc.usize(elem.align)};
  }
  if (mir::isKind<mir::TyStr>(fc.program, ty))
    return {metadata, fc.usize(1)};
  if (mir::isKind<mir::TyForeign>(fc.program, ty)) {
    fc.unsupported("the size of a foreign type");
    return {llvm::PoisonValue::get(fc.mc.usizeType()), llvm::PoisonValue::get(fc.mc.usizeType())};
  }
  return ofUnsizedStruct(fc, type, metadata);
}

} // namespace mirgpu::lowering
