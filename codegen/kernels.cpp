// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every back end asks of the neutral module (kernels.h): parameter mapping, entry scaffolding,
// reachability. Invariant: an entry made with these is a thin caller of `mirgpu.kernel.<entry>`,
// which is inlined into it at every level.
#include "codegen/kernels.h"

#include "support/check.h"

#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace mirgpu::codegen {

using lowering::LoweredKernel;
using lowering::LoweredParam;
using mgpu::ParamKind;

Function &kernelFunction(Module &module, const LoweredKernel &kernel) {
  Function *fn = module.getFunction("mirgpu.kernel." + kernel.entry);
  MIRGPU_CHECK(fn && !fn->isDeclaration() && fn->arg_size() >= 1,
               "a lowered kernel has no function");
  return *fn;
}

static unsigned argCount(ParamKind kind) {
  switch (kind) {
  case ParamKind::Scalar:
  case ParamKind::Pointer:
  case ParamKind::Aggregate:
    return 1;
  case ParamKind::Slice:
  case ParamKind::SliceMut:
  case ParamKind::DisjointSlice:
    return 2;
  case ParamKind::LaunchContext:
    return 0;
  }
  llvm_unreachable("covered");
}

SmallVector<ParamArgs, 8> paramArgs(const LoweredKernel &kernel, const Function &fn) {
  SmallVector<ParamArgs, 8> params;
  unsigned next = 0;
  for (const LoweredParam &param : kernel.params) {
    params.push_back({&param, next, argCount(param.kind)});
    next += params.back().count;
  }
  MIRGPU_CHECK(next + 1 == fn.arg_size(), "a kernel's parameter table and its function disagree");
  return params;
}

bool hasLaunchContext(const LoweredKernel &kernel) {
  return !kernel.params.empty() && kernel.params.back().kind == ParamKind::LaunchContext;
}

bool isReadOnlyArg(const Function &fn, unsigned index) {
  return fn.hasParamAttribute(index, Attribute::ReadOnly) ||
         fn.hasParamAttribute(index, Attribute::ReadNone);
}

Function *createEntry(Module &module, const LoweredKernel &kernel, ArrayRef<Type *> params) {
  if (GlobalValue *other = module.getNamedValue(kernel.entry)) {
    MIRGPU_CHECK(other->hasLocalLinkage(), "two kernels have one entry name");
    other->setName(kernel.entry + "$body");
  }
  auto *type = FunctionType::get(Type::getVoidTy(module.getContext()), params, false);
  return Function::Create(type, GlobalValue::ExternalLinkage, kernel.entry, module);
}

void prepareEntry(Function &entry, Function &kernelFn) {
  entry.addFnAttr(Attribute::Convergent);
  entry.addFnAttr(Attribute::NoUnwind);
  kernelFn.removeFnAttr(Attribute::NoInline);
  kernelFn.removeFnAttr(Attribute::OptimizeNone);
  kernelFn.removeFnAttr(Attribute::OptimizeForSize);
  kernelFn.addFnAttr(Attribute::AlwaysInline);
  kernelFn.setLinkage(GlobalValue::InternalLinkage);
}

/// Gives `fn` a debug scope of its own that is like `scope`, and its calls without a place the line
/// of it: what is inlined into them keeps its lines only then.
static void adoptScope(Function &fn, DISubprogram &scope) {
  LLVMContext &context = fn.getContext();
  DISubprogram *own = MDNode::replaceWithDistinct(scope.clone());
  own->replaceRetainedNodes(MDTuple::get(context, {}));
  own->replaceLinkageName(MDString::get(context, fn.getName()));
  fn.setSubprogram(own);
  for (BasicBlock &block : fn)
    for (Instruction &inst : block)
      if (isa<CallBase>(inst) && !inst.getDebugLoc())
        inst.setDebugLoc(DILocation::get(context, own->getLine(), 0, own));
}

/// The debug scope of `fn`, or that of the first function it calls which has one: the kernel as the
/// user wrote it.
static DISubprogram *scopeOf(Function &fn) {
  if (DISubprogram *scope = fn.getSubprogram())
    return scope;
  for (BasicBlock &block : fn)
    for (Instruction &inst : block)
      if (auto *call = dyn_cast<CallBase>(&inst))
        if (Function *callee = call->getCalledFunction(); callee && callee->getSubprogram())
          return callee->getSubprogram();
  return nullptr;
}

void callKernel(IRBuilder<> &builder, Function &kernelFn, ArrayRef<Value *> args) {
  CallInst *call = builder.CreateCall(&kernelFn, args);
  call->addFnAttr(Attribute::Convergent);
  call->setCallingConv(kernelFn.getCallingConv());
  builder.CreateRetVoid();
  adoptScopeOf(*builder.GetInsertBlock()->getParent(), kernelFn);
}

void adoptScopeOf(Function &entry, Function &body) {
  DISubprogram *scope = scopeOf(body);
  if (!scope)
    return;
  if (!body.getSubprogram())
    adoptScope(body, *scope);
  adoptScope(entry, *scope);
}

void copyParamAttributes(const Function &kernelFn, unsigned from, Function &entry, unsigned to) {
  AttrBuilder attributes(entry.getContext(), kernelFn.getAttributes().getParamAttrs(from));
  entry.addParamAttrs(to, attributes);
}

Value *copyAggregate(IRBuilder<> &builder, const LoweredParam &param, Value *bytes) {
  const DataLayout &layout = builder.GetInsertBlock()->getModule()->getDataLayout();
  Type *type = ArrayType::get(builder.getInt8Ty(), param.size);
  AllocaInst *copy = builder.CreateAlloca(type, layout.getAllocaAddrSpace(), nullptr, param.name);
  copy->setAlignment(Align(param.align));
  builder.CreateMemCpy(copy, Align(param.align), bytes, Align(param.align), param.size);
  return builder.CreateAddrSpaceCast(copy, builder.getPtrTy());
}

/// Puts what `value` names on the worklist: globals themselves, the operands of other constants.
static void addReferenced(Value *value, SmallVectorImpl<Value *> &worklist,
                          SmallPtrSetImpl<Value *> &seen) {
  if (isa<Constant>(value) && !isa<ConstantData>(value) && seen.insert(value).second)
    worklist.push_back(value);
}

SetVector<GlobalValue *> reachableFrom(Function &root) {
  SetVector<GlobalValue *> reached;
  SmallVector<Value *, 32> worklist{&root};
  SmallPtrSet<Value *, 32> seen{&root};
  while (!worklist.empty()) {
    Value *value = worklist.pop_back_val();
    if (auto *global = dyn_cast<GlobalValue>(value))
      reached.insert(global);
    if (auto *fn = dyn_cast<Function>(value)) {
      for (BasicBlock &block : *fn)
        for (Instruction &inst : block)
          for (Value *operand : inst.operands())
            addReferenced(operand, worklist, seen);
      continue;
    }
    for (Value *operand : cast<Constant>(value)->operands())
      addReferenced(operand, worklist, seen);
  }
  return reached;
}

} // namespace mirgpu::codegen
