// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ends of a panicking thread on AMD GPUs. `llvm.amdgcn.endpgm` ends the whole wave (DESIGN D7):
// lanes have no program counter of their own, and a bare `unreachable` in a callee would let the
// lane carry on in the caller. The panic functions themselves are not convergent, though the
// intrinsic is, so that a bounds check does not make its function convergent.
#include "codegen/panic.h"
#include "codegen/entry.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace mirgpu::codegen::amdgpu {

static Value *increment(IRBuilder<> &builder, Value *address) {
  return builder.CreateAtomicRMW(AtomicRMWInst::Add, address, builder.getInt32(1), Align(4),
                                 AtomicOrdering::Monotonic);
}

static void end(IRBuilder<> &builder, bool trap) {
  builder.CreateIntrinsic(trap ? Intrinsic::ID(Intrinsic::trap)
                               : Intrinsic::ID(Intrinsic::amdgcn_endpgm),
                          ArrayRef<Value *>());
  builder.CreateUnreachable();
}

static void storeBlockIdx(IRBuilder<> &builder, intrinsics::Axis axis, Value *address) {
  builder.CreateAlignedStore(intrinsics::amdgpu::emitBlockIdx(builder, axis), address, Align(4));
}

static void storeThreadIdx(IRBuilder<> &builder, intrinsics::Axis axis, Value *address) {
  builder.CreateAlignedStore(intrinsics::amdgpu::emitThreadIdx(builder, axis), address, Align(4));
}

void definePanics(Module &module, const SetVector<Function *> &trapping) {
  defineGpuPanics(module, trapping, {increment, end, storeBlockIdx, storeThreadIdx});
}

} // namespace mirgpu::codegen::amdgpu
