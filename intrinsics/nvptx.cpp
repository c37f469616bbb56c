// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emitters for NVIDIA GPUs: LLVM's NVVM intrinsics and instructions. Atomics become inline PTX
// after the passes (codegen/nvptx/atomics.cpp).
#include "intrinsics/emitters.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace mirgpu::intrinsics::nvptx {

Value *syncThreads(EmitContext &cx, CallBase &) {
  // PTX ISA "barrier": the form without `.aligned` may stand in divergent code.
  cx.builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_all, {}, {cx.builder.getInt32(0)});
  return nullptr;
}

static Value *emitShuffle(EmitContext &cx, CallBase &call, Intrinsic::ID id, bool up) {
  Value *control = shuffleControl(cx.builder, call.getArgOperand(3), up);
  return cx.builder.CreateIntrinsic(
      id, {}, {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2), control});
}

Value *shuffle(EmitContext &cx, CallBase &call) {
  return emitShuffle(cx, call, Intrinsic::nvvm_shfl_sync_idx_i32, false);
}
Value *shuffleUp(EmitContext &cx, CallBase &call) {
  return emitShuffle(cx, call, Intrinsic::nvvm_shfl_sync_up_i32, true);
}
Value *shuffleDown(EmitContext &cx, CallBase &call) {
  return emitShuffle(cx, call, Intrinsic::nvvm_shfl_sync_down_i32, false);
}
Value *shuffleXor(EmitContext &cx, CallBase &call) {
  return emitShuffle(cx, call, Intrinsic::nvvm_shfl_sync_bfly_i32, false);
}

} // namespace mirgpu::intrinsics::nvptx
