// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drop terminators: empty glue is a branch, known glue a call with a pointer to the place (wide for
// slices), and a `dyn` value is dropped through slot 0 of its vtable, where null means that there
// is nothing to do.
#include "lowering/call.h"

#include "lowering/function_abi.h"
#include "lowering/memory_access.h"
#include "lowering/unsize.h"
#include "support/check.h"
#include "support/match.h"

namespace mirgpu::lowering {

void dropVirtual(FunctionContext &fc, const PlaceRef &place) {
  llvm::IRBuilder<> &b = fc.builder;
  MIRGPU_CHECK(place.metadata, "a virtual drop of a place without a vtable");
  llvm::Value *glue = loadVtableSlot(fc, place.metadata, 0, fc.mc.pointerType());
  llvm::BasicBlock *call = fc.newBlock("drop"), *after = fc.newBlock("drop.end");
  b.CreateCondBr(b.CreateIsNotNull(glue), call, after);
  b.SetInsertPoint(call);
  llvm::FunctionType *type = llvm::FunctionType::get(
      b.getVoidTy(), {fc.mc.pointerType(), fc.mc.pointerType()}, /*isVarArg=*/false);
  llvm::CallInst *drop = b.CreateCall(type, glue, {place.address, fc.context});
  drop->addFnAttr(llvm::Attribute::Convergent);
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

static void dropByGlue(FunctionContext &fc, mir::FunctionId glue, const PlaceRef &place) {
  llvm::Function *callee = fc.functionFor(glue);
  const mir::TypeId pointer = fc.program.functions[glue].inputs.front();
  const Destination nothing{fc.program.functions[glue].output, std::nullopt, std::nullopt};
  emitCall(fc, callee, callee->getFunctionType(), addressOf(fc, place, pointer), nullptr, nothing);
}

void lowerDrop(FunctionContext &fc, const mir::Drop &drop) {
  match(
      drop.callee,
      [&](const mir::CalleeDropGlue &glue) {
        dropByGlue(fc, glue.function, lowerPlace(fc, drop.place));
      },
      [&](const mir::CalleeDropVirtual &) { dropVirtual(fc, lowerPlace(fc, drop.place)); },
      [](const mir::CalleeNothing &) {},
      [&](const mir::CalleeDirect &direct) {
        dropByGlue(fc, direct.function, lowerPlace(fc, drop.place));
      },
      [](const mir::CalleeIntrinsic &) { MIRGPU_CHECK(false, "a drop by an intrinsic"); },
      [](const mir::CalleeVirtual &) { MIRGPU_CHECK(false, "a drop by a virtual method"); },
      [](const mir::CalleePointer &) { MIRGPU_CHECK(false, "a drop by a pointer"); },
      [](const mir::CalleeConstant &) { MIRGPU_CHECK(false, "a drop by a constant"); });
  fc.builder.CreateBr(fc.blockFor(drop.target));
}

} // namespace mirgpu::lowering
