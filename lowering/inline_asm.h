// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly (`asm!`): the terminator InlineAsm becomes a call of llvm::InlineAsm, or `callbr`
// where it jumps to labels.
//
// The text is the target's own. Operands follow their types (lowering::Target::asmRegister), since
// the register classes that rustc accepts are the host's. Outputs stand before inputs, as LLVM
// numbers them. Memory is clobbered unless the options say `nomem` or `readonly`, and the assembly
// has side effects unless it is `pure`. It is convergent like every call (DESIGN D6).
#pragma once

#include "lowering/function_context.h"

namespace mirgpu::lowering {

/// The module's named metadata that the `!srcloc` of assembly points into, counted from 1: where
/// each stands in the Rust source, as `file:line:column`.
inline constexpr const char *kAsmPlaces = "mirgpu.asm_places";

/// Ends the block. What the target cannot hold is MG0105.
void lowerInlineAsm(FunctionContext &fc, const mir::InlineAsm &assembly);

} // namespace mirgpu::lowering
