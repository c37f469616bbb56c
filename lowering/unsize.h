// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unsizing casts and vtables: see unsize.cpp. A vtable is an array of eight-byte slots: drop glue
// or null, size, alignment, methods.
#pragma once

#include "lowering/function_context.h"

namespace mirgpu::lowering {

/// `value` coerced to `ty`; `depth` counts the fields of the cast's path that have been followed.
OperandValue unsizeValue(FunctionContext &fc, const OperandValue &value, mir::TypeId ty,
                         const mir::UnsizeInfo &info, size_t depth = 0);
/// Slot `slot` of a vtable, which never changes.
llvm::Value *loadVtableSlot(FunctionContext &fc, llvm::Value *vtable, uint64_t slot,
                            llvm::Type *type);

} // namespace mirgpu::lowering
