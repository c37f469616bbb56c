// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `simd_*` intrinsics that convert vectors, choose by masks, and reach lanes by their index. Casts
// of lanes are those of `as`: floats to integers saturate, also where core leaves that open.
#include "lowering/memory_access.h"
#include "lowering/simd_lanes.h"

#include "llvm/IR/Intrinsics.h"

namespace mirgpu::lowering {

using llvm::Value;

// ---- Conversions
// --------------------------------------------------------------------------------

static Value *convert(llvm::IRBuilder<> &b, Value *x, const Lanes &from, const Lanes &to) {
  if (from.isInteger() && to.isInteger())
    return b.CreateIntCast(x, to.type, from.scalar.isSigned);
  if (from.isInteger())
    return from.scalar.isSigned ? b.CreateSIToFP(x, to.type) : b.CreateUIToFP(x, to.type);
  if (to.isFloat())
    return from.scalar.bits < to.scalar.bits ? b.CreateFPExt(x, to.type)
                                             : b.CreateFPTrunc(x, to.type);
  const auto id = to.scalar.isSigned ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  return b.CreateIntrinsic(id, {to.type, from.type}, {x});
}

static OperandValue castLanes(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> from = call.lanes(0), to = call.resultLanes();
  if (call.count() != 1 || !from || !to || from->count != to->count || from->isPointer() ||
      to->isPointer())
    return call.misshapen();
  Value *x = call.vector(0);
  return call.result(from->type == to->type ? x : convert(call.b, x, *from, *to));
}

static OperandValue castPointers(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> from = call.lanes(0), to = call.resultLanes();
  if (call.count() != 1 || !from || !to || from->count != to->count)
    return call.misshapen();
  Value *x = call.vector(0);
  if (from->isPointer() && to->isPointer())
    return call.result(x);
  if (from->isPointer() && to->isInteger() && to->scalar.bits == 64)
    return call.result(call.b.CreatePtrToInt(x, to->type));
  if (from->isInteger() && from->scalar.bits == 64 && to->isPointer())
    return call.result(call.b.CreateIntToPtr(x, to->type));
  return call.misshapen();
}

// ---- Masks
// --------------------------------------------------------------------------------------

static OperandValue selectLanes(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> mask = call.lanes(0), yes = call.lanes(1), no = call.lanes(2),
                             to = call.resultLanes();
  if (call.count() != 3 || !mask || !mask->isInteger() || !to || mask->count != to->count || !yes ||
      !no || *yes != *to || *no != *to)
    return call.misshapen();
  return call.result(
      call.b.CreateSelect(call.bits(call.vector(0)), call.vector(1), call.vector(2)));
}

/// Bits that a mask of `count` lanes takes as an integer or as bytes.
static bool holdsBits(const mir::Type &type, unsigned count) {
  return type.size >= 1 && type.size <= 128 && type.size * 8 >= count &&
         (kindOf(type) == OperandValue::Kind::Ref ||
          (mir::scalarOf(type) && mir::scalarOf(type)->primitive == mir::Primitive::Int &&
           !isBool(*mir::scalarOf(type))));
}

static OperandValue selectByBits(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> yes = call.lanes(1), no = call.lanes(2), to = call.resultLanes();
  if (call.count() != 3 || !to || !yes || !no || *yes != *to || *no != *to ||
      !holdsBits(plain.fc.type(plain.args[0].ty), to->count))
    return call.misshapen();
  llvm::IRBuilder<> &b = call.b;
  const OperandValue &given = plain.args[0];
  const auto bytes = static_cast<unsigned>(plain.fc.type(given.ty).size);
  Value *bits = given.kind == OperandValue::Kind::Ref
                    ? emitLoad(plain.fc, b.getIntNTy(8 * bytes), given.first, given.align)
                    : given.imm();
  Value *mask = b.CreateBitCast(b.CreateTrunc(bits, b.getIntNTy(to->count)),
                                llvm::FixedVectorType::get(b.getInt1Ty(), to->count));
  return call.result(b.CreateSelect(mask, call.vector(1), call.vector(2)));
}

static OperandValue bitsOfMask(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> mask = call.lanes(0);
  const mir::Type &to = plain.fc.type(plain.dest.ty);
  if (call.count() != 1 || !mask || !mask->isInteger() || !holdsBits(to, mask->count))
    return call.misshapen();
  llvm::IRBuilder<> &b = call.b;
  Value *bits = b.CreateBitCast(call.bits(call.vector(0)), b.getIntNTy(mask->count));
  bits = b.CreateZExt(bits, b.getIntNTy(static_cast<unsigned>(8 * to.size)));
  if (kindOf(to) == OperandValue::Kind::Immediate)
    return plain.result(bits);
  const PlaceRef memory = plain.fc.temporary(plain.dest.ty);
  emitStore(plain.fc, bits, memory.address, memory.align);
  return OperandValue::ref(memory);
}

// ---- Lanes by index
// -----------------------------------------------------------------------------

/// An index beyond the lanes is undefined behaviour in core; here it is a lane all the same.
static Value *laneIndex(const SimdCall &call, const Lanes &lanes) {
  Value *index = call.call.imm(1);
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(index);
      constant && constant->getZExtValue() < lanes.count)
    return index;
  return call.b.CreateURem(index, call.b.getInt32(lanes.count));
}

static OperandValue insertLane(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> x = call.lanes(0), to = call.resultLanes();
  if (call.count() != 3 || !x || !to || *x != *to || !call.isScalar(1, call.b.getInt32Ty()) ||
      !call.isScalar(2, x->type->getElementType()))
    return call.misshapen();
  return call.result(call.b.CreateInsertElement(call.vector(0), plain.imm(2), laneIndex(call, *x)));
}

static OperandValue extractLane(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> x = call.lanes(0);
  if (call.count() != 2 || !x || !call.isScalar(1, call.b.getInt32Ty()) ||
      !call.returnsScalar(x->type->getElementType()))
    return call.misshapen();
  return plain.result(call.b.CreateExtractElement(call.vector(0), laneIndex(call, *x)));
}

static OperandValue splat(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> to = call.resultLanes();
  if (call.count() != 1 || !to || !call.isScalar(0, to->type->getElementType()))
    return call.misshapen();
  return call.result(call.b.CreateVectorSplat(to->count, plain.imm(0)));
}

/// The indices are a constant in Rust, but may be read from memory here: the lanes of both vectors
/// are laid out and read one by one. LLVM makes a shuffle of it where it sees the indices.
static OperandValue shuffle(const IntrinsicCall &plain) {
  const SimdCall call(plain);
  const std::optional<Lanes> x = call.lanes(0), y = call.lanes(1), index = call.lanes(2),
                             to = call.resultLanes();
  if (call.count() != 3 || !x || !y || *x != *y || !index || !index->isInteger() ||
      index->scalar.bits != 32 || !to || to->count != index->count ||
      to->type->getElementType() != x->type->getElementType())
    return call.misshapen();
  llvm::IRBuilder<> &b = call.b;
  Value *indices = call.vector(2);
  llvm::SmallVector<int> all;
  for (unsigned i = 0; i < 2 * x->count; ++i)
    all.push_back(static_cast<int>(i));
  Value *both = b.CreateShuffleVector(call.vector(0), call.vector(1), all);
  Value *result = llvm::PoisonValue::get(to->type);
  for (unsigned i = 0; i < to->count; ++i) {
    Value *from = b.CreateExtractElement(indices, i);
    if (!llvm::isa<llvm::ConstantInt>(from))
      from = b.CreateURem(from, b.getInt32(2 * x->count));
    result = b.CreateInsertElement(result, b.CreateExtractElement(both, from), i);
  }
  return call.result(result);
}

static constexpr CoreIntrinsicRow kRows[] = {
    {"simd_cast", castLanes},
    {"simd_as", castLanes},
    {"simd_cast_ptr", castPointers},
    {"simd_expose_provenance", castPointers},
    {"simd_with_exposed_provenance", castPointers},
    {"simd_select", selectLanes},
    {"simd_select_bitmask", selectByBits},
    {"simd_bitmask", bitsOfMask},
    {"simd_insert", insertLane},
    {"simd_insert_dyn", insertLane},
    {"simd_extract", extractLane},
    {"simd_extract_dyn", extractLane},
    {"simd_splat", splat},
    {"simd_shuffle", shuffle},
};

std::span<const CoreIntrinsicRow> simdLaneIntrinsics() { return kRows; }

} // namespace mirgpu::lowering
