// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of calls and drops: arguments and results against the signature where the callee's is
// known, one caller location where the callee takes one. A rust-call function's last argument is a
// tuple at the call, and its fields are the parameters; both sides are spread before they are
// compared, so that it does not matter which of them has the tuple.
#include "mir_reader/rust_call.h"
#include "mir_reader/verify_body.h"

#include "support/match.h"

namespace mirgpu::mir {

using Types = llvm::SmallVector<TypeId, 8>;

// ---- Signatures
// -----------------------------------------------------------------------------------

/// Replaces the last type, a tuple, by its fields. False if it is no tuple.
static bool spreadLast(const Program &program, Types &types) {
  if (types.empty() || !isKind<TyTuple>(program, types.back()))
    return false;
  TypeId tuple = types.pop_back_val();
  for (const Field &field : program.types[tuple].variants[0].fields)
    types.push_back(field.ty);
  return true;
}

static void compare(BodyVerifier &b, const Types &args, const Types &inputs, bool isVariadic) {
  bool fits = isVariadic ? args.size() >= inputs.size() : args.size() == inputs.size();
  if (!b.v.check(fits, "the call has " + llvm::Twine(args.size()) + " arguments, the callee " +
                           llvm::Twine(inputs.size()) + " parameters"))
    return;
  for (size_t i = 0; i < inputs.size() && !b.v.failed(); ++i) {
    Verifier::At at(b.v, "args", i);
    b.assignable(inputs[i], args[i], "argument");
  }
}

static void checkSignature(BodyVerifier &b, const Signature &signature, Types args) {
  Types inputs(signature.inputs.begin(), signature.inputs.end());
  if (signature.abi == "rust-call" && signature.function.isValid()) {
    if (!b.v.check(spreadLast(b.program, args),
                   "the last argument of a rust-call function must be a tuple"))
      return;
    if (b.program.functions[signature.function].spreadArg)
      spreadLast(b.program, inputs);
  }
  compare(b, args, inputs, signature.isVariadic);
}

/// A drop glue takes one pointer.
static void checkGlue(BodyVerifier &b, FunctionId function) {
  if (!b.v.function(function))
    return;
  const Function &glue = b.program.functions[function];
  b.v.check(glue.inputs.size() == 1 && b.isPointer(glue.inputs[0]) && !glue.trackCaller &&
                glue.abi != "rust-call",
            "a drop glue must have one parameter, a pointer");
}

// ---- Callees
// --------------------------------------------------------------------------------------

static void checkDirect(BodyVerifier &b, FunctionId function, const Types &args, bool hasLocation) {
  checkSignature(b, signatureOf(b.program, function), args);
  b.v.check(hasLocation || !b.program.functions[function].trackCaller,
            "the callee takes its caller's location, and the call has none");
}

/// The fallback may take its caller's location although the intrinsic's call has none.
static void checkIntrinsic(BodyVerifier &b, const CalleeIntrinsic &intrinsic, const Types &args) {
  b.v.type(intrinsic.ty);
  for (const GenericArg &argument : intrinsic.args)
    b.v.type(argument.ty);
  if (b.v.functionOrNone(intrinsic.fallback) && intrinsic.fallback.isValid())
    checkSignature(b, signatureOf(b.program, intrinsic.fallback), args);
}

/// The receiver carries the vtable: a wide pointer, possibly in structs, or an unsized place.
static void checkVirtual(BodyVerifier &b, const CalleeVirtual &method, const Types &args) {
  b.v.type(method.ty);
  if (!b.v.check(!args.empty(), "a virtual call must have a receiver"))
    return;
  const Type &receiver = b.type(args[0]);
  const ReprPair *pair = pairOf(receiver);
  bool isWide = pair && pair->a.primitive == Primitive::Pointer &&
                pair->b.primitive == Primitive::Pointer && pair->bOffset == 8;
  bool isDyn = receiver.unsizedTail && receiver.unsizedTail->metadata == Metadata::Vtable;
  b.v.check(isWide || isDyn, "the receiver of a virtual call must carry a vtable");
  b.v.check(!isRustCallMethod(method.method) ||
                (args.size() == 2 && isKind<TyTuple>(b.program, args.back())),
            "a call of `" + text(method.method) + "` must have a receiver and a tuple");
}

static void checkPointer(BodyVerifier &b, const CalleePointer &pointer, const Types &args) {
  TypeId ty = b.sizedOperand(pointer.operand);
  if (!ty.isValid() || !b.v.type(pointer.ty))
    return;
  if (!b.v.check(isKind<TyFnPtr>(b.program, ty), "`" + b.v.name(ty) + "` is no function pointer"))
    return;
  checkSignature(b, *signatureOf(b.program, ty), args);
}

/// `drop_in_place(pointer)` of a known glue or through a vtable.
static void checkDropCall(BodyVerifier &b, const Types &args, bool isVirtual) {
  bool fits = args.size() == 1 && b.isPointer(args[0]);
  b.v.check(fits, "a drop must have one argument, a pointer");
  if (fits && isVirtual)
    b.v.check(metadataOf(b.program, pointeeOf(b.program, args[0])) == Metadata::Vtable,
              "a virtual drop needs a pointer with a vtable");
}

static void checkCallee(BodyVerifier &b, const Callee &callee, const Types &args,
                        bool hasLocation) {
  match(
      callee,
      [&](const CalleeDirect &direct) {
        b.v.type(direct.ty);
        if (b.v.function(direct.function))
          checkDirect(b, direct.function, args, hasLocation);
      },
      [&](const CalleeIntrinsic &intrinsic) { checkIntrinsic(b, intrinsic, args); },
      [&](const CalleeVirtual &method) { checkVirtual(b, method, args); },
      [&](const CalleePointer &pointer) { checkPointer(b, pointer, args); },
      [&](const CalleeDropGlue &glue) {
        checkGlue(b, glue.function);
        if (!b.v.failed())
          checkDropCall(b, args, /*isVirtual=*/false);
      },
      [&](const CalleeDropVirtual &) { checkDropCall(b, args, /*isVirtual=*/true); },
      [](const CalleeNothing &) {},
      [&](const CalleeConstant &constant) { verifyConstant(b.v, constant.value); });
}

/// What a call of `callee` gives; invalid if the file does not say.
static TypeId outputOf(const Program &program, const BodyVerifier &b, const Callee &callee) {
  if (const auto *direct = std::get_if<CalleeDirect>(&callee))
    return program.functions[direct->function].output;
  if (const auto *intrinsic = std::get_if<CalleeIntrinsic>(&callee))
    return intrinsic->fallback.isValid() ? program.functions[intrinsic->fallback].output : TypeId();
  if (const auto *constant = std::get_if<CalleeConstant>(&callee))
    return constant->value.ty;
  if (const auto *pointer = std::get_if<CalleePointer>(&callee))
    return signatureOf(program, operandType(program, b.body, pointer->operand))->output;
  return TypeId();
}

/// Whether a call of `callee` has no result by its kind.
static bool givesNothing(const Callee &callee) {
  return std::holds_alternative<CalleeDropGlue>(callee) ||
         std::holds_alternative<CalleeDropVirtual>(callee) ||
         std::holds_alternative<CalleeNothing>(callee);
}

static Types operandTypes(BodyVerifier &b, const std::vector<Operand> &operands) {
  Types types;
  for (size_t i = 0; i < operands.size() && !b.v.failed(); ++i) {
    Verifier::At at(b.v, "args", i);
    types.push_back(b.operand(operands[i]));
  }
  return types;
}

// ---- Terminators
// ----------------------------------------------------------------------------------

void BodyVerifier::callerLocation(const std::optional<CallerLocation> &location) {
  if (!location)
    return;
  if (location->forward) {
    v.check(function.trackCaller, "a function that takes no caller location cannot pass one on");
    return;
  }
  if (v.alloc(location->alloc))
    v.check(std::holds_alternative<AllocMemory>(program.allocs[location->alloc]),
            "a caller location must be memory");
}

void BodyVerifier::call(const Call &call) {
  v.span(call.fnSpan);
  callerLocation(call.callerLocation);
  Types args = operandTypes(*this, call.args);
  TypeId dest = wholePlace(call.dest);
  if (v.failed() || !v.check(isSized(type(dest)), "the destination of a call must be sized"))
    return;
  checkCallee(*this, call.callee, args, call.callerLocation.has_value());
  if (v.failed() || !call.target.isValid())
    return;
  if (TypeId output = outputOf(program, *this, call.callee); output.isValid())
    assignable(dest, output, "result");
  if (givesNothing(call.callee))
    v.check(isZst(program, dest), "the destination of a call without a result must have no bytes");
}

void BodyVerifier::tailCall(const TailCall &call) {
  v.span(call.fnSpan);
  callerLocation(call.callerLocation);
  Types args = operandTypes(*this, call.args);
  if (v.failed())
    return;
  checkCallee(*this, call.callee, args, call.callerLocation.has_value());
  if (v.failed())
    return;
  if (TypeId output = outputOf(program, *this, call.callee); output.isValid())
    assignable(function.output, output, "result");
}

void BodyVerifier::drop(const Drop &drop) {
  TypeId ty = wholePlace(drop.place);
  if (!ty.isValid())
    return;
  if (const auto *glue = std::get_if<CalleeDropGlue>(&drop.callee)) {
    checkGlue(*this, glue->function);
    if (!v.failed())
      assignable(pointeeOf(program, program.functions[glue->function].inputs[0]), ty,
                 "dropped value");
    return;
  }
  bool isVirtual = std::holds_alternative<CalleeDropVirtual>(drop.callee);
  v.check(isVirtual || std::holds_alternative<CalleeNothing>(drop.callee),
          "a drop must call a drop glue, the vtable's, or nothing");
  if (isVirtual)
    v.check(metadataOf(program, ty) == Metadata::Vtable, "`" + v.name(ty) + "` has no vtable");
}

} // namespace mirgpu::mir
