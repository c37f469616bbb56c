// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `simd_*` intrinsics over vectors of pointers and masked accesses. A lane that its mask leaves out
// touches no memory: each lane has a branch of its own.
#include "lowering/memory_access.h"
#include "lowering/simd_lanes.h"

namespace mirgpu::lowering {

using llvm::BasicBlock;
using llvm::Value;

namespace {
/// Emits code for the lanes that a mask names, one after the other.
class MaskedLanes {
public:
  MaskedLanes(const SimdCall &call, Value *mask) : call_(call), mask_(call.bits(mask)) {}

  /// `make` emits what lane `i` does; its value stands in for `without` where the mask has the
  /// lane. Null: there is no value.
  template <class Make> Value *lane(unsigned i, Value *without, Make make) {
    llvm::IRBuilder<> &b = call_.b;
    Value *isSet = b.CreateExtractElement(mask_, i);
    BasicBlock *before = b.GetInsertBlock();
    llvm::Function *fn = before->getParent();
    auto *access = BasicBlock::Create(b.getContext(), "lane", fn),
         *after = BasicBlock::Create(b.getContext(), "lane.end", fn);
    b.CreateCondBr(isSet, access, after);
    b.SetInsertPoint(access);
    Value *made = make();
    b.CreateBr(after);
    b.SetInsertPoint(after);
    if (!without)
      return nullptr;
    llvm::PHINode *phi = b.CreatePHI(without->getType(), 2);
    phi->addIncoming(without, before);
    phi->addIncoming(made, access);
    return phi;
  }

private:
  const SimdCall &call_;
  Value *mask_;
};
} // namespace

static bool isMaskOf(const std::optional<Lanes> &mask, const Lanes &lanes) {
  return mask && mask->isInteger() && mask->count == lanes.count;
}

static bool arePointersTo(const std::optional<Lanes> &pointers, const Lanes &lanes) {
  return pointers && pointers->isPointer() && pointers->count == lanes.count;
}

/// gather(otherwise, pointers, mask)
static OperandValue gather(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> value = call.lanes(0), to = call.resultLanes();
  if (call.count() != 3 || !value || !to || *value != *to || !arePointersTo(call.lanes(1), *to) ||
      !isMaskOf(call.lanes(2), *to))
    return call.misshapen();
  llvm::IRBuilder<> &b = call.b;
  Value *otherwise = call.vector(0), *pointers = call.vector(1), *all = otherwise;
  MaskedLanes lanes(call, call.vector(2));
  const uint64_t align = plain.fc.type(to->element).align;
  for (unsigned i = 0; i < to->count; ++i)
    all = b.CreateInsertElement(all,
                                lanes.lane(i, b.CreateExtractElement(otherwise, i),
                                           [&] {
                                             return emitLoad(plain.fc, to->type->getElementType(),
                                                             b.CreateExtractElement(pointers, i),
                                                             align);
                                           }),
                                i);
  return call.result(all);
}

/// scatter(value, pointers, mask): where pointers are equal, the last lane's value stays.
static OperandValue scatter(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> value = call.lanes(0);
  if (call.count() != 3 || !value || !arePointersTo(call.lanes(1), *value) ||
      !isMaskOf(call.lanes(2), *value))
    return call.misshapen();
  llvm::IRBuilder<> &b = call.b;
  Value *values = call.vector(0), *pointers = call.vector(1);
  MaskedLanes lanes(call, call.vector(2));
  const uint64_t align = plain.fc.type(value->element).align;
  for (unsigned i = 0; i < value->count; ++i)
    lanes.lane(i, nullptr, [&]() -> Value * {
      emitStore(plain.fc, b.CreateExtractElement(values, i), b.CreateExtractElement(pointers, i),
                align);
      return nullptr;
    });
  return plain.unit();
}

/// What core::intrinsics::simd::SimdAlign promises of the first lane's address: 0 nothing, 1 the
/// element's alignment, 2 the vector's.
static uint64_t promisedAlign(const IntrinsicCall &plain, const Lanes &lanes, mir::TypeId vector) {
  for (const mir::GenericArg &arg : plain.callee.args)
    if (arg.constant)
      return *arg.constant == 2   ? plain.fc.type(vector).align
             : *arg.constant == 1 ? plain.fc.type(lanes.element).align
                                  : 1;
  return 1;
}

/// masked_load(mask, pointer, otherwise)
static OperandValue maskedLoad(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> value = call.lanes(2), to = call.resultLanes();
  if (call.count() != 3 || !value || !to || *value != *to || !isMaskOf(call.lanes(0), *to) ||
      !call.isScalar(1, plain.fc.mc.pointerType()))
    return call.misshapen();
  llvm::IRBuilder<> &b = call.b;
  Value *otherwise = call.vector(2), *all = otherwise;
  MaskedLanes lanes(call, call.vector(0));
  const uint64_t align = promisedAlign(plain, *to, plain.dest.ty);
  const uint64_t size = plain.fc.type(to->element).size;
  for (unsigned i = 0; i < to->count; ++i)
    all = b.CreateInsertElement(all,
                                lanes.lane(i, b.CreateExtractElement(otherwise, i),
                                           [&] {
                                             return emitLoad(
                                                 plain.fc, to->type->getElementType(),
                                                 emitOffset(plain.fc, plain.imm(1), i * size),
                                                 alignAt(align, i * size));
                                           }),
                                i);
  return call.result(all);
}

/// masked_store(mask, pointer, value)
static OperandValue maskedStore(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> value = call.lanes(2);
  if (call.count() != 3 || !value || !isMaskOf(call.lanes(0), *value) ||
      !call.isScalar(1, plain.fc.mc.pointerType()))
    return call.misshapen();
  llvm::IRBuilder<> &b = call.b;
  Value *values = call.vector(2);
  MaskedLanes lanes(call, call.vector(0));
  const uint64_t align = promisedAlign(plain, *value, plain.args[2].ty);
  const uint64_t size = plain.fc.type(value->element).size;
  for (unsigned i = 0; i < value->count; ++i)
    lanes.lane(i, nullptr, [&]() -> Value * {
      emitStore(plain.fc, b.CreateExtractElement(values, i),
                emitOffset(plain.fc, plain.imm(1), i * size), alignAt(align, i * size));
      return nullptr;
    });
  return plain.unit();
}

/// Pointers moved by whole pointees; they may leave their objects, as with `wrapping_offset`.
static OperandValue offsetPointers(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> pointers = call.lanes(0), offsets = call.lanes(1),
                             to = call.resultLanes();
  const mir::TypeId pointee =
      pointers ? mir::pointeeOf(plain.fc.program, pointers->element) : mir::TypeId();
  if (call.count() != 2 || !pointers || !to || *pointers != *to || !pointers->isPointer() ||
      !offsets || !offsets->isInteger() || offsets->scalar.bits != 64 ||
      offsets->count != pointers->count || !pointee.isValid() ||
      !mir::isSized(plain.fc.type(pointee)))
    return call.misshapen();
  llvm::IRBuilder<> &b = call.b;
  Value *bytes = b.CreateMul(call.vector(1),
                             llvm::ConstantInt::get(offsets->type, plain.fc.type(pointee).size));
  return call.result(b.CreateGEP(b.getInt8Ty(), call.vector(0), bytes));
}

static constexpr CoreIntrinsicRow kRows[] = {
    {"simd_gather", gather},
    {"simd_scatter", scatter},
    {"simd_masked_load", maskedLoad},
    {"simd_masked_store", maskedStore},
    {"simd_arith_offset", offsetPointers},
};

std::span<const CoreIntrinsicRow> simdMemoryIntrinsics() { return kRows; }

} // namespace mirgpu::lowering
