// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, drops and returns: call.cpp, drop.cpp, block.cpp. Each leaves the current block
// terminated.
#pragma once

#include "lowering/function_context.h"

namespace mirgpu::lowering {

void lowerCall(FunctionContext &fc, const mir::Call &call);
/// A tail call is a call and a return: the stack is not reused.
void lowerTailCall(FunctionContext &fc, const mir::TailCall &call);
void lowerDrop(FunctionContext &fc, const mir::Drop &drop);
/// Drops a `dyn` value through the vtable that its place has as metadata.
void dropVirtual(FunctionContext &fc, const PlaceRef &place);
/// Returns what the return place holds.
void emitReturn(FunctionContext &fc);

/// A call of one of mirgpu's own intrinsics (a function with the tool attribute `intrinsic`).
void lowerDeviceIntrinsic(FunctionContext &fc, std::string_view id,
                          llvm::ArrayRef<OperandValue> args, const Destination &dest);

} // namespace mirgpu::lowering
