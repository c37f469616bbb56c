// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MIR casts. Integers extend by the sign of the source; floats to integers saturate and NaN is 0;
// pointer casts change nothing but drop metadata; transmutes keep the bits.
#include "lowering/arithmetic.h"
#include "lowering/unsize.h"
#include "lowering/wide_float.h"
#include "support/check.h"

namespace mirgpu::lowering {

static bool isSignedInt(FunctionContext &fc, mir::TypeId ty) {
  const mir::Scalar *scalar = mir::scalarOf(fc.type(ty));
  return scalar && scalar->primitive == mir::Primitive::Int && scalar->isSigned;
}

static llvm::Value *numericCast(FunctionContext &fc, mir::CastKind kind, const OperandValue &value,
                                mir::TypeId ty) {
  llvm::IRBuilder<> &b = fc.builder;
  llvm::Type *to = fc.mc.immediateType(ty);
  if (kind == mir::CastKind::IntToInt)
    return b.CreateIntCast(value.imm(), to, isSignedInt(fc, value.ty));
  if (kind == mir::CastKind::FloatToFloat)
    return b.CreateFPCast(value.imm(), to);
  // No GPU back end converts between floats and 128-bit integers.
  if (kind == mir::CastKind::IntToFloat && value.imm()->getType()->isIntegerTy(128))
    return emitWideIntToFloat(fc, value.imm(), isSignedInt(fc, value.ty), to);
  if (kind == mir::CastKind::FloatToInt && to->isIntegerTy(128))
    return emitFloatToWideInt(fc, value.imm(), isSignedInt(fc, ty));
  if (kind == mir::CastKind::IntToFloat)
    return isSignedInt(fc, value.ty) ? b.CreateSIToFP(value.imm(), to)
                                     : b.CreateUIToFP(value.imm(), to);
  const auto id = isSignedInt(fc, ty) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  return b.CreateIntrinsic(id, {to, value.imm()->getType()}, {value.imm()});
}

/// Thin to thin, wide to wide, or wide to thin, which drops the metadata.
static OperandValue pointerCast(FunctionContext &fc, const OperandValue &value, mir::TypeId ty) {
  if (kindOf(fc.type(ty)) == OperandValue::Kind::Pair) {
    MIRGPU_CHECK(value.kind == OperandValue::Kind::Pair, "a cast of a thin pointer to a wide one");
    return OperandValue::pair(ty, value.first, value.second);
  }
  return OperandValue::immediate(ty, value.first);
}

OperandValue lowerCast(FunctionContext &fc, const mir::Cast &cast) {
  // The operand of a reification is a function item: no value.
  const OperandValue value = lowerOperand(fc, cast.operand);
  switch (cast.kind) {
  case mir::CastKind::PointerExposeProvenance:
    return OperandValue::immediate(
        cast.ty, fc.builder.CreatePtrToInt(value.imm(), fc.mc.immediateType(cast.ty)));
  case mir::CastKind::PointerWithExposedProvenance:
    return OperandValue::immediate(cast.ty,
                                   fc.builder.CreateIntToPtr(value.imm(), fc.mc.pointerType()));
  case mir::CastKind::ReifyFnPointer:
  case mir::CastKind::ClosureFnPointer:
    return OperandValue::immediate(cast.ty, fc.functionFor(cast.function));
  case mir::CastKind::UnsafeFnPointer:
  case mir::CastKind::PtrToPtr:
  case mir::CastKind::FnPtrToPtr:
    return pointerCast(fc, value, cast.ty);
  case mir::CastKind::Unsize:
    MIRGPU_CHECK(cast.unsize, "an unsizing cast without its facts");
    return unsizeValue(fc, value, cast.ty, *cast.unsize);
  case mir::CastKind::IntToInt:
  case mir::CastKind::FloatToInt:
  case mir::CastKind::FloatToFloat:
  case mir::CastKind::IntToFloat:
    return OperandValue::immediate(cast.ty, numericCast(fc, cast.kind, value, cast.ty));
  case mir::CastKind::Transmute:
  case mir::CastKind::Subtype:
    return transmuteOperand(fc, value, cast.ty);
  }
  llvm_unreachable("covered");
}

} // namespace mirgpu::lowering
