// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See kernel_abi.h. `fn k(a: f32, x: &[f32], y: DisjointSlice<f32>, s: S)` becomes
//   define internal void @mirgpu.kernel.k(float %a, ptr noalias readonly %x, i64 %x.len, ptr %y,
//   i64 %y.len, ptr readonly %s, ptr %context)
// A by-value aggregate arrives as a pointer to the launch's own bytes, which every thread shares:
// it is copied before the callee owns it.
#include "lowering/kernel_abi.h"
#include "lowering/symbol_name.h"

#include "lowering/function_abi.h"
#include "lowering/layout_hash.h"

#include "llvm/IR/IRBuilder.h"

namespace mirgpu::lowering {

using mgpu::ParamKind;

// ---- What the launch is told
// ----------------------------------------------------------------------

/// The element of a slice, `&str` (none: u8) or DisjointSlice parameter.
static mir::TypeId elementType(const ModuleContext &mc, const mir::KernelParam &param) {
  if (param.kind == mir::ParamKind::DisjointSlice) {
    const auto *adt = mir::kindAs<mir::TyAdt>(mc.program, param.ty);
    for (const mir::GenericArg &arg : adt ? adt->args : std::vector<mir::GenericArg>())
      if (!arg.constant)
        return arg.ty;
    return {};
  }
  const mir::TypeId pointee = mir::pointeeOf(mc.program, param.ty);
  return pointee.isValid() ? mir::elementOf(mc.program, pointee) : mir::TypeId();
}

static bool isFrozenShared(const ModuleContext &mc, mir::TypeId ty) {
  const mir::PointeeInfo *info = pointeeInfo(mc.program, ty);
  return info && info->safety == mir::PointerSafety::SharedFrozen;
}

static ParamKind launchKind(mir::ParamKind kind) {
  switch (kind) {
  case mir::ParamKind::Scalar:
    return ParamKind::Scalar;
  case mir::ParamKind::Pointer:
    return ParamKind::Pointer;
  case mir::ParamKind::Slice:
    return ParamKind::Slice;
  case mir::ParamKind::SliceMut:
    return ParamKind::SliceMut;
  case mir::ParamKind::DisjointSlice:
    return ParamKind::DisjointSlice;
  case mir::ParamKind::Aggregate:
  case mir::ParamKind::Zst:
  case mir::ParamKind::Dyn:
  case mir::ParamKind::FnPtr:
    return ParamKind::Aggregate;
  }
  llvm_unreachable("covered");
}

static LoweredParam describe(const ModuleContext &mc, const mir::KernelParam &param) {
  const mir::Type &type = mc.type(param.ty);
  LoweredParam result;
  result.name = param.name;
  result.typeName = type.name;
  result.kind = launchKind(param.kind);
  result.size = type.size;
  result.align = uint32_t(type.align);
  const bool isSlice = result.kind == ParamKind::Slice || result.kind == ParamKind::SliceMut ||
                       result.kind == ParamKind::DisjointSlice;
  result.readOnly = isFrozenShared(mc, param.ty);
  if (!isSlice) {
    result.layoutHash = layoutHash(mc.program, param.ty);
    return result;
  }
  result.size = 16;
  result.align = 8;
  const mir::TypeId element = elementType(mc, param);
  result.elementSize = element.isValid() ? mc.type(element).size : 1;
  result.elementAlign = element.isValid() ? uint32_t(mc.type(element).align) : 1;
  if (element.isValid())
    result.layoutHash = layoutHash(mc.program, element);
  return result;
}

// ---- The entry
// ------------------------------------------------------------------------------------

namespace {
/// Builds one entry, parameter by parameter.
class EntryBuilder {
public:
  EntryBuilder(ModuleContext &mc, const mir::Kernel &kernel)
      : mc_(mc), kernel_(kernel), rust_(mc.program.functions[kernel.function]),
        builder_(mc.context) {}

  void run() {
    llvm::SmallVector<llvm::Type *> types;
    for (const mir::KernelParam &param : kernel_.params)
      addTypes(param, types);
    types.push_back(mc_.pointerType());
    auto *type = llvm::FunctionType::get(builder_.getVoidTy(), types, false);
    entry_ = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                    "mirgpu.kernel." + symbolName(kernel_.entry), mc_.module);
    entry_->addFnAttr(llvm::Attribute::Convergent);
    entry_->addFnAttr(llvm::Attribute::NoUnwind);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(mc_.context, "entry", entry_));
    llvm::Function *callee = mc_.function(kernel_.function, mir::FunctionId(), mir::SpanId());
    for (const mir::KernelParam &param : kernel_.params)
      addArguments(param);
    if (rust_.trackCaller)
      args_.push_back(llvm::ConstantPointerNull::get(mc_.pointerType()));
    llvm::Argument *context = entry_->getArg(next_);
    context->setName("context");
    args_.push_back(context);
    llvm::CallInst *call = builder_.CreateCall(callee, args_);
    call->setConvergent();
    if (mc_.type(rust_.output).uninhabited)
      builder_.CreateUnreachable();
    else
      builder_.CreateRetVoid();
  }

private:
  static bool isSlice(const mir::KernelParam &param) {
    return param.kind == mir::ParamKind::Slice || param.kind == mir::ParamKind::SliceMut ||
           param.kind == mir::ParamKind::DisjointSlice;
  }

  void addTypes(const mir::KernelParam &param, llvm::SmallVectorImpl<llvm::Type *> &types) const {
    if (param.kind == mir::ParamKind::Zst)
      return;
    if (isSlice(param)) {
      types.push_back(mc_.pointerType());
      types.push_back(mc_.usizeType());
    } else if (const mir::Scalar *scalar = byScalar(param)) {
      types.push_back(mc_.memoryType(*scalar));
    } else {
      types.push_back(mc_.pointerType());
    }
  }

  /// The scalar that crosses as itself; null for aggregates, also those that are one scalar to the
  /// backend.
  const mir::Scalar *byScalar(const mir::KernelParam &param) const {
    const bool isScalar =
        param.kind == mir::ParamKind::Scalar || param.kind == mir::ParamKind::Pointer;
    return isScalar ? mir::scalarOf(mc_.type(param.ty)) : nullptr;
  }

  llvm::Argument *take(const mir::KernelParam &param, llvm::StringRef suffix = "") {
    llvm::Argument *arg = entry_->getArg(next_++);
    arg->setName(llvm::StringRef(param.name) + suffix);
    arg->addAttr(llvm::Attribute::NoUndef);
    return arg;
  }

  llvm::Value *toImmediate(llvm::Value *value, const mir::Scalar &scalar) {
    llvm::Type *type = mc_.immediateType(scalar);
    return value->getType() == type ? value : builder_.CreateTrunc(value, type);
  }

  void addArguments(const mir::KernelParam &param) {
    if (param.kind == mir::ParamKind::Zst)
      return;
    if (isSlice(param))
      return addSlice(param);
    if (const mir::Scalar *scalar = byScalar(param)) {
      llvm::Argument *arg = take(param);
      addPointerFacts(*arg, param);
      args_.push_back(toImmediate(arg, *scalar));
      return;
    }
    addAggregate(param);
  }

  /// (pointer, length) to the two scalars of the Rust type, in the order that its layout has.
  void addSlice(const mir::KernelParam &param) {
    llvm::Argument *pointer = take(param), *length = take(param, ".len");
    addPointerFacts(*pointer, param);
    const mir::ReprPair &pair = *mir::pairOf(mc_.type(param.ty));
    const bool pointerFirst = pair.a.primitive == mir::Primitive::Pointer;
    args_.push_back(pointerFirst ? pointer : length);
    args_.push_back(pointerFirst ? length : pointer);
  }

  void addAggregate(const mir::KernelParam &param) {
    const mir::Type &type = mc_.type(param.ty);
    llvm::Argument *bytes = take(param);
    llvm::AttrBuilder attrs(mc_.context);
    for (const llvm::Attribute::AttrKind kind :
         {llvm::Attribute::NoAlias, llvm::Attribute::ReadOnly, llvm::Attribute::NonNull})
      attrs.addAttribute(kind);
    attrs.addAlignmentAttr(llvm::Align(type.align));
    attrs.addDereferenceableAttr(type.size);
    bytes->addAttrs(attrs);
    switch (kindOf(type)) {
    case OperandValue::Kind::ZeroSized:
      return;
    case OperandValue::Kind::Immediate:
      args_.push_back(load(mc_.immediateType(param.ty), mir::scalarOf(type), bytes, 0, type.align));
      return;
    case OperandValue::Kind::Pair: {
      const mir::ReprPair &pair = *mir::pairOf(type);
      args_.push_back(load(mc_.immediateType(pair.a), &pair.a, bytes, 0, type.align));
      args_.push_back(load(mc_.immediateType(pair.b), &pair.b, bytes, pair.bOffset, type.align));
      return;
    }
    case OperandValue::Kind::Ref: {
      const unsigned space = mc_.target.addressSpace(MemorySpace::Alloca);
      auto *slot = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), type.size),
                                         space, nullptr, param.name);
      slot->setAlignment(llvm::Align(type.align));
      llvm::Value *copy = builder_.CreatePointerBitCastOrAddrSpaceCast(slot, mc_.pointerType());
      builder_.CreateMemCpy(copy, llvm::Align(type.align), bytes, llvm::Align(type.align),
                            type.size);
      args_.push_back(copy);
      return;
    }
    }
  }

  llvm::Value *load(llvm::Type *immediate, const mir::Scalar *scalar, llvm::Value *bytes,
                    uint64_t offset, uint64_t align) {
    llvm::Type *type = scalar ? mc_.memoryType(*scalar) : immediate;
    llvm::Value *address =
        offset ? builder_.CreateInBoundsPtrAdd(bytes, builder_.getInt64(offset)) : bytes;
    llvm::Value *value = builder_.CreateAlignedLoad(
        type, address, llvm::commonAlignment(llvm::Align(align), offset));
    return scalar ? toImmediate(value, *scalar) : value;
  }

  /// What the launch checks (overlap, alignment) or Rust promises of a pointer parameter. Two
  /// DisjointSlices may overlap.
  void addPointerFacts(llvm::Argument &arg, const mir::KernelParam &param) {
    llvm::AttrBuilder attrs(mc_.context);
    if (param.kind == mir::ParamKind::DisjointSlice) {
      const mir::TypeId element = elementType(mc_, param);
      if (element.isValid())
        attrs.addAlignmentAttr(llvm::Align(mc_.type(element).align));
      arg.addAttrs(attrs);
      return;
    }
    const mir::PointeeInfo *info = pointeeInfo(mc_.program, param.ty);
    if (!info || info->safety == mir::PointerSafety::Raw || !arg.getType()->isPointerTy())
      return;
    attrs.addAttribute(llvm::Attribute::NonNull);
    attrs.addAlignmentAttr(llvm::Align(info->align));
    if (info->size > 0)
      attrs.addDereferenceableAttr(info->size);
    if (info->safety == mir::PointerSafety::SharedFrozen)
      attrs.addAttribute(llvm::Attribute::ReadOnly);
    if (info->safety == mir::PointerSafety::SharedFrozen ||
        info->safety == mir::PointerSafety::MutUnpin)
      attrs.addAttribute(llvm::Attribute::NoAlias);
    arg.addAttrs(attrs);
  }

  ModuleContext &mc_;
  const mir::Kernel &kernel_;
  const mir::Function &rust_;
  llvm::IRBuilder<> builder_;
  llvm::Function *entry_ = nullptr;
  llvm::SmallVector<llvm::Value *> args_;
  unsigned next_ = 0;
};
} // namespace

// ---- Refusals
// -------------------------------------------------------------------------------------

static mir::SpanId parameterSpan(const mir::Function &function, size_t index) {
  const mir::LocalId local(uint32_t(index + 1));
  return function.body && function.body->locals.contains(local) ? function.body->locals[local].span
                                                                : function.span;
}

/// Whether a struct is laid out as a pointer and a length, which a launch gives in its place.
static bool isPointerAndLength(const ModuleContext &mc, mir::TypeId ty) {
  const mir::ReprPair *pair = mir::pairOf(mc.type(ty));
  if (!pair)
    return false;
  const bool pointerFirst = pair->a.primitive == mir::Primitive::Pointer;
  const mir::Scalar &pointer = pointerFirst ? pair->a : pair->b,
                    &length = pointerFirst ? pair->b : pair->a;
  return pointer.primitive == mir::Primitive::Pointer && length.primitive == mir::Primitive::Int &&
         length.bits == 64;
}

static bool checkParameters(ModuleContext &mc, const mir::Kernel &kernel) {
  const mir::Function &function = mc.program.functions[kernel.function];
  bool ok = true;
  auto refuse = [&](size_t index, const std::string &what, const char *help) {
    const mir::KernelParam &param = kernel.params[index];
    Diagnostic &diagnostic =
        mc.error(kernel.function, "MG0401",
                 "kernel parameter `" + std::string(param.name) + "` of type `" +
                     std::string(mc.type(param.ty).name) + "` " + what,
                 parameterSpan(function, index));
    diagnostic.help.push_back(help);
    ok = false;
  };
  for (size_t i = 0; i < kernel.params.size(); ++i) {
    const mir::KernelParam &param = kernel.params[i];
    if (param.kind == mir::ParamKind::Dyn)
      refuse(i, "is a trait object, whose table of functions exists on the host alone",
             "make the kernel generic over the type instead");
    else if (param.kind == mir::ParamKind::FnPtr)
      refuse(i, "is a function pointer, whose code exists on the host alone",
             "make the kernel generic over a closure instead");
    else if (param.kind == mir::ParamKind::DisjointSlice && !isPointerAndLength(mc, param.ty))
      refuse(i, "is not a pointer and a length", "use the `DisjointSlice` of the `mirgpu` crate");
  }
  if (!mir::isZst(mc.program, function.output)) {
    mc.error(kernel.function, "MG0401",
             "kernel `" + std::string(function.defPath) + "` returns a value of type `" +
                 std::string(mc.type(function.output).name) + "`",
             function.span)
        .help.push_back("write the result to a buffer");
    ok = false;
  }
  return ok;
}

/// Whether an earlier kernel of the program has this one's key or entry name.
static bool isDuplicate(ModuleContext &mc, const mir::Kernel &kernel) {
  for (const mir::Kernel &other : mc.program.kernels) {
    if (&other == &kernel)
      return false;
    const bool sameKey = other.key == kernel.key;
    if (!sameKey && other.entry != kernel.entry)
      continue;
    const std::string_view shared = sameKey ? kernel.key : kernel.entry;
    Diagnostic &diagnostic =
        mc.error(kernel.function, "MG0402",
                 std::string("two kernels have the ") + (sameKey ? "key" : "entry name") + " `" +
                     std::string(shared) + "`",
                 mc.program.functions[kernel.function].span);
    diagnostic.labels.push_back(
        {mir::sourceSpan(mc.program, mc.program.functions[other.function].span),
         "the other one is here"});
    return true;
  }
  return false;
}

LoweredKernel lowerKernel(ModuleContext &mc, const mir::Kernel &kernel) {
  const mir::Function &function = mc.program.functions[kernel.function];
  LoweredKernel result;
  result.key = kernel.key;
  result.entry = symbolName(kernel.entry); // a path where bare names clash: `a::run`
  const SourceSpan span = mir::sourceSpan(mc.program, function.span);
  result.file = span.file;
  result.line = span.line;
  if (kernel.launchBounds) {
    result.maxThreads = kernel.launchBounds->maxThreads;
    result.minBlocks = kernel.launchBounds->minBlocks;
  }
  const bool isFine = checkParameters(mc, kernel);
  if (isDuplicate(mc, kernel) || !isFine)
    return result;
  for (const mir::KernelParam &param : kernel.params)
    if (param.kind != mir::ParamKind::Zst)
      result.params.push_back(describe(mc, param));
  EntryBuilder(mc, kernel).run();
  return result;
}

} // namespace mirgpu::lowering
