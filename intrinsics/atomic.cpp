// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of `atomic::…`: atomic operations on a generic address. Scope and order are the last two
// operands, constants: scopes as kScopes counts them, orders as core's intrinsics do. Every back
// end gets LLVM's own instruction; only the scope's name differs. An operand that is no constant of
// these means the strongest.
#include "intrinsics/signature.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace mirgpu::intrinsics {

/// The names of the scopes block, device and system.
static StringRef scopeName(Backend backend, uint64_t scope) {
  static constexpr StringRef kScopes[][3] = {
      {"block", "device", ""}, {"workgroup", "agent", ""}, {"", "", ""}};
  return scope < 3 ? kScopes[static_cast<size_t>(backend)][scope] : "";
}
static_assert(static_cast<int>(Backend::Nvptx) == 0 && static_cast<int>(Backend::Amdgpu) == 1 &&
              static_cast<int>(Backend::Host) == 2);

/// The row's operand, counted from its last.
static Value *operandFromEnd(const CallBase &call, unsigned fromEnd) {
  return call.getArgOperand(call.arg_size() - 3 - fromEnd); // context and place follow the row's
}

static SyncScope::ID scopeOf(EmitContext &cx, const CallBase &call) {
  auto *scope = dyn_cast<ConstantInt>(operandFromEnd(call, 1));
  return cx.module.getContext().getOrInsertSyncScopeID(
      scope ? scopeName(cx.target.backend, scope->getZExtValue()) : "");
}

static AtomicOrdering orderOf(const CallBase &call) {
  static constexpr AtomicOrdering kOrders[] = {
      AtomicOrdering::Monotonic, AtomicOrdering::Release, AtomicOrdering::Acquire,
      AtomicOrdering::AcquireRelease, AtomicOrdering::SequentiallyConsistent};
  auto *order = dyn_cast<ConstantInt>(operandFromEnd(call, 0));
  return order && order->getZExtValue() < std::size(kOrders)
             ? kOrders[order->getZExtValue()]
             : AtomicOrdering::SequentiallyConsistent;
}

/// `order` if an operation has it, else the strongest.
static AtomicOrdering orderUnless(AtomicOrdering order,
                                  std::initializer_list<AtomicOrdering> not_) {
  return is_contained(not_, order) ? AtomicOrdering::SequentiallyConsistent : order;
}

static Align alignOf(const EmitContext &cx, Type *type) {
  return Align(cx.module.getDataLayout().getTypeStoreSize(type).getFixedValue());
}

static Value *load(EmitContext &cx, CallBase &call) {
  LoadInst *made = cx.builder.CreateAlignedLoad(call.getType(), call.getArgOperand(0),
                                                alignOf(cx, call.getType()));
  made->setAtomic(
      orderUnless(orderOf(call), {AtomicOrdering::Release, AtomicOrdering::AcquireRelease}),
      scopeOf(cx, call));
  return made;
}

static Value *store(EmitContext &cx, CallBase &call) {
  Value *value = call.getArgOperand(1);
  StoreInst *made =
      cx.builder.CreateAlignedStore(value, call.getArgOperand(0), alignOf(cx, value->getType()));
  made->setAtomic(
      orderUnless(orderOf(call), {AtomicOrdering::Acquire, AtomicOrdering::AcquireRelease}),
      scopeOf(cx, call));
  return nullptr;
}

/// Gives the value before.
template <AtomicRMWInst::BinOp op> static Value *update(EmitContext &cx, CallBase &call) {
  Value *value = call.getArgOperand(1);
  return cx.builder.CreateAtomicRMW(op, call.getArgOperand(0), value, alignOf(cx, value->getType()),
                                    orderOf(call), scopeOf(cx, call));
}

/// Gives the value before, which is the expected one if it was exchanged.
static Value *compareExchange(EmitContext &cx, CallBase &call) {
  const AtomicOrdering order = orderOf(call);
  Value *exchange = cx.builder.CreateAtomicCmpXchg(
      call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2),
      alignOf(cx, call.getType()), order, AtomicCmpXchgInst::getStrongestFailureOrdering(order),
      scopeOf(cx, call));
  return cx.builder.CreateExtractValue(exchange, 0);
}

static Value *fence(EmitContext &cx, CallBase &call) {
  cx.builder.CreateFence(orderUnless(orderOf(call), {AtomicOrdering::Monotonic}),
                         scopeOf(cx, call));
  return nullptr;
}

#define ROW(id, signature, emitter, awaited, doc)                                                  \
  {"atomic::" id,   sig<signature>(),      custom(emitter), custom(emitter),                       \
   custom(emitter), {.sm = 70, .ptx = 60}, false,           doc,                                   \
   awaited}
#define UPDATE(name, type, op, awaited, doc)                                                       \
  ROW("fetch_" name "_" #type, type(ptr, type, u32, u32), update<AtomicRMWInst::op>, awaited,      \
      doc "; gives the old value.")
#define BITS(type)                                                                                 \
  ROW("load_" #type, type(ptr, u32, u32), load, true, "The value at the address."),                \
      ROW("store_" #type, void(ptr, type, u32, u32), store, false, "Stores the value."),           \
      ROW("swap_" #type, type(ptr, type, u32, u32), update<AtomicRMWInst::Xchg>, true,             \
          "Stores the value; gives the old one."),                                                 \
      ROW("compare_exchange_" #type, type(ptr, type, type, u32, u32), compareExchange, true,       \
          "Stores the second value if the first is there; gives the old one."),                    \
      UPDATE("add", type, Add, false, "Adds"), UPDATE("sub", type, Sub, false, "Subtracts"),       \
      UPDATE("and", type, And, true, "Bitwise and"), UPDATE("or", type, Or, true, "Bitwise or"),   \
      UPDATE("xor", type, Xor, false, "Bitwise exclusive or"),                                     \
      UPDATE("nand", type, Nand, false, "Bitwise and, inverted")

static constexpr IntrinsicDef rows[] = {
    BITS(u32),
    BITS(u64),
    UPDATE("max", u32, UMax, false, "The greater of both"),
    UPDATE("min", u32, UMin, false, "The lesser of both"),
    UPDATE("max", i32, Max, false, "The greater of both"),
    UPDATE("min", i32, Min, false, "The lesser of both"),
    UPDATE("max", u64, UMax, false, "The greater of both"),
    UPDATE("min", u64, UMin, false, "The lesser of both"),
    UPDATE("max", i64, Max, false, "The greater of both"),
    UPDATE("min", i64, Min, false, "The lesser of both"),
    UPDATE("add", f32, FAdd, false, "Adds"),
    UPDATE("add", f64, FAdd, false, "Adds"),
    ROW("fence", void(u32, u32), fence, false, "Orders the thread's accesses before and after it."),
};

#undef BITS
#undef UPDATE
#undef ROW

std::span<const IntrinsicDef> atomicRows() { return rows; }

} // namespace mirgpu::intrinsics
