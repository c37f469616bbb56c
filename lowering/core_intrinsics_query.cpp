// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intrinsics that ask about types and values or steer control: sizes of unsized values,
// discriminants, checks that a type can exist, hints to the optimiser, abort. Hints that no target
// uses leave no code.
#include "lowering/core_intrinsics.h"
#include "lowering/function_abi.h"
#include "lowering/memory_access.h"
#include "lowering/panic.h"
#include "mir_reader/verify_shape.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"

namespace mirgpu::lowering {

// ---- Types
// ----------------------------------------------------------------------------------------

static SizeAndAlign dynamicLayout(const IntrinsicCall &call) {
  return sizeAndAlignOf(call.fc, call.typeArg(0), call.args[0].second);
}
static OperandValue sizeOfVal(const IntrinsicCall &call) {
  return call.result(dynamicLayout(call).size);
}
static OperandValue alignOfVal(const IntrinsicCall &call) {
  return call.result(dynamicLayout(call).align);
}
static OperandValue sizeOf(const IntrinsicCall &call) {
  return call.result(call.fc.usize(call.typeOfArg(0).size));
}
static OperandValue alignOf(const IntrinsicCall &call) {
  return call.result(call.fc.usize(call.typeOfArg(0).align));
}

static OperandValue discriminantValue(const IntrinsicCall &call) {
  const PlaceRef place = derefPointer(call.fc, call.args[0]);
  return call.result(lowerGetDiscriminant(call.fc, loadOperand(call.fc, place), call.dest.ty));
}

static bool contains(const mir::Scalar &scalar, mir::u128 bits) {
  if (scalar.validStart <= scalar.validEnd)
    return scalar.validStart <= bits && bits <= scalar.validEnd;
  return bits >= scalar.validStart || bits <= scalar.validEnd;
}

/// Whether a value whose every byte is `byte` can be one of `ty`, as far as its representation
/// says. `seen` are the types that were asked about before: a type may have many parts of one type.
static bool permitsBytes(const IntrinsicCall &call, mir::TypeId ty, uint8_t byte,
                         llvm::SmallDenseSet<uint32_t> &seen) {
  if (!seen.insert(ty.index).second)
    return true; // what forbids it was found then
  const mir::Type &type = call.fc.type(ty);
  auto filled = [&](const mir::Scalar &scalar) {
    mir::u128 bits = 0;
    for (uint32_t i = 0; i < scalar.bits; i += 8)
      bits = bits << 8 | byte;
    return contains(scalar, bits);
  };
  if (type.uninhabited)
    return false;
  if (const mir::Scalar *scalar = mir::scalarOf(type))
    return filled(*scalar);
  if (const mir::ReprPair *pair = mir::pairOf(type))
    return filled(pair->a) && filled(pair->b);
  if (const auto *array = std::get_if<mir::TyArray>(&type.kind))
    return array->len == 0 || permitsBytes(call, array->elem, byte, seen);
  if (type.variants.size() != 1)
    return true;
  for (const mir::Field &field : type.variants[0].fields)
    if (!permitsBytes(call, field.ty, byte, seen))
      return false;
  return true;
}

static bool permitsBytes(const IntrinsicCall &call, uint8_t byte) {
  llvm::SmallDenseSet<uint32_t> seen;
  return permitsBytes(call, call.typeArg(0), byte, seen);
}

static OperandValue assertThat(const IntrinsicCall &call, bool holds, const char *what) {
  if (!holds)
    lowerAbort(call.fc, std::string("attempted to ") + what + " type `" +
                            std::string(call.typeOfArg(0).name) + "`");
  return call.unit();
}

static OperandValue assertInhabited(const IntrinsicCall &call) {
  return assertThat(call, !call.typeOfArg(0).uninhabited, "instantiate uninhabited");
}
static OperandValue assertZeroValid(const IntrinsicCall &call) {
  return assertThat(call, permitsBytes(call, 0), "zero-initialize");
}
/// Memory without a value is taken to be filled with ones, as core does.
static OperandValue assertUninitValid(const IntrinsicCall &call) {
  return assertThat(call, permitsBytes(call, 1), "leave uninitialized");
}

static OperandValue transmute(const IntrinsicCall &call) {
  return transmuteOperand(call.fc, call.args[0], call.dest.ty);
}

// ---- Hints
// ----------------------------------------------------------------------------------------

static OperandValue nothing(const IntrinsicCall &call) { return call.unit(); }

static OperandValue assume(const IntrinsicCall &call) {
  call.builder.CreateAssumption(call.imm(0));
  return call.unit();
}

static OperandValue isStaticallyKnown(const IntrinsicCall &call) {
  return call.result(call.builder.getFalse());
}

/// A value that the optimiser knows nothing of: through memory, by volatile accesses.
static OperandValue blackBox(const IntrinsicCall &call) {
  const OperandValue &value = call.args[0];
  if (value.kind == OperandValue::Kind::ZeroSized)
    return call.unit();
  const PlaceRef memory = call.fc.temporary(value.ty, "black_box");
  storeOperand(call.fc, value, memory, {.isVolatile = true});
  if (value.kind != OperandValue::Kind::Ref)
    return loadOperand(call.fc, memory, {.isVolatile = true});
  return OperandValue::ref(memory);
}

static OperandValue selectUnpredictable(const IntrinsicCall &call) {
  llvm::IRBuilder<> &b = call.builder;
  const OperandValue &yes = call.args[1], &no = call.args[2];
  auto choose = [&](llvm::Value *first, llvm::Value *second) {
    llvm::Value *value = b.CreateSelect(call.imm(0), first, second);
    if (auto *inst = llvm::dyn_cast<llvm::Instruction>(value))
      inst->setMetadata(llvm::LLVMContext::MD_unpredictable,
                        llvm::MDNode::get(call.fc.mc.context, {}));
    return value;
  };
  switch (yes.kind) {
  case OperandValue::Kind::ZeroSized:
    return call.unit();
  case OperandValue::Kind::Immediate:
    return call.result(choose(yes.first, no.first));
  case OperandValue::Kind::Pair:
    return call.result(choose(yes.first, no.first), choose(yes.second, no.second));
  case OperandValue::Kind::Ref: {
    PlaceRef place = yes.place();
    place.address = choose(yes.first, no.first);
    place.align = std::min(yes.align, no.align);
    return OperandValue::ref(place);
  }
  }
  llvm_unreachable("covered");
}

// ---- Control
// --------------------------------------------------------------------------------------

static OperandValue abortThread(const IntrinsicCall &call) {
  lowerAbort(call.fc, "abort");
  return call.unit();
}

static OperandValue unreachable(const IntrinsicCall &call) {
  call.builder.CreateUnreachable();
  return call.unit();
}

static OperandValue breakpoint(const IntrinsicCall &call) {
  call.builder.CreateIntrinsic(call.builder.getVoidTy(), llvm::Intrinsic::debugtrap, {});
  return call.unit();
}

static OperandValue callerLocation(const IntrinsicCall &call) {
  llvm::Value *location =
      call.fc.currentCallLocation ? call.fc.currentCallLocation : call.fc.callerLocation;
  if (!location)
    return call.unsupported("`caller_location` where no location is known");
  return call.result(location);
}

/// catch_unwind(try_fn, data, catch_fn) -> i32: nothing unwinds (panics end the thread), so it
/// calls and returns 0.
static OperandValue catchUnwind(const IntrinsicCall &call) {
  const auto signature = mir::signatureOf(call.fc.program, call.args[0].ty);
  if (!signature || signature->inputs.size() != 1 ||
      !mir::sameShape(call.fc.type(signature->inputs[0]), call.fc.type(call.args[1].ty)))
    return call.unsupported("`catch_unwind` with a function that is no plain function pointer");
  llvm::FunctionType *type =
      abiFunctionType(call.fc.mc, {signature->inputs[0]}, signature->output, /*hasLocation=*/false);
  Destination nowhere;
  nowhere.ty = signature->output;
  emitCall(call.fc, call.imm(0), type, {call.args[1]}, nullptr, nowhere);
  return integerOperand(call.fc, call.dest.ty, 0);
}

static OperandValue variadic(const IntrinsicCall &call) {
  return call.unsupported("variadic arguments (`" + std::string(call.callee.name) +
                          "`) do not exist on a GPU");
}

static constexpr CoreIntrinsicRow kRows[] = {
    {"size_of_val", sizeOfVal},
    {"align_of_val", alignOfVal},
    {"size_of", sizeOf},
    {"align_of", alignOf},
    {"discriminant_value", discriminantValue},
    {"assert_inhabited", assertInhabited},
    {"assert_zero_valid", assertZeroValid},
    {"assert_mem_uninitialized_valid", assertUninitValid},
    {"transmute", transmute},
    {"transmute_unchecked", transmute},
    {"assume", assume},
    {"cold_path", nothing},
    {"forget", nothing},
    {"is_val_statically_known", isStaticallyKnown},
    {"black_box", blackBox},
    {"select_unpredictable", selectUnpredictable},
    {"abort", abortThread},
    {"unreachable", unreachable},
    {"breakpoint", breakpoint},
    {"caller_location", callerLocation},
    {"catch_unwind", catchUnwind},
    {"va_arg", variadic},
    {"va_copy", variadic},
    {"va_end", variadic},
};

std::span<const CoreIntrinsicRow> queryIntrinsics() { return kRows; }

} // namespace mirgpu::lowering
