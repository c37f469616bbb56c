// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lowering/simd_lanes.h"

#include "lowering/memory_access.h"

namespace mirgpu::lowering {

/// More lanes than any `core::simd` type has would make IR without bounds.
static constexpr uint64_t kMaxLanes = 1024;

std::optional<Lanes> lanesOf(const FunctionContext &fc, mir::TypeId ty) {
  const mir::Type &type = fc.type(ty);
  if (!mir::hasFlag(type, "simd") || type.variants.size() != 1 ||
      type.variants[0].fields.size() != 1)
    return std::nullopt;
  const auto *array = mir::kindAs<mir::TyArray>(fc.program, type.variants[0].fields[0].ty);
  const mir::Scalar *scalar = array ? mir::scalarOf(fc.type(array->elem)) : nullptr;
  if (!scalar || array->len == 0 || array->len > kMaxLanes || isBool(*scalar))
    return std::nullopt;
  Lanes lanes;
  lanes.scalar = *scalar;
  lanes.count = static_cast<unsigned>(array->len);
  lanes.element = array->elem;
  lanes.type = llvm::FixedVectorType::get(fc.mc.memoryType(*scalar), lanes.count);
  if (type.size < fc.type(array->elem).size * array->len)
    return std::nullopt;
  return lanes;
}

std::optional<Lanes> SimdCall::lanes(size_t index) const {
  return index < count() ? lanesOf(call.fc, call.args[index].ty) : std::nullopt;
}

bool SimdCall::isElementwise(size_t n) const {
  const std::optional<Lanes> wanted = resultLanes();
  if (!wanted || count() != n)
    return false;
  for (size_t i = 0; i < n; ++i)
    if (const auto own = lanes(i); !own || *own != *wanted)
      return false;
  return true;
}

llvm::Value *SimdCall::vector(size_t index) const {
  const OperandValue &value = call.args[index];
  const Lanes own = *lanes(index);
  if (value.kind == OperandValue::Kind::Immediate)
    return value.imm();
  return emitLoad(call.fc, own.type, value.first, value.align);
}

bool SimdCall::isScalar(size_t index, llvm::Type *type) const {
  return index < count() && call.args[index].kind == OperandValue::Kind::Immediate &&
         call.args[index].imm()->getType() == type;
}

bool SimdCall::returnsScalar(llvm::Type *type) const {
  return kindOf(call.fc.type(call.dest.ty)) == OperandValue::Kind::Immediate &&
         call.fc.mc.immediateType(call.dest.ty) == type;
}

llvm::Value *SimdCall::bits(llvm::Value *mask) const {
  return b.CreateICmpSLT(mask, llvm::Constant::getNullValue(mask->getType()));
}

OperandValue SimdCall::result(llvm::Value *vector) const {
  const Lanes own = *resultLanes();
  if (vector->getType() != own.type)
    return misshapen();
  if (kindOf(call.fc.type(call.dest.ty)) == OperandValue::Kind::Immediate)
    return call.result(vector);
  const PlaceRef to = call.fc.temporary(call.dest.ty);
  emitStore(call.fc, vector, to.address, to.align);
  return OperandValue::ref(to);
}

OperandValue SimdCall::misshapen() const {
  return call.unsupported("this version of mirgpu knows the core intrinsic `" +
                          std::string(call.callee.name) + "` with another signature");
}

} // namespace mirgpu::lowering
