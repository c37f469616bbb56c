// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ends of a panicking thread on NVIDIA GPUs. `exit;` ends the thread: asm with side effects,
// since LLVM must not see through it, and not convergent (DESIGN D7). The trap form makes the
// record visible to the host first, then aborts the launch, and with it the CUDA context.
#include "codegen/panic.h"
#include "codegen/entry.h"

#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace mirgpu::codegen::nvptx {

static Value *increment(IRBuilder<> &builder, Value *address) {
  // LLVM 22's atomicrmw drops the scope, and a log in host memory needs it.
  auto *type = FunctionType::get(builder.getInt32Ty(), {builder.getPtrTy()}, false);
  InlineAsm *add =
      InlineAsm::get(type, "atom.relaxed.sys.add.u32 $0, [$1], 1;", "=r,l,~{memory}", true);
  return builder.CreateCall(type, add, {address});
}

static void end(IRBuilder<> &builder, bool trap) {
  if (trap) {
    builder.CreateFence(AtomicOrdering::AcquireRelease);
    builder.CreateIntrinsic(Intrinsic::trap, ArrayRef<Value *>());
  } else {
    auto *type = FunctionType::get(builder.getVoidTy(), false);
    builder.CreateCall(type, InlineAsm::get(type, "exit;", "~{memory}", true))
        ->addFnAttr(Attribute::NoUnwind);
  }
  builder.CreateUnreachable();
}

void definePanics(Module &module, const SetVector<Function *> &trapping) {
  defineGpuPanics(
      module, trapping,
      {increment, end, intrinsics::nvptx::emitThreadIdx, intrinsics::nvptx::emitBlockIdx});
}

} // namespace mirgpu::codegen::nvptx
