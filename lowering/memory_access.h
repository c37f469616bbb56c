// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that emits loads, stores, copies and fills (DESIGN D5). Memory is bytes: addresses
// are made by i8 GEPs, every access carries the alignment that the Rust layout gives, and a load
// says what Rust promises of the value: `noundef`, `!range`,
// `!nonnull`, `!align`. Atomics have their own function in core_intrinsics_atomic.cpp; checkers
// hook here and there.
#pragma once

#include "lowering/function_context.h"

namespace mirgpu::lowering {

struct AccessFlags {
  bool isVolatile = false;
  bool isNonTemporal = false;
};

/// The alignment that an address aligned to `align` still has `offset` bytes further.
uint64_t alignAt(uint64_t align, uint64_t offset);
/// `pointer` plus `offset` bytes, inbounds; the pointer itself for 0.
llvm::Value *emitOffset(FunctionContext &fc, llvm::Value *pointer, uint64_t offset);
llvm::Value *emitOffset(FunctionContext &fc, llvm::Value *pointer, llvm::Value *offset);

/// Every load. `type` is the type in memory (never i1).
llvm::LoadInst *emitLoad(FunctionContext &fc, llvm::Type *type, llvm::Value *address,
                         uint64_t align, AccessFlags flags = {});
/// Every store.
void emitStore(FunctionContext &fc, llvm::Value *value, llvm::Value *address, uint64_t align,
               AccessFlags flags = {});
/// Every copy of memory that does not overlap.
void emitCopy(FunctionContext &fc, llvm::Value *dst, uint64_t dstAlign, llvm::Value *src,
              uint64_t srcAlign, llvm::Value *bytes, AccessFlags flags = {});
/// Every copy of memory that may overlap.
void emitMove(FunctionContext &fc, llvm::Value *dst, uint64_t dstAlign, llvm::Value *src,
              uint64_t srcAlign, llvm::Value *bytes, AccessFlags flags = {});
/// Every fill; `byte` is an i8.
void emitFill(FunctionContext &fc, llvm::Value *dst, uint64_t align, llvm::Value *byte,
              llvm::Value *bytes, AccessFlags flags = {});

/// A scalar from memory to its immediate, with the facts of its valid range. `pointee`: what it
/// points to, if that is known.
llvm::Value *loadScalar(FunctionContext &fc, const mir::Scalar &scalar, llvm::Value *address,
                        uint64_t align, const mir::PointeeInfo *pointee = nullptr,
                        AccessFlags flags = {});
/// An immediate to memory (i1 to i8).
void storeScalar(FunctionContext &fc, const mir::Scalar &scalar, llvm::Value *value,
                 llvm::Value *address, uint64_t align, AccessFlags flags = {});

/// loadOperand and storeOperand with flags (volatile_load, nontemporal_store …).
OperandValue loadOperand(FunctionContext &fc, const PlaceRef &place, AccessFlags flags);
void storeOperand(FunctionContext &fc, const OperandValue &value, const PlaceRef &dest,
                  AccessFlags flags);

} // namespace mirgpu::lowering
