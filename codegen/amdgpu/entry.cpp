// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry of a kernel on AMD GPUs (DESIGN D11), a thin `amdgpu_kernel` around the neutral
// function:
//   define amdgpu_kernel void @k(ptr addrspace(1) noalias readonly %x, i64 %x.len, ptr addrspace(4)
//   byref([24 x i8]) %p, i64 %launch_context)
// Pointers arrive as global memory and are cast to the generic space at once; aggregates stay in
// the kernel argument segment, from which a kernel that writes to its own copies them. Bounds of
// the block are stated, since the default costs registers.
#include "codegen/entry.h"
#include "codegen/kernels.h"
#include "intrinsics/emitters.h"

using namespace llvm;

namespace mirgpu::codegen::amdgpu {

using lowering::LoweredKernel;
using mgpu::ParamKind;

static constexpr unsigned kGlobalSpace = 1, kConstantSpace = 4;

static Function *declareEntry(Module &module, const LoweredKernel &kernel, Function &kernelFn) {
  LLVMContext &context = module.getContext();
  SmallVector<Type *, 12> types;
  for (const ParamArgs &mapped : paramArgs(kernel, kernelFn))
    for (unsigned i = mapped.first; i < mapped.first + mapped.count; ++i) {
      Type *type = kernelFn.getArg(i)->getType();
      if (mapped.param->kind == ParamKind::Aggregate)
        type = PointerType::get(context, kConstantSpace);
      else if (type->isPointerTy())
        type = PointerType::get(context, kGlobalSpace);
      types.push_back(type);
    }
  if (hasLaunchContext(kernel))
    types.push_back(Type::getInt64Ty(context));
  Function *entry = createEntry(module, kernel, types);
  entry->setCallingConv(CallingConv::AMDGPU_KERNEL);
  entry->setVisibility(GlobalValue::ProtectedVisibility);
  uint32_t threads = kernel.maxThreads ? kernel.maxThreads : intrinsics::kMaxBlockThreads;
  entry->addFnAttr("amdgpu-flat-work-group-size", "1," + std::to_string(threads));
  entry->addFnAttr("uniform-work-group-size", "true");
  return entry;
}

static void setParamAttributes(const ParamArgs &mapped, const Function &kernelFn, Function &entry) {
  LLVMContext &context = entry.getContext();
  for (unsigned i = mapped.first; i < mapped.first + mapped.count; ++i) {
    entry.getArg(i)->setName(mapped.count == 1
                                 ? mapped.param->name
                                 : mapped.param->name + (i == mapped.first ? "_ptr" : "_len"));
    if (mapped.param->kind != ParamKind::Aggregate) {
      copyParamAttributes(kernelFn, i, entry, i);
      continue;
    }
    Type *bytes = ArrayType::get(Type::getInt8Ty(context), mapped.param->size);
    entry.addParamAttr(i, Attribute::getWithByRefType(context, bytes));
    entry.addParamAttr(i, Attribute::getWithAlignment(context, Align(mapped.param->align)));
    entry.addParamAttr(i, Attribute::NoUndef);
  }
}

static void makeEntry(Module &module, const LoweredKernel &kernel) {
  Function &kernelFn = kernelFunction(module, kernel);
  Function *entry = declareEntry(module, kernel, kernelFn);
  prepareEntry(*entry, kernelFn);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", entry));
  SmallVector<Value *, 12> args;
  for (const ParamArgs &mapped : paramArgs(kernel, kernelFn)) {
    setParamAttributes(mapped, kernelFn, *entry);
    for (unsigned i = mapped.first; i < mapped.first + mapped.count; ++i) {
      Value *arg = entry->getArg(i);
      if (mapped.param->kind == ParamKind::Aggregate && !isReadOnlyArg(kernelFn, i))
        arg = copyAggregate(builder, *mapped.param, arg);
      else if (arg->getType()->isPointerTy())
        arg = builder.CreateAddrSpaceCast(arg, kernelFn.getArg(i)->getType());
      args.push_back(arg);
    }
  }
  if (hasLaunchContext(kernel)) {
    Argument *launch = entry->getArg(entry->arg_size() - 1);
    launch->setName("launch_context");
    args.push_back(builder.CreateIntToPtr(launch, builder.getPtrTy(), "context"));
  } else {
    args.push_back(ConstantPointerNull::get(builder.getPtrTy()));
  }
  callKernel(builder, kernelFn, args);
}

void makeEntries(lowering::LoweredModule &lowered, const TargetSpec &) {
  Module &module = *lowered.module;
  module.setModuleFlag(Module::Error, "amdhsa_code_object_version",
                       ConstantInt::get(Type::getInt32Ty(module.getContext()), 500));
  for (const LoweredKernel &kernel : lowered.kernels)
    makeEntry(module, kernel);
}

} // namespace mirgpu::codegen::amdgpu
