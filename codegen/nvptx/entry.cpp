// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX entry of a kernel (DESIGN D11), a thin `ptx_kernel` around the neutral function:
//   define ptx_kernel void @saxpy(float %a, ptr noalias readonly %x, i64 %x.len, ptr %y, i64
//   %y.len, i64 %launch_context)
// Aggregates are `byval` bytes, `nvvm.grid_constant` if the kernel only reads them, which spares
// the local copy. Pointer parameters of a ptx_kernel are global memory to LLVM; with the neutral
// function's `noalias readonly` they give ld.global.nc.
#include "codegen/entry.h"
#include "codegen/kernels.h"

using namespace llvm;

namespace mirgpu::codegen::nvptx {

using lowering::LoweredKernel;
using mgpu::ParamKind;

static Function *declareEntry(Module &module, const LoweredKernel &kernel, Function &kernelFn) {
  LLVMContext &context = module.getContext();
  SmallVector<Type *, 12> types;
  for (unsigned i = 0; i + 1 < kernelFn.arg_size(); ++i)
    types.push_back(kernelFn.getArg(i)->getType());
  if (hasLaunchContext(kernel))
    types.push_back(Type::getInt64Ty(context));
  Function *entry = createEntry(module, kernel, types);
  entry->setCallingConv(CallingConv::PTX_Kernel);
  if (kernel.maxThreads)
    entry->addFnAttr("nvvm.maxntid", std::to_string(kernel.maxThreads));
  if (kernel.minBlocks)
    entry->addFnAttr("nvvm.minctasm", std::to_string(kernel.minBlocks));
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
    entry.addParamAttr(i, Attribute::getWithByValType(context, bytes));
    entry.addParamAttr(i, Attribute::getWithAlignment(context, Align(mapped.param->align)));
    entry.addParamAttr(i, Attribute::NoUndef);
    if (isReadOnlyArg(kernelFn, i)) {
      entry.addParamAttr(i, Attribute::get(context, "nvvm.grid_constant"));
      entry.addParamAttr(i, Attribute::ReadOnly);
    }
  }
}

static void makeEntry(Module &module, const LoweredKernel &kernel) {
  Function &kernelFn = kernelFunction(module, kernel);
  Function *entry = declareEntry(module, kernel, kernelFn);
  prepareEntry(*entry, kernelFn);
  for (const ParamArgs &mapped : paramArgs(kernel, kernelFn))
    setParamAttributes(mapped, kernelFn, *entry);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", entry));
  SmallVector<Value *, 12> args;
  for (unsigned i = 0; i + 1 < kernelFn.arg_size(); ++i)
    args.push_back(entry->getArg(i));
  if (hasLaunchContext(kernel)) {
    Argument *launch = entry->getArg(entry->arg_size() - 1);
    launch->setName("launch_context");
    args.push_back(builder.CreateIntToPtr(launch, builder.getPtrTy(), "context"));
  } else {
    args.push_back(ConstantPointerNull::get(builder.getPtrTy()));
  }
  callKernel(builder, kernelFn, args);
}

void makeEntries(lowering::LoweredModule &lowered) {
  for (const LoweredKernel &kernel : lowered.kernels)
    makeEntry(*lowered.module, kernel);
}

} // namespace mirgpu::codegen::nvptx
