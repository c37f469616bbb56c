// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of inline assembly on each target: the LLVM Language Reference's "Supported Constraint
// Code List" and "Asm template argument modifiers". Rust checks `asm!` against the host, so the
// register classes are the host's; on a GPU the type decides.
#pragma once

#include "lowering/target.h"

#include "llvm/TargetParser/Triple.h"

namespace mirgpu::codegen {

/// See lowering::Target::asmRegister. `triple` matters for the host alone.
std::optional<lowering::AsmRegister> asmRegister(Backend backend, const llvm::Triple &triple,
                                                 std::string_view name, lowering::AsmScalar scalar);
/// See lowering::Target::asmModifier.
std::string asmModifier(Backend backend, const llvm::Triple &triple, std::string_view name,
                        std::string_view modifier);

} // namespace mirgpu::codegen
