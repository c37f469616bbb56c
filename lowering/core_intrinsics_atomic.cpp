// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rust's atomics to LLVM's with the order that the const generics say, at system scope: Rust knows
// no smaller one. The one place that emits atomics for core (DESIGN D5). An operation on a pointer
// is done on its address.
#include "lowering/core_intrinsics.h"

#include "support/check.h"

#include "llvm/IR/InlineAsm.h"

namespace mirgpu::lowering {

using llvm::AtomicOrdering;
using llvm::AtomicRMWInst;

/// The variants of `core::intrinsics::AtomicOrdering` by value.
static AtomicOrdering ordering(mir::u128 value) {
  switch (uint32_t(value)) {
  case 0:
    return AtomicOrdering::Monotonic;
  case 1:
    return AtomicOrdering::Release;
  case 2:
    return AtomicOrdering::Acquire;
  case 3:
    return AtomicOrdering::AcquireRelease;
  }
  MIRGPU_CHECK(value == 4, "an atomic ordering that core does not have");
  return AtomicOrdering::SequentiallyConsistent;
}

/// Whether LLVM has atomics of this type on every target; says so if not.
static bool isAtomic(const IntrinsicCall &call) {
  const mir::Type &type = call.typeOfArg(0);
  if (mir::scalarOf(type) && type.size <= 8 && type.size >= 1)
    return true;
  call.unsupported("an atomic access to a value of type `" + std::string(type.name) + "`");
  return false;
}

static llvm::Align alignOf(const IntrinsicCall &call) {
  return llvm::Align(call.typeOfArg(0).size);
}
static llvm::Type *memoryType(const IntrinsicCall &call) {
  return call.fc.mc.memoryType(*mir::scalarOf(call.typeOfArg(0)));
}

/// An immediate as it is in memory (bool: i8), and back.
static llvm::Value *toMemory(const IntrinsicCall &call, llvm::Value *value) {
  llvm::Type *type = memoryType(call);
  return value->getType()->isIntegerTy(1) ? call.builder.CreateZExt(value, type) : value;
}
static llvm::Value *fromMemory(const IntrinsicCall &call, llvm::Value *value) {
  llvm::Type *type = call.fc.mc.immediateType(call.typeArg(0));
  return type->isIntegerTy(1) ? call.builder.CreateTrunc(value, type) : value;
}

static OperandValue load(const IntrinsicCall &call) {
  if (!isAtomic(call))
    return poisonOperand(call.fc, call.dest.ty);
  llvm::LoadInst *inst =
      call.builder.CreateAlignedLoad(memoryType(call), call.pointer(0), alignOf(call));
  inst->setAtomic(ordering(call.constArg(0)));
  return call.result(fromMemory(call, inst));
}

static OperandValue store(const IntrinsicCall &call) {
  if (!isAtomic(call))
    return call.unit();
  llvm::StoreInst *inst =
      call.builder.CreateAlignedStore(toMemory(call, call.imm(1)), call.pointer(0), alignOf(call));
  inst->setAtomic(ordering(call.constArg(0)));
  return call.unit();
}

template <AtomicRMWInst::BinOp op> static OperandValue readModifyWrite(const IntrinsicCall &call) {
  if (!isAtomic(call))
    return poisonOperand(call.fc, call.dest.ty);
  llvm::IRBuilder<> &b = call.builder;
  llvm::Value *operand = toMemory(call, call.imm(1));
  llvm::Type *type = memoryType(call);
  const bool isAddress = type->isPointerTy() && op != AtomicRMWInst::Xchg;
  if (operand->getType()->isPointerTy() && isAddress)
    operand = b.CreatePtrToInt(operand, call.fc.mc.usizeType());
  llvm::Value *old =
      b.CreateAtomicRMW(op, call.pointer(0), operand, alignOf(call), ordering(call.constArg(0)));
  return call.result(isAddress ? b.CreateIntToPtr(old, type) : fromMemory(call, old));
}

/// (the value before, whether it was exchanged), an Immediate pair or a value in memory as its type
/// says.
template <bool isWeak> static OperandValue compareExchange(const IntrinsicCall &call) {
  if (!isAtomic(call))
    return poisonOperand(call.fc, call.dest.ty);
  llvm::IRBuilder<> &b = call.builder;
  llvm::AtomicCmpXchgInst *inst = b.CreateAtomicCmpXchg(
      call.pointer(0), toMemory(call, call.imm(1)), toMemory(call, call.imm(2)), alignOf(call),
      ordering(call.constArg(0)), ordering(call.constArg(1)));
  inst->setWeak(isWeak);
  return call.result(fromMemory(call, b.CreateExtractValue(inst, 0)),
                     b.CreateExtractValue(inst, 1));
}

static OperandValue fence(const IntrinsicCall &call) {
  call.builder.CreateFence(ordering(call.constArg(0)));
  return call.unit();
}

/// Orders this thread's accesses for the compiler alone. An LLVM fence of one thread does not
/// select on every target.
static OperandValue compilerFence(const IntrinsicCall &call) {
  auto *type = llvm::FunctionType::get(call.builder.getVoidTy(), false);
  call.builder.CreateCall(llvm::InlineAsm::get(type, "", "~{memory}", /*hasSideEffects=*/true));
  return call.unit();
}

static constexpr CoreIntrinsicRow kRows[] = {
    {"atomic_load", load},
    {"atomic_store", store},
    {"atomic_xchg", readModifyWrite<AtomicRMWInst::Xchg>},
    {"atomic_xadd", readModifyWrite<AtomicRMWInst::Add>},
    {"atomic_xsub", readModifyWrite<AtomicRMWInst::Sub>},
    {"atomic_and", readModifyWrite<AtomicRMWInst::And>},
    {"atomic_nand", readModifyWrite<AtomicRMWInst::Nand>},
    {"atomic_or", readModifyWrite<AtomicRMWInst::Or>},
    {"atomic_xor", readModifyWrite<AtomicRMWInst::Xor>},
    {"atomic_max", readModifyWrite<AtomicRMWInst::Max>},
    {"atomic_min", readModifyWrite<AtomicRMWInst::Min>},
    {"atomic_umax", readModifyWrite<AtomicRMWInst::UMax>},
    {"atomic_umin", readModifyWrite<AtomicRMWInst::UMin>},
    {"atomic_cxchg", compareExchange<false>},
    {"atomic_cxchgweak", compareExchange<true>},
    {"atomic_fence", fence},
    {"atomic_singlethreadfence", compilerFence},
};

std::span<const CoreIntrinsicRow> atomicIntrinsics() { return kRows; }

} // namespace mirgpu::lowering
