// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of `heap::…`: where the launch's heap lies, which the launch context says on every target.
#include "intrinsics/emitters.h"
#include "intrinsics/signature.h"

#include "support/cpu_abi.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace mirgpu::intrinsics {

/// Global memory of NVPTX and of AMDGPU; the heap lies there.
static constexpr unsigned kGlobalSpace = 1;

static Value *loadBase(EmitContext &cx, Value *launch) {
  IRBuilder<> &b = cx.builder;
  Value *address =
      b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), launch, offsetof(abi::LaunchContext, heap));
  LoadInst *load = b.CreateAlignedLoad(b.getInt64Ty(), address, Align(8));
  MDNode *none = MDNode::get(b.getContext(), {});
  load->setMetadata(LLVMContext::MD_invariant_load, none);
  load->setMetadata(LLVMContext::MD_noundef, none);
  return load;
}

/// A GPU function's context is the launch context itself.
static Value *gpuBase(EmitContext &cx, CallBase &) {
  IRBuilder<> &b = cx.builder;
  Value *global = b.CreateIntToPtr(loadBase(cx, cx.context), b.getPtrTy(kGlobalSpace));
  return b.CreateAddrSpaceCast(global, b.getPtrTy());
}

static Value *hostBase(EmitContext &cx, CallBase &) {
  IRBuilder<> &b = cx.builder;
  Value *launch = host::emitField(b, b.getPtrTy(), host::emitBlock(b, cx.context),
                                  offsetof(abi::BlockContext, launch));
  return b.CreateIntToPtr(loadBase(cx, launch), b.getPtrTy());
}

// clang-format off
static constexpr IntrinsicDef rows[] = {
  // id          signature      nvptx            amdgpu           host              minimums  collective  doc
  {"heap::base", sig<ptr()>(),  custom(gpuBase), custom(gpuBase), custom(hostBase), {},       false, "First byte of the launch's heap."},
};
// clang-format on

std::span<const IntrinsicDef> heapRows() { return rows; }

} // namespace mirgpu::intrinsics
