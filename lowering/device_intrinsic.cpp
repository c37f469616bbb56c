// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of mirgpu's own intrinsics: `warp::shuffle_xor(mask, value, lane)` becomes
//   call i32 @"mirgpu.warp::shuffle_xor"(i32 %mask, i32 %value, i32 %lane, ptr %context, i32 place)
// which codegen/<target> expands. A row that the target lacks is a diagnostic (MG0201). A
// collective records its place.
#include "lowering/call.h"
#include "lowering/place_table.h"

#include "intrinsics/intrinsics.h"
#include "support/check.h"

namespace mirgpu::lowering {

/// The arguments one after the other; a newtype counts as what it wraps.
static std::optional<std::vector<llvm::Value *>> flatArguments(llvm::ArrayRef<OperandValue> args) {
  std::vector<llvm::Value *> values;
  for (const OperandValue &arg : args) {
    if (arg.kind == OperandValue::Kind::Ref)
      return std::nullopt;
    if (arg.first)
      values.push_back(arg.first);
    if (arg.second)
      values.push_back(arg.second);
  }
  return values;
}

static bool typesMatch(llvm::FunctionType *type, llvm::ArrayRef<llvm::Value *> values) {
  if (type->getNumParams() != values.size())
    return false;
  for (unsigned i = 0; i < values.size(); ++i)
    if (type->getParamType(i) != values[i]->getType())
      return false;
  return true;
}

void lowerDeviceIntrinsic(FunctionContext &fc, std::string_view id,
                          llvm::ArrayRef<OperandValue> args, const Destination &dest) {
  auto giveUp = [&] { storeTo(fc, dest, poisonOperand(fc, dest.ty)); };
  const std::string name = "`" + std::string(id) + "`";
  const intrinsics::IntrinsicDef *def = intrinsics::find(id);
  if (!def) {
    fc.error("MG0103", "this version of mirgpu has no operation " + name);
    return giveUp();
  }
  if (std::optional<std::string> missing =
          intrinsics::missingRequirement(*def, fc.mc.target.spec())) {
    fc.error("MG0201", name + " " + *missing + "; this build targets " + fc.mc.target.spec().name);
    return giveUp();
  }
  llvm::Function *callee = intrinsics::declare(*def, fc.mc.module);
  std::optional<std::vector<llvm::Value *>> values = flatArguments(args);
  if (values) {
    values->push_back(fc.context);
    values->push_back(fc.builder.getInt32(def->collective ? collectivePlace(fc, id) : 0));
  }
  const bool fits = values && typesMatch(callee->getFunctionType(), *values);
  const bool isVoid = callee->getReturnType()->isVoidTy();
  const OperandValue::Kind wanted =
      isVoid ? OperandValue::Kind::ZeroSized : OperandValue::Kind::Immediate;
  if (!fits || kindOf(fc.type(dest.ty)) != wanted ||
      (!isVoid && fc.mc.immediateType(dest.ty) != callee->getReturnType())) {
    fc.error("MG0103", "the declaration of " + name + " does not match the operation's signature");
    return giveUp();
  }
  llvm::CallInst *call = fc.builder.CreateCall(callee, *values);
  call->addFnAttr(llvm::Attribute::Convergent);
  storeTo(fc, dest,
          isVoid ? OperandValue::zeroSized(dest.ty) : OperandValue::immediate(dest.ty, call));
}

} // namespace mirgpu::lowering
