// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between floats and 128-bit integers. GPU back ends have no instructions and no
// library functions for them, and a host object has no compiler-rt either, so each is an internal
// function of ours in integer arithmetic, the same on every target.
#pragma once

#include "lowering/function_context.h"

namespace mirgpu::lowering {

/// `float as i128` or `as u128`: rounds towards zero, saturates, NaN becomes 0. For half, float and
/// double.
llvm::Value *emitFloatToWideInt(FunctionContext &fc, llvm::Value *value, bool isSigned);

/// `i128 as float` or `u128 as float`: rounds to nearest, ties to even; too large becomes infinity.
llvm::Value *emitWideIntToFloat(FunctionContext &fc, llvm::Value *value, bool isSigned,
                                llvm::Type *to);

} // namespace mirgpu::lowering
