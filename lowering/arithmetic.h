// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on values that rvalues are made of: binary.cpp, cast.cpp, aggregate.cpp. Each takes
// operands and gives an operand of type `ty`, of the kind that the type asks for.
#pragma once

#include "lowering/function_context.h"

#include <utility>

namespace mirgpu::lowering {

OperandValue lowerUnaryOp(FunctionContext &fc, mir::UnOp op, const OperandValue &value,
                          mir::TypeId ty);
/// A shift's right side at the width of the left one; masked to the width for Rust's wrapping
/// shifts.
llvm::Value *shiftAmount(FunctionContext &fc, llvm::Value *amount, llvm::Type *type, bool masked);
OperandValue lowerCast(FunctionContext &fc, const mir::Cast &cast);

/// Fields by index, as an aggregate takes them.
using FieldValues = std::vector<std::pair<uint32_t, OperandValue>>;
/// Writes `fields` of `variant` and the variant's tag to `dest`.
void storeAggregate(FunctionContext &fc, const PlaceRef &dest, std::optional<uint32_t> variant,
                    const FieldValues &fields);
/// The same as a value; through memory only if the fields are no whole scalars of the type.
OperandValue buildAggregate(FunctionContext &fc, mir::TypeId ty, std::optional<uint32_t> variant,
                            const FieldValues &fields);

} // namespace mirgpu::lowering
