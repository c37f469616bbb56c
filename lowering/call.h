// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, drops and returns: call.cpp, drop.cpp, block.cpp. Each leaves the current block
// terminated.
#pragma once

#include "lowering/function_context.h"

namespace mirgpu::lowering {

void lowerCall(FunctionContext &fc, const mir::Call &call);
/// A tail call of the function itself is a loop: the parameters get new values and the body begins
/// again. Any other is a diagnostic, since no GPU has calls that leave the stack as it is.
void lowerTailCall(FunctionContext &fc, const mir::TailCall &call);
/// Whether `call`, in the body of `function`, calls that same instance.
bool isSelfTailCall(const mir::Function &function, mir::FunctionId id, const mir::TailCall &call);
void lowerDrop(FunctionContext &fc, const mir::Drop &drop);
/// Drops a `dyn` value through the vtable that its place has as metadata.
void dropVirtual(FunctionContext &fc, const PlaceRef &place);
/// Returns what the return place holds.
void emitReturn(FunctionContext &fc);

/// A call of one of mirgpu's own intrinsics (a function with the tool attribute `intrinsic`).
void lowerDeviceIntrinsic(FunctionContext &fc, std::string_view id,
                          llvm::ArrayRef<OperandValue> args, const Destination &dest);

} // namespace mirgpu::lowering
