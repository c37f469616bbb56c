// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Panics in LLVM IR (DESIGN D7): a call of the neutral `mirgpu.panic` (or `mirgpu.panic_dynamic`
// where place or text are known at run time alone), then `unreachable`. codegen/<target> makes it
// report and end the thread. The callee is noreturn, cold, noinline, nounwind and *not* convergent,
// and nothing is said of its memory effects, so no pass can delete the report.
#pragma once

#include "lowering/function_context.h"
#include "lowering/panic_cut.h"

#include <string_view>

namespace mirgpu::lowering {

/// Whether the function is a panic entry, never to be lowered itself.
bool isPanicFunction(const mir::Function &function);

/// An Assert terminator: a branch on the condition, the panic in a cold block, the other edge to
/// the target.
void lowerAssert(FunctionContext &fc, const mir::Assert &assertion);

/// Replaces the call that ends `fc.block` by its panic; leaves the block terminated.
void lowerPanic(FunctionContext &fc, const PanicSite &site);

/// A panic entry reached otherwise than by a call that PanicCut knows (a tail call, an unwind
/// action): its fixed text, at the current span.
void lowerPanicCall(FunctionContext &fc, const mir::Function &callee);

/// Ends the thread with a report that says `text`, at the current span; leaves the block
/// terminated.
void lowerAbort(FunctionContext &fc, std::string_view text);

} // namespace mirgpu::lowering
