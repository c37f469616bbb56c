// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emitters for NVIDIA GPUs: LLVM's NVVM intrinsics where they have the operation, inline PTX where
// they lose something. LLVM 22's atomicrmw prints neither order nor scope, so atomics are inline
// PTX in the generic form, with memory clobbered; codegen/nvptx names the state space once it is
// known. Every asm call is convergent (DESIGN D6).
#include "intrinsics/emitters.h"

#include "llvm/IR/InlineAsm.h"
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

/// PTX's type suffix of an addition and the register class of its operands.
static std::pair<StringRef, StringRef> addType(const Type *ty) {
  if (ty->isFloatTy())
    return {"f32", "f"};
  if (ty->isDoubleTy())
    return {"f64", "d"};
  return ty->isIntegerTy(64) ? std::pair<StringRef, StringRef>("u64", "l")
                             : std::pair<StringRef, StringRef>("u32", "r");
}

static Value *emitAdd(EmitContext &cx, CallBase &call, StringRef scope) {
  Value *address = call.getArgOperand(0), *addend = call.getArgOperand(1);
  auto [suffix, reg] = addType(addend->getType());
  std::string text = ("atom.relaxed." + scope + ".add." + suffix + " $0, [$1], $2;").str();
  std::string constraints = ("=" + reg + ",l," + reg + ",~{memory}").str();
  auto *type = FunctionType::get(addend->getType(), {address->getType(), addend->getType()}, false);
  CallInst *made =
      cx.builder.CreateCall(type, InlineAsm::get(type, text, constraints, true), {address, addend});
  made->addFnAttr(Attribute::Convergent);
  made->addFnAttr(Attribute::NoUnwind);
  return made;
}

Value *blockAdd(EmitContext &cx, CallBase &call) { return emitAdd(cx, call, "cta"); }
Value *deviceAdd(EmitContext &cx, CallBase &call) { return emitAdd(cx, call, "gpu"); }

Value *emitThreadIdx(IRBuilder<> &builder, Axis axis) {
  static constexpr Intrinsic::ID ids[] = {Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                          Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                          Intrinsic::nvvm_read_ptx_sreg_tid_z};
  return builder.CreateIntrinsic(ids[static_cast<unsigned>(axis)], ArrayRef<Value *>());
}

Value *emitBlockIdx(IRBuilder<> &builder, Axis axis) {
  static constexpr Intrinsic::ID ids[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                          Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                          Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
  return builder.CreateIntrinsic(ids[static_cast<unsigned>(axis)], ArrayRef<Value *>());
}

} // namespace mirgpu::intrinsics::nvptx
