// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See function_abi.h.
#include "lowering/function_abi.h"

#include "support/check.h"
#include "support/match.h"

#include "llvm/IR/Attributes.h"

namespace mirgpu::lowering {

std::vector<mir::TypeId> abiInputs(const mir::Program &program, const mir::Function &function) {
  std::vector<mir::TypeId> inputs = function.inputs;
  if (!function.spreadArg || inputs.empty())
    return inputs;
  const mir::TypeId tuple = inputs.back();
  inputs.pop_back();
  for (const mir::Field &field : program.types[tuple].variants.front().fields)
    inputs.push_back(field.ty);
  return inputs;
}

static void addParameterTypes(const ModuleContext &mc, mir::TypeId ty,
                              llvm::SmallVectorImpl<llvm::Type *> &params) {
  const mir::Type &type = mc.type(ty);
  switch (kindOf(type)) {
  case OperandValue::Kind::ZeroSized:
    return;
  case OperandValue::Kind::Immediate:
    params.push_back(mc.immediateType(ty));
    return;
  case OperandValue::Kind::Pair:
    params.push_back(mc.immediateType(mir::pairOf(type)->a));
    params.push_back(mc.immediateType(mir::pairOf(type)->b));
    return;
  case OperandValue::Kind::Ref:
    params.push_back(mc.pointerType());
    return;
  }
}

llvm::Type *abiResultType(const ModuleContext &mc, mir::TypeId output) {
  const mir::Type &type = mc.type(output);
  switch (kindOf(type)) {
  case OperandValue::Kind::ZeroSized:
  case OperandValue::Kind::Ref:
    return llvm::Type::getVoidTy(mc.context);
  case OperandValue::Kind::Immediate:
    return mc.immediateType(output);
  case OperandValue::Kind::Pair:
    return llvm::StructType::get(mc.context, {mc.immediateType(mir::pairOf(type)->a),
                                              mc.immediateType(mir::pairOf(type)->b)});
  }
  llvm_unreachable("covered");
}

bool returnsInMemory(const ModuleContext &mc, mir::TypeId output) {
  return kindOf(mc.type(output)) == OperandValue::Kind::Ref;
}

llvm::FunctionType *abiFunctionType(const ModuleContext &mc, llvm::ArrayRef<mir::TypeId> inputs,
                                    mir::TypeId output, bool hasLocation) {
  llvm::SmallVector<llvm::Type *> params;
  if (returnsInMemory(mc, output))
    params.push_back(mc.pointerType());
  for (mir::TypeId input : inputs)
    addParameterTypes(mc, input, params);
  if (hasLocation)
    params.push_back(mc.pointerType());
  params.push_back(mc.pointerType());
  return llvm::FunctionType::get(abiResultType(mc, output), params, /*isVarArg=*/false);
}

llvm::FunctionType *abiFunctionType(const ModuleContext &mc, const mir::Function &function) {
  return abiFunctionType(mc, abiInputs(mc.program, function), function.output,
                         function.trackCaller);
}

const mir::PointeeInfo *pointeeInfo(const mir::Program &program, mir::TypeId ty) {
  const auto *pointer = mir::kindAs<mir::TyPointer>(program, ty);
  return pointer && pointer->info ? &*pointer->info : nullptr;
}

/// What holds of a pointer to memory that is one value of `type`, handed over by pointer.
static void addMemoryFacts(llvm::AttrBuilder &attrs, const mir::Type &type) {
  attrs.addAttribute(llvm::Attribute::NoUndef);
  attrs.addAttribute(llvm::Attribute::NoAlias);
  attrs.addAlignmentAttr(llvm::Align(type.align));
  attrs.addDereferenceableAttr(type.size);
}

/// What Rust promises of a reference while the callee runs. Writes through a shared reference
/// without interior mutability do not happen, so nothing that the callee sees aliases it; of `&mut`
/// nothing is said here.
static void addReferenceFacts(llvm::AttrBuilder &attrs, const mir::PointeeInfo &info) {
  attrs.addAttribute(llvm::Attribute::NonNull);
  if (info.align > 1)
    attrs.addAlignmentAttr(llvm::Align(info.align));
  // A cell or a pinned value may be freed while the reference is live.
  if (info.size > 0 && (info.safety == mir::PointerSafety::SharedFrozen ||
                        info.safety == mir::PointerSafety::MutUnpin))
    attrs.addDereferenceableAttr(info.size);
  if (info.safety == mir::PointerSafety::SharedFrozen) {
    attrs.addAttribute(llvm::Attribute::NoAlias);
    attrs.addAttribute(llvm::Attribute::ReadOnly);
  }
}

static void addScalarFacts(llvm::AttrBuilder &attrs, const mir::Scalar &scalar,
                           const mir::PointeeInfo *info) {
  if (!scalar.isInit)
    return;
  attrs.addAttribute(llvm::Attribute::NoUndef);
  if (scalar.primitive != mir::Primitive::Pointer)
    return;
  const bool wraps = scalar.validStart > scalar.validEnd;
  if (scalar.validStart > 0 && !wraps)
    attrs.addAttribute(llvm::Attribute::NonNull);
  if (info && info->safety != mir::PointerSafety::Raw)
    addReferenceFacts(attrs, *info);
}

unsigned addParameterFacts(const ModuleContext &mc, llvm::Function &value, unsigned index,
                           mir::TypeId ty) {
  const mir::Type &type = mc.type(ty);
  const mir::PointeeInfo *info = pointeeInfo(mc.program, ty);
  llvm::AttrBuilder first(mc.context), second(mc.context);
  switch (kindOf(type)) {
  case OperandValue::Kind::ZeroSized:
    return index;
  case OperandValue::Kind::Immediate:
    if (const mir::Scalar *scalar = mir::scalarOf(type))
      addScalarFacts(first, *scalar, info);
    value.addParamAttrs(index, first);
    return index + 1;
  case OperandValue::Kind::Pair:
    addScalarFacts(first, mir::pairOf(type)->a, info);
    addScalarFacts(second, mir::pairOf(type)->b, nullptr);
    value.addParamAttrs(index, first);
    value.addParamAttrs(index + 1, second);
    return index + 2;
  case OperandValue::Kind::Ref:
    addMemoryFacts(first, type);
    value.addParamAttrs(index, first);
    return index + 1;
  }
  llvm_unreachable("covered");
}

static void addResultFacts(const ModuleContext &mc, llvm::Function &value, mir::TypeId output) {
  const mir::Scalar *scalar = mir::scalarOf(mc.type(output));
  if (!scalar || !scalar->isInit || value.getReturnType()->isVoidTy())
    return;
  llvm::AttrBuilder attrs(mc.context);
  attrs.addAttribute(llvm::Attribute::NoUndef);
  if (scalar->primitive == mir::Primitive::Pointer && scalar->validStart > 0 &&
      scalar->validStart <= scalar->validEnd)
    attrs.addAttribute(llvm::Attribute::NonNull);
  value.addRetAttrs(attrs);
}

static void addInlineHint(llvm::Function &value, const mir::Function &function) {
  switch (function.inlineHint) {
  case mir::InlineHint::None:
    break;
  case mir::InlineHint::Hint:
    value.addFnAttr(llvm::Attribute::InlineHint);
    break;
  case mir::InlineHint::Always:
    value.addFnAttr(llvm::Attribute::AlwaysInline);
    break;
  case mir::InlineHint::Never:
    value.addFnAttr(llvm::Attribute::NoInline);
    break;
  }
  if (function.cold)
    value.addFnAttr(llvm::Attribute::Cold);
}

void setFunctionAttributes(const ModuleContext &mc, llvm::Function &value,
                           const mir::Function &function) {
  value.addFnAttr(llvm::Attribute::Convergent);
  value.addFnAttr(llvm::Attribute::NoUnwind);
  if (mc.type(function.output).uninhabited)
    value.addFnAttr(llvm::Attribute::NoReturn);
  addInlineHint(value, function);
  if (mir::findToolAttr(function.toolAttrs, "lock_free"))
    value.addFnAttr("mirgpu-lock-free");
  addResultFacts(mc, value, function.output);
  unsigned index = 0;
  if (returnsInMemory(mc, function.output)) {
    llvm::AttrBuilder attrs(mc.context);
    addMemoryFacts(attrs, mc.type(function.output));
    attrs.addAttribute(llvm::Attribute::Writable);
    value.addParamAttrs(index, attrs);
    value.getArg(index++)->setName("result");
  }
  for (mir::TypeId input : abiInputs(mc.program, function))
    index = addParameterFacts(mc, value, index, input);
  if (function.trackCaller) {
    value.addParamAttr(index, llvm::Attribute::NoUndef);
    value.getArg(index++)->setName("location");
  }
  value.getArg(index)->setName("context");
  MIRGPU_CHECK(index + 1 == value.arg_size(), "the parameters of a function do not match its type");
}

} // namespace mirgpu::lowering
