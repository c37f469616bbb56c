// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions: calls of the table of intrinsics/math.h, for rustc's intrinsics (`sinf32`), for
// the C symbols behind std's methods (`tanf` behind f32::tan), and for `%` on floats.
#pragma once

#include "intrinsics/math.h"
#include "lowering/function_context.h"

namespace mirgpu::lowering {

/// The value of `def` for `args`, all half, float or double. Half computes as float and is rounded.
llvm::Value *emitMath(FunctionContext &fc, const intrinsics::MathDef &def,
                      llvm::ArrayRef<llvm::Value *> args);

/// x % y as Rust has it: exact, with the sign of x.
llvm::Value *emitRemainder(FunctionContext &fc, llvm::Value *x, llvm::Value *y);

/// A call of the foreign function `function` if it is one of C's math functions by name and type;
/// false: it is not, and nothing was done.
bool lowerMathSymbol(FunctionContext &fc, const mir::Function &function,
                     llvm::ArrayRef<OperandValue> args, const Destination &dest);

} // namespace mirgpu::lowering
