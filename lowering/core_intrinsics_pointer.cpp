// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointer intrinsics: offsets in elements, differences, masks, and what a vtable says. Offsets
// without a promise (`arith_offset`) become plain GEPs, never inbounds ones.
#include "lowering/core_intrinsics.h"
#include "lowering/memory_access.h"

#include "llvm/IR/Intrinsics.h"

namespace mirgpu::lowering {

static OperandValue arithOffset(const IntrinsicCall &call) {
  llvm::Value *bytes = call.builder.CreateMul(call.imm(1), call.fc.usize(call.typeOfArg(0).size));
  return call.result(call.builder.CreatePtrAdd(call.pointer(0), bytes));
}

static OperandValue offset(const IntrinsicCall &call) {
  return lowerBinaryOp(call.fc, mir::BinOp::Offset, call.args[0], call.args[1], call.dest.ty);
}

static llvm::Value *byteDistance(const IntrinsicCall &call, bool isUnsigned) {
  llvm::Type *usize = call.fc.mc.usizeType();
  llvm::Value *end = call.builder.CreatePtrToInt(call.pointer(0), usize),
              *start = call.builder.CreatePtrToInt(call.pointer(1), usize);
  return call.builder.CreateSub(end, start, "", /*HasNUW=*/isUnsigned, /*HasNSW=*/!isUnsigned);
}

static OperandValue offsetFrom(const IntrinsicCall &call) {
  return call.result(call.builder.CreateExactSDiv(byteDistance(call, false),
                                                  call.fc.usize(call.typeOfArg(0).size)));
}

static OperandValue offsetFromUnsigned(const IntrinsicCall &call) {
  return call.result(call.builder.CreateExactUDiv(byteDistance(call, true),
                                                  call.fc.usize(call.typeOfArg(0).size)));
}

static OperandValue mask(const IntrinsicCall &call) {
  return call.result(call.builder.CreateIntrinsic(
      llvm::Intrinsic::ptrmask, {call.pointer(0)->getType(), call.imm(1)->getType()},
      {call.pointer(0), call.imm(1)}));
}

/// Slot 1 of every vtable is the size, slot 2 the alignment.
template <unsigned slot> static OperandValue vtableEntry(const IntrinsicCall &call) {
  llvm::Value *address = emitOffset(call.fc, call.pointer(0), 8ull * slot);
  return call.result(emitLoad(call.fc, call.fc.mc.usizeType(), address, 8));
}

/// A hint about memory that is read soon: nothing on these targets.
static OperandValue prefetch(const IntrinsicCall &call) { return call.unit(); }

static constexpr CoreIntrinsicRow kRows[] = {
    {"arith_offset", arithOffset},
    {"offset", offset},
    {"ptr_offset_from", offsetFrom},
    {"ptr_offset_from_unsigned", offsetFromUnsigned},
    {"ptr_mask", mask},
    {"vtable_size", vtableEntry<1>},
    {"vtable_align", vtableEntry<2>},
    {"prefetch_read_data", prefetch},
    {"prefetch_write_data", prefetch},
    {"prefetch_read_instruction", prefetch},
    {"prefetch_write_instruction", prefetch},
};

std::span<const CoreIntrinsicRow> pointerIntrinsics() { return kRows; }

} // namespace mirgpu::lowering
