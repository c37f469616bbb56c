// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls by the ABI of function_abi.h. The destination place is evaluated before the arguments and
// the call. An argument that lives in memory goes as a pointer: to its own place if it is moved,
// else to a copy. `rust-call` takes its last tuple apart here.
#include "lowering/call.h"

#include "lowering/allocator.h"
#include "lowering/core_intrinsics.h"
#include "lowering/function_abi.h"
#include "lowering/math.h"
#include "lowering/memory_access.h"
#include "lowering/panic.h"
#include "lowering/unsize.h"
#include "mir_reader/rust_call.h"
#include "mir_reader/verify_shape.h"
#include "support/check.h"
#include "support/match.h"

namespace mirgpu::lowering {

/// Foreign functions that mean nothing to a device: hints of the host's processor.
static bool isIgnoredForeign(const mir::Function &function) {
  return function.linkName == "llvm.x86.sse2.pause" || isAllocatorShim(function);
}

/// The arguments as LLVM values, without result slot, location and context.
static void flatten(FunctionContext &fc, llvm::ArrayRef<OperandValue> args,
                    llvm::SmallVectorImpl<llvm::Value *> &values) {
  for (const OperandValue &arg : args) {
    switch (arg.kind) {
    case OperandValue::Kind::ZeroSized:
      break;
    case OperandValue::Kind::Immediate:
      values.push_back(arg.first);
      break;
    case OperandValue::Kind::Pair:
      values.push_back(arg.first);
      values.push_back(arg.second);
      break;
    case OperandValue::Kind::Ref: {
      // An under-aligned place (a packed field) cannot be handed over.
      PlaceRef place = arg.place();
      if (mir::isSized(fc.type(arg.ty)) && arg.align < fc.type(arg.ty).align) {
        place = fc.temporary(arg.ty, "arg");
        storeOperand(fc, arg, place);
      }
      values.push_back(place.address);
      if (place.metadata)
        values.push_back(place.metadata);
      break;
    }
    }
  }
}

static OperandValue resultValue(FunctionContext &fc, llvm::Value *call, mir::TypeId ty) {
  switch (kindOf(fc.type(ty))) {
  case OperandValue::Kind::ZeroSized:
  case OperandValue::Kind::Ref:
    return OperandValue::zeroSized(ty);
  case OperandValue::Kind::Immediate:
    return OperandValue::immediate(ty, call);
  case OperandValue::Kind::Pair:
    return OperandValue::pair(ty, fc.builder.CreateExtractValue(call, 0),
                              fc.builder.CreateExtractValue(call, 1));
  }
  llvm_unreachable("covered");
}

void emitCall(FunctionContext &fc, llvm::Value *callee, llvm::FunctionType *type,
              llvm::ArrayRef<OperandValue> args, llvm::Value *location, const Destination &dest) {
  llvm::SmallVector<llvm::Value *> values;
  std::optional<PlaceRef> slot;
  if (returnsInMemory(fc.mc, dest.ty)) {
    const bool fits = dest.memory && dest.memory->align >= fc.type(dest.ty).align;
    slot = fits ? *dest.memory : fc.temporary(dest.ty, "result");
    values.push_back(slot->address);
  }
  flatten(fc, args, values);
  if (location)
    values.push_back(location);
  values.push_back(fc.context);
  if (!type) {
    llvm::SmallVector<llvm::Type *> types;
    for (llvm::Value *value : values)
      types.push_back(value->getType());
    type = llvm::FunctionType::get(abiResultType(fc.mc, dest.ty), types, /*isVarArg=*/false);
  }
  MIRGPU_CHECK(type->getNumParams() == values.size(),
               "the arguments of a call do not match the callee");
  llvm::CallInst *call = fc.builder.CreateCall(type, callee, values);
  call->addFnAttr(llvm::Attribute::Convergent);
  if (slot && (!dest.memory || slot->address != dest.memory->address))
    storeTo(fc, dest, OperandValue::ref(*slot));
  else if (!slot)
    storeTo(fc, dest, resultValue(fc, call, dest.ty));
}

static OperandValue lowerArgument(FunctionContext &fc, const mir::Operand &operand) {
  const OperandValue value = lowerOperand(fc, operand);
  if (value.kind != OperandValue::Kind::Ref || std::holds_alternative<mir::Move>(operand) ||
      !mir::isSized(fc.type(value.ty)))
    return value;
  const PlaceRef copy = fc.temporary(value.ty, "arg");
  storeOperand(fc, value, copy);
  return OperandValue::ref(copy);
}

static std::vector<OperandValue> lowerArguments(FunctionContext &fc,
                                                const std::vector<mir::Operand> &operands) {
  std::vector<OperandValue> args;
  for (const mir::Operand &operand : operands)
    args.push_back(lowerArgument(fc, operand));
  return args;
}

/// rust-call: the fields of the last argument, a tuple, are arguments of their own.
static void spreadLast(FunctionContext &fc, std::vector<OperandValue> &args) {
  MIRGPU_CHECK(!args.empty() && mir::isKind<mir::TyTuple>(fc.program, args.back().ty),
               "a rust-call without a tuple");
  const OperandValue tuple = args.back();
  args.pop_back();
  const size_t count = fc.type(tuple.ty).variants.front().fields.size();
  for (uint32_t i = 0; i < count; ++i)
    args.push_back(extractField(fc, tuple, std::nullopt, i));
}

namespace {
/// A call or tail call while it is lowered.
struct PendingCall {
  std::vector<OperandValue> args;
  Destination dest;
  llvm::Value *location = nullptr;
};
} // namespace

static llvm::Value *lowerLocation(FunctionContext &fc,
                                  const std::optional<mir::CallerLocation> &location) {
  if (!location)
    return nullptr;
  if (!location->forward)
    return fc.allocAddress(location->alloc, 0);
  MIRGPU_CHECK(fc.callerLocation, "a function without a caller location passes it on");
  return fc.callerLocation;
}

static void callDirect(FunctionContext &fc, mir::FunctionId id, PendingCall &call) {
  id = standIn(fc.program, id);
  const mir::Function &function = fc.program.functions[id];
  if (const mir::ToolAttr *intrinsic = mir::findToolAttr(function.toolAttrs, "intrinsic");
      intrinsic && !intrinsic->args.empty())
    return lowerDeviceIntrinsic(fc, intrinsic->args.front(), call.args, call.dest);
  if (isIgnoredForeign(function) || lowerMathSymbol(fc, function, call.args, call.dest))
    return;
  if (isPanicFunction(function))
    return lowerPanicCall(fc, function);
  if (function.isVariadic) {
    fc.error("MG0103", "the function `" + std::string(function.defPath) +
                           "` with a variable number of arguments is not supported in kernels");
    storeTo(fc, call.dest, poisonOperand(fc, call.dest.ty));
    return;
  }
  // A call that does not come back may have a place of any type for the result.
  if (!mir::sameShape(fc.type(call.dest.ty), fc.type(function.output)))
    call.dest = {function.output, std::nullopt, std::nullopt};
  if (function.abi == "rust-call")
    spreadLast(fc, call.args);
  llvm::Function *callee = fc.functionFor(id);
  if (callee->isDeclaration() && !function.body && !isPanicFunction(function)) {
    storeTo(fc, call.dest, poisonOperand(fc, call.dest.ty));
    return;
  }
  llvm::Value *location = function.trackCaller ? call.location : nullptr;
  if (function.trackCaller && !location)
    location = llvm::PoisonValue::get(fc.mc.pointerType());
  emitCall(fc, callee, callee->getFunctionType(), call.args, location, call.dest);
}

/// The function behind `dyn Fn`: its slot in the vtable that the first argument carries, called
/// with the data pointer alone.
static void callVirtual(FunctionContext &fc, const mir::CalleeVirtual &callee, PendingCall &call) {
  OperandValue &self = call.args.front();
  MIRGPU_CHECK(self.second, "a virtual call on a pointer without a vtable");
  llvm::Value *target = loadVtableSlot(fc, self.second, callee.slot, fc.mc.pointerType());
  self = OperandValue::immediate(self.ty, self.first);
  if (mir::isRustCallMethod(callee.method))
    spreadLast(fc, call.args);
  emitCall(fc, target, nullptr, call.args, call.location, call.dest);
}

static void callIntrinsic(FunctionContext &fc, const mir::CalleeIntrinsic &callee,
                          PendingCall &call) {
  fc.currentCallLocation = call.location;
  std::optional<OperandValue> result = lowerCoreIntrinsic(fc, callee, call.args, call.dest);
  fc.currentCallLocation = nullptr;
  if (fc.builder.GetInsertBlock()->getTerminator())
    return;
  if (result) {
    const bool inPlace = result->kind == OperandValue::Kind::Ref && call.dest.memory &&
                         result->first == call.dest.memory->address;
    if (!inPlace)
      storeTo(fc, call.dest, *result);
  } else if (callee.fallback.isValid()) {
    callDirect(fc, callee.fallback, call);
  } else {
    fc.error("MG0103", "the core intrinsic `" + std::string(callee.name) +
                           "` is not supported in kernels yet");
    storeTo(fc, call.dest, poisonOperand(fc, call.dest.ty));
  }
}

static void lowerCallee(FunctionContext &fc, const mir::Callee &callee, PendingCall &call) {
  match(
      callee, [&](const mir::CalleeDirect &direct) { callDirect(fc, direct.function, call); },
      [&](const mir::CalleeIntrinsic &intrinsic) { callIntrinsic(fc, intrinsic, call); },
      [&](const mir::CalleeVirtual &method) { callVirtual(fc, method, call); },
      [&](const mir::CalleePointer &pointer) {
        llvm::Value *target = lowerOperand(fc, pointer.operand).imm();
        emitCall(fc, target, nullptr, call.args, call.location, call.dest);
      },
      [&](const mir::CalleeDropGlue &glue) { callDirect(fc, glue.function, call); },
      [&](const mir::CalleeDropVirtual &) { dropVirtual(fc, derefPointer(fc, call.args.front())); },
      // Empty drop glue, or a shim that does nothing.
      [](const mir::CalleeNothing &) {},
      [&](const mir::CalleeConstant &constant) {
        storeTo(fc, call.dest, lowerConstant(fc, constant.value));
      });
}

void lowerCall(FunctionContext &fc, const mir::Call &call) {
  PendingCall pending;
  pending.dest = lowerDestination(fc, call.dest);
  pending.args = lowerArguments(fc, call.args);
  pending.location = lowerLocation(fc, call.callerLocation);
  lowerCallee(fc, call.callee, pending);
  if (fc.builder.GetInsertBlock()->getTerminator())
    return;
  if (call.target.isValid())
    fc.builder.CreateBr(fc.blockFor(call.target));
  else
    fc.builder.CreateUnreachable();
}

bool isSelfTailCall(const mir::Function &function, mir::FunctionId id, const mir::TailCall &call) {
  const auto *direct = std::get_if<mir::CalleeDirect>(&call.callee);
  return direct && direct->function == id && !function.spreadArg &&
         call.args.size() == function.inputs.size();
}

/// Every argument is evaluated before the first parameter changes: one may be made of another.
static void startOver(FunctionContext &fc, const mir::TailCall &call) {
  std::vector<OperandValue> args;
  for (const mir::Operand &operand : call.args) {
    OperandValue value = lowerOperand(fc, operand);
    if (value.kind == OperandValue::Kind::Ref) {
      const PlaceRef copy = fc.temporary(value.ty, "next");
      storeOperand(fc, value, copy);
      value = OperandValue::ref(copy);
    }
    args.push_back(value);
  }
  for (uint32_t i = 0; i < args.size(); ++i)
    if (const PlaceRef *slot = fc.slotOf(mir::LocalId(i + 1)))
      storeOperand(fc, args[i], *slot);
  fc.builder.CreateBr(fc.blockFor(mir::BlockId(0)));
}

void lowerTailCall(FunctionContext &fc, const mir::TailCall &call) {
  if (isSelfTailCall(fc.function, fc.id, call))
    return startOver(fc, call);
  const auto *direct = std::get_if<mir::CalleeDirect>(&call.callee);
  fc.unsupported(direct ? "a tail call of `" +
                              std::string(fc.program.functions[direct->function].defPath) +
                              "`, another function than its caller,"
                        : "a tail call through a pointer or a trait object",
                 "a function may `become` itself, which is a loop; no GPU has other tail calls");
  fc.builder.CreateUnreachable();
}

} // namespace mirgpu::lowering
