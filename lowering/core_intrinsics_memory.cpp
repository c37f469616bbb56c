// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory intrinsics: copies, fills, volatile and unaligned accesses, comparisons. Every access goes
// through memory_access.h. GPU targets have no memcmp, so comparing is an internal function of
// ours, the same for every target.
#include "lowering/core_intrinsics.h"
#include "lowering/memory_access.h"

namespace mirgpu::lowering {

static constexpr AccessFlags kVolatile{.isVolatile = true};

static llvm::Value *bytesOf(const IntrinsicCall &call, llvm::Value *count) {
  const uint64_t size = call.typeOfArg(0).size;
  return size == 1 ? count
                   : call.builder.CreateMul(count, call.fc.usize(size), "", /*HasNUW=*/true);
}

/// copy<T>(src, dst, count) and copy_nonoverlapping.
template <bool mayOverlap> static OperandValue copy(const IntrinsicCall &call) {
  const uint64_t align = call.typeOfArg(0).align;
  (mayOverlap ? emitMove : emitCopy)(call.fc, call.pointer(1), align, call.pointer(0), align,
                                     bytesOf(call, call.imm(2)), {});
  return call.unit();
}

/// volatile_copy_memory<T>(dst, src, count) and volatile_copy_nonoverlapping_memory.
template <bool mayOverlap> static OperandValue volatileCopy(const IntrinsicCall &call) {
  const uint64_t align = call.typeOfArg(0).align;
  (mayOverlap ? emitMove : emitCopy)(call.fc, call.pointer(0), align, call.pointer(1), align,
                                     bytesOf(call, call.imm(2)), kVolatile);
  return call.unit();
}

template <bool isVolatile> static OperandValue writeBytes(const IntrinsicCall &call) {
  emitFill(call.fc, call.pointer(0), call.typeOfArg(0).align, call.imm(1),
           bytesOf(call, call.imm(2)), {.isVolatile = isVolatile});
  return call.unit();
}

static PlaceRef pointee(const IntrinsicCall &call, bool isUnaligned) {
  PlaceRef place;
  place.address = call.pointer(0);
  place.ty = call.typeArg(0);
  place.align = isUnaligned ? 1 : call.typeOfArg(0).align;
  return place;
}

/// The value at `from`, read once, here: a value in memory is copied to where the call puts it.
static OperandValue readNow(const IntrinsicCall &call, const PlaceRef &from, AccessFlags flags) {
  if (kindOf(call.fc.type(from.ty)) != OperandValue::Kind::Ref)
    return loadOperand(call.fc, from, flags);
  const PlaceRef to = call.dest.memory ? *call.dest.memory : call.fc.temporary(from.ty);
  emitCopy(call.fc, to.address, to.align, from.address, from.align,
           call.fc.usize(call.fc.type(from.ty).size), flags);
  return OperandValue::ref(to);
}

template <bool isUnaligned> static OperandValue volatileLoad(const IntrinsicCall &call) {
  return readNow(call, pointee(call, isUnaligned), kVolatile);
}

template <bool isUnaligned> static OperandValue volatileStore(const IntrinsicCall &call) {
  storeOperand(call.fc, call.args[1], pointee(call, isUnaligned), kVolatile);
  return call.unit();
}

static OperandValue nontemporalStore(const IntrinsicCall &call) {
  storeOperand(call.fc, call.args[1], pointee(call, false), {.isNonTemporal = true});
  return call.unit();
}

static OperandValue readViaCopy(const IntrinsicCall &call) {
  return readNow(call, pointee(call, false), {});
}

static OperandValue writeViaMove(const IntrinsicCall &call) {
  storeOperand(call.fc, call.args[1], pointee(call, false));
  return call.unit();
}

/// `i32 mirgpu_compare_bytes(ptr a, ptr b, i64 n)`: below, at or above 0 as the first byte that
/// differs says.
static llvm::Function *compareFunction(ModuleContext &mc) {
  constexpr llvm::StringLiteral name = "mirgpu_compare_bytes";
  if (llvm::Function *existing = mc.module.getFunction(name))
    return existing;
  llvm::IRBuilder<> b(mc.context);
  llvm::Type *i64 = mc.usizeType(), *i8 = b.getInt8Ty(), *i32 = b.getInt32Ty(),
             *pointer = mc.pointerType();
  auto *fn = llvm::Function::Create(llvm::FunctionType::get(i32, {pointer, pointer, i64}, false),
                                    llvm::GlobalValue::InternalLinkage, name, mc.module);
  fn->addFnAttr(llvm::Attribute::NoUnwind);
  fn->addFnAttr("no-builtins"); // the loop must not become a call of memcmp
  auto *entry = llvm::BasicBlock::Create(mc.context, "entry", fn),
       *loop = llvm::BasicBlock::Create(mc.context, "loop", fn),
       *body = llvm::BasicBlock::Create(mc.context, "body", fn),
       *differ = llvm::BasicBlock::Create(mc.context, "differ", fn),
       *equal = llvm::BasicBlock::Create(mc.context, "equal", fn);
  b.SetInsertPoint(entry);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode *i = b.CreatePHI(i64, 2);
  b.CreateCondBr(b.CreateICmpULT(i, fn->getArg(2)), body, equal);
  b.SetInsertPoint(body);
  llvm::Value *x = b.CreateAlignedLoad(i8, b.CreatePtrAdd(fn->getArg(0), i), llvm::Align(1));
  llvm::Value *y = b.CreateAlignedLoad(i8, b.CreatePtrAdd(fn->getArg(1), i), llvm::Align(1));
  llvm::Value *next = b.CreateNUWAdd(i, llvm::ConstantInt::get(i64, 1));
  b.CreateCondBr(b.CreateICmpEQ(x, y), loop, differ);
  i->addIncoming(llvm::ConstantInt::get(i64, 0), entry);
  i->addIncoming(next, body);
  b.SetInsertPoint(differ);
  b.CreateRet(b.CreateSub(b.CreateZExt(x, i32), b.CreateZExt(y, i32)));
  b.SetInsertPoint(equal);
  b.CreateRet(b.getInt32(0));
  return fn;
}

static OperandValue compareBytes(const IntrinsicCall &call) {
  return call.result(call.builder.CreateCall(compareFunction(call.fc.mc),
                                             {call.pointer(0), call.pointer(1), call.imm(2)}));
}

/// Whether all bytes of two values are equal; one wide comparison up to 16 bytes.
static OperandValue rawEq(const IntrinsicCall &call) {
  const mir::Type &type = call.typeOfArg(0);
  if (type.size == 0)
    return call.result(call.builder.getTrue());
  if (type.size <= 16 && (type.size & (type.size - 1)) == 0) {
    llvm::Type *bits = call.builder.getIntNTy(unsigned(type.size * 8));
    llvm::Value *a = emitLoad(call.fc, bits, call.pointer(0), type.align),
                *b = emitLoad(call.fc, bits, call.pointer(1), type.align);
    return call.result(call.builder.CreateICmpEQ(a, b));
  }
  llvm::Value *order = call.builder.CreateCall(
      compareFunction(call.fc.mc), {call.pointer(0), call.pointer(1), call.fc.usize(type.size)});
  return call.result(call.builder.CreateICmpEQ(order, call.builder.getInt32(0)));
}

static constexpr CoreIntrinsicRow kRows[] = {
    {"copy", copy<true>},
    {"copy_nonoverlapping", copy<false>},
    {"volatile_copy_memory", volatileCopy<true>},
    {"volatile_copy_nonoverlapping_memory", volatileCopy<false>},
    {"write_bytes", writeBytes<false>},
    {"volatile_set_memory", writeBytes<true>},
    {"volatile_load", volatileLoad<false>},
    {"volatile_store", volatileStore<false>},
    {"unaligned_volatile_load", volatileLoad<true>},
    {"unaligned_volatile_store", volatileStore<true>},
    {"nontemporal_store", nontemporalStore},
    {"read_via_copy", readViaCopy},
    {"write_via_move", writeViaMove},
    {"compare_bytes", compareBytes},
    {"raw_eq", rawEq},
};

std::span<const CoreIntrinsicRow> memoryIntrinsics() { return kRows; }

} // namespace mirgpu::lowering
