// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rust's atomics to LLVM's with the order that the const generics say, at system scope: Rust knows
// no smaller one. The one place that emits atomics for core (DESIGN D5). An operation on a pointer
// is done on its address.
#include "lowering/core_intrinsics.h"

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
  return AtomicOrdering::SequentiallyConsistent;
}

/// Whether the call's orders are ones that its operation has; says so if not. Core refuses the
/// others when it is compiled.
static bool hasOrders(const IntrinsicCall &call, llvm::ArrayRef<mir::u128> forbidden) {
  for (unsigned i = 0; const mir::GenericArg &arg : call.callee.args) {
    if (!arg.constant)
      continue;
    const bool isLast = ++i > 1; // of a compare-exchange: that of a failure, which is a load
    if (*arg.constant > 4 || llvm::is_contained(forbidden, *arg.constant) ||
        (isLast && (*arg.constant == 1 || *arg.constant == 3))) {
      call.unsupported("`" + std::string(call.callee.name) +
                       "` with a memory order that it does not have");
      return false;
    }
  }
  return true;
}

/// Whether LLVM has atomics of this type on every target and of these orders; says so if not.
static bool isAtomic(const IntrinsicCall &call, llvm::ArrayRef<mir::u128> forbidden = {}) {
  const mir::Type &type = call.typeOfArg(0);
  if (mir::scalarOf(type) && type.size <= 8 && llvm::isPowerOf2_64(type.size))
    return hasOrders(call, forbidden);
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
  if (!isAtomic(call, {1, 3}))
    return poisonOperand(call.fc, call.dest.ty);
  llvm::LoadInst *inst =
      call.builder.CreateAlignedLoad(memoryType(call), call.pointer(0), alignOf(call));
  inst->setAtomic(ordering(call.constArg(0)));
  return call.result(fromMemory(call, inst));
}

static OperandValue store(const IntrinsicCall &call) {
  if (!isAtomic(call, {2, 3}))
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
  if (!hasOrders(call, {0}))
    return call.unit();
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
