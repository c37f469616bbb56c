// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entries of a kernel on the CPU (DESIGN D15, support/cpu_abi.h). Tier T3, which every kernel
// has, runs each thread of the block on a fiber; tier T0 (thread_loop.h) calls the same lane
// function in a loop.
//   define void @saxpy(ptr %args, ptr %block)               { block->services->runFibers(block,
//   @mirgpu.lane.saxpy, args) } define internal void @mirgpu.lane.saxpy(ptr %args, ptr %lane) {
//   mirgpu.kernel.saxpy(*args[0], …, lane) }
// `args[i]` points to the i-th parameter's bytes, which all threads share: an aggregate that the
// kernel writes to is copied.
#include "codegen/entry.h"
#include "codegen/host/thread_loop.h"
#include "codegen/kernels.h"
#include "intrinsics/emitters.h"
#include "support/cpu_abi.h"

using namespace llvm;

namespace mirgpu::codegen::host {

using intrinsics::host::emitField;
using lowering::LoweredKernel;
using mgpu::ParamKind;

static constexpr uint64_t kPointerBytes = 8;

/// The arguments of the neutral function that the parameter at `bytes` makes.
static void loadParam(IRBuilder<> &builder, const ParamArgs &mapped, const Function &kernelFn,
                      Value *bytes, SmallVectorImpl<Value *> &args) {
  switch (mapped.param->kind) {
  case ParamKind::Scalar:
  case ParamKind::Pointer: {
    LoadInst *load = builder.CreateAlignedLoad(kernelFn.getArg(mapped.first)->getType(), bytes,
                                               Align(mapped.param->align));
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
    args.push_back(load);
    return;
  }
  case ParamKind::Slice:
  case ParamKind::SliceMut:
  case ParamKind::DisjointSlice:
    args.push_back(emitField(builder, builder.getPtrTy(), bytes, 0));
    args.push_back(emitField(builder, builder.getInt64Ty(), bytes, kPointerBytes));
    return;
  case ParamKind::Aggregate:
    args.push_back(isReadOnlyArg(kernelFn, mapped.first)
                       ? bytes
                       : copyAggregate(builder, *mapped.param, bytes));
    return;
  case ParamKind::LaunchContext:
    return; // the lane knows its launch
  }
  llvm_unreachable("covered");
}

static Function *makeLane(Module &module, const LoweredKernel &kernel) {
  Function &kernelFn = kernelFunction(module, kernel);
  LLVMContext &context = module.getContext();
  Type *ptr = PointerType::get(context, 0);
  Function *lane =
      Function::Create(FunctionType::get(Type::getVoidTy(context), {ptr, ptr}, false),
                       GlobalValue::InternalLinkage, "mirgpu.lane." + kernel.entry, module);
  prepareEntry(*lane, kernelFn);
  lane->getArg(0)->setName("args");
  lane->getArg(1)->setName("lane");
  IRBuilder<> builder(BasicBlock::Create(context, "entry", lane));
  SmallVector<Value *, 12> args;
  unsigned index = 0;
  for (const ParamArgs &mapped : paramArgs(kernel, kernelFn)) {
    Value *bytes =
        mapped.count ? emitField(builder, ptr, lane->getArg(0), kPointerBytes * index) : nullptr;
    loadParam(builder, mapped, kernelFn, bytes, args);
    ++index;
  }
  args.push_back(lane->getArg(1));
  callKernel(builder, kernelFn, args);
  return lane;
}

static void makeFiberEntry(Module &module, const LoweredKernel &kernel, Function *lane) {
  LLVMContext &context = module.getContext();
  Type *ptr = PointerType::get(context, 0), *none = Type::getVoidTy(context);
  Function *entry = createEntry(module, kernel, {ptr, ptr});
  entry->addFnAttr(Attribute::NoUnwind);
  Argument *args = entry->getArg(0), *block = entry->getArg(1);
  args->setName("args");
  block->setName("block");
  IRBuilder<> builder(BasicBlock::Create(context, "entry", entry));
  Value *run =
      intrinsics::host::emitService(builder, block, offsetof(abi::HostServices, runFibers));
  builder.CreateCall(FunctionType::get(none, {ptr, ptr, ptr}, false), run, {block, lane, args});
  builder.CreateRetVoid();
}

std::vector<std::string> makeEntries(lowering::LoweredModule &lowered,
                                     ArrayRef<std::string> refusals) {
  std::vector<std::string> made;
  for (size_t i = 0; i < lowered.kernels.size(); ++i) {
    const LoweredKernel &kernel = lowered.kernels[i];
    Function *lane = makeLane(*lowered.module, kernel);
    makeFiberEntry(*lowered.module, kernel, lane);
    made.push_back(kernel.entry);
    if (refusals.empty())
      continue;
    made.push_back(refusals[i].empty() ? makeThreadLoop(*lowered.module, kernel, *lane)
                                       : makeReason(*lowered.module, kernel, refusals[i]));
  }
  return made;
}

} // namespace mirgpu::codegen::host
