// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From calls of `mirgpu.<id>` to what the row's column for the target emits.
//   call i32 @"mirgpu.warp::lane_id"(ptr %context, i32 0)   →   call i32
//   @llvm.nvvm.read.ptx.sreg.laneid()
// Invariant: afterwards no declaration of a row is left in the module. Functions are visited in
// module order and calls in use-list order, which the reader of the module fixed, so that the
// result is the same on every machine.
#include "intrinsics/intrinsics.h"

#include "intrinsics/signature.h"
#include "support/check.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace mirgpu::intrinsics {

static constexpr StringLiteral kPrefix = "mirgpu.";

static Value *emitLlvmCall(EmitContext &cx, const char *name, CallBase &call, unsigned operands) {
  Intrinsic::ID id = Intrinsic::lookupIntrinsicID(name);
  MIRGPU_CHECK(id != Intrinsic::not_intrinsic, "a row names an unknown LLVM intrinsic");
  SmallVector<Value *, 6> args(call.arg_begin(), call.arg_begin() + operands);
  CallInst *made = cx.builder.CreateCall(Intrinsic::getOrInsertDeclaration(&cx.module, id), args);
  return made->getType()->isVoidTy() ? nullptr : made;
}

static void expandCall(const IntrinsicDef &def, CallBase &call, Module &module,
                       const TargetSpec &target) {
  MIRGPU_CHECK(call.arg_size() == def.signature.count + 2u,
               "an intrinsic call lacks its context or place");
  IRBuilder<> builder(&call);
  EmitContext cx{builder, module, target, call.getArgOperand(def.signature.count),
                 call.getArgOperand(def.signature.count + 1)};
  const Column &column = columnOf(def, target.backend);
  MIRGPU_CHECK(!column.isEmpty(),
               "an intrinsic that the target does not have reached code generation");
  Value *result = column.emitter
                      ? column.emitter(cx, call)
                      : emitLlvmCall(cx, column.llvmIntrinsic, call, def.signature.count);
  if (result) {
    call.replaceAllUsesWith(result);
    if (isa<Instruction>(result) && !result->hasName())
      result->takeName(&call);
  }
  call.eraseFromParent();
}

void expandIntrinsics(Module &module, const TargetSpec &target) {
  for (Function &fn : make_early_inc_range(module)) {
    if (!fn.isDeclaration() || !fn.getName().starts_with(kPrefix))
      continue;
    const IntrinsicDef *def = find(std::string_view(fn.getName().drop_front(kPrefix.size())));
    if (!def)
      continue;
    for (User *user : make_early_inc_range(fn.users())) {
      auto *call = dyn_cast<CallBase>(user);
      MIRGPU_CHECK(call && call->getCalledOperand() == &fn,
                   "an intrinsic is used other than by a call");
      expandCall(*def, *call, module, target);
    }
    fn.eraseFromParent();
  }
}

} // namespace mirgpu::intrinsics
