// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ends of a panicking thread on NVIDIA GPUs. `exit;` ends the thread: asm with side effects,
// since LLVM must not see through it, and not convergent (DESIGN D7). The trap form makes the
// record visible to the host first, then aborts the launch, and with it the CUDA context.
#include "codegen/panic.h"
#include "codegen/entry.h"

#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace mirgpu::codegen::nvptx {

/// Emits asm with side effects that is not convergent.
static CallInst *emitAsm(IRBuilder<> &builder, Type *result, const Twine &text,
                         StringRef constraints, ArrayRef<Value *> args) {
  SmallVector<Type *, 2> types;
  for (Value *arg : args)
    types.push_back(arg->getType());
  auto *type = FunctionType::get(result, types, false);
  CallInst *call =
      builder.CreateCall(type, InlineAsm::get(type, text.str(), constraints, true), args);
  call->addFnAttr(Attribute::NoUnwind);
  return call;
}

static Value *increment(IRBuilder<> &builder, Value *address) {
  // LLVM 22's atomicrmw drops the scope, and a log in host memory needs it. `inc` adds 1 below its
  // bound, which no count reaches; that it differs from thread to thread keeps ptxas from combining
  // the threads of a warp first, which takes more registers than many a kernel.
  return emitAsm(builder, builder.getInt32Ty(),
                 "{ .reg .b32 bound; mov.u32 bound, %tid.x; or.b32 bound, bound, 0xffff0000; "
                 "atom.relaxed.sys.inc.u32 $0, [$1], bound; }",
                 "=r,l,~{memory}", {address});
}

/// Stores one coordinate. The test, which never holds, keeps ptxas from reading all coordinates
/// before it stores any: that too takes registers.
static void storeCoordinate(IRBuilder<> &builder, StringRef name, intrinsics::Axis axis,
                            Value *address) {
  StringRef letter = StringRef("xyz").substr(static_cast<unsigned>(axis), 1);
  emitAsm(builder, builder.getVoidTy(),
          "{ .reg .pred never; .reg .b32 at; mov.u32 at, %" + name + "." + letter +
              "; st.u32 [$0], at; setp.eq.u32 never, at, 0xffffffff; @never exit; }",
          "l,~{memory}", {address});
}

static void storeBlockIdx(IRBuilder<> &builder, intrinsics::Axis axis, Value *address) {
  storeCoordinate(builder, "ctaid", axis, address);
}

static void storeThreadIdx(IRBuilder<> &builder, intrinsics::Axis axis, Value *address) {
  storeCoordinate(builder, "tid", axis, address);
}

static void end(IRBuilder<> &builder, bool trap) {
  if (trap) {
    builder.CreateFence(AtomicOrdering::AcquireRelease);
    builder.CreateIntrinsic(Intrinsic::trap, ArrayRef<Value *>());
  } else {
    emitAsm(builder, builder.getVoidTy(), "exit;", "~{memory}", {});
  }
  builder.CreateUnreachable();
}

void definePanics(Module &module, const SetVector<Function *> &trapping) {
  defineGpuPanics(module, trapping, {increment, end, storeBlockIdx, storeThreadIdx});
}

} // namespace mirgpu::codegen::nvptx
