// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's own passes and code emission for one module. Private to codegen/.
#pragma once

#include "codegen/codegen.h"

#include "llvm/Target/TargetMachine.h"

namespace mirgpu::codegen {

/// Runs the target machine's default pipeline of options.optLevel, with the target's TTI and its
/// own passes registered.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, const EmitOptions &options);

/// Turns local memory into registers where it can be, and tidies up after it.
void promoteLocals(llvm::Module &module, llvm::TargetMachine &machine);

/// Assembly text or a relocatable object. What LLVM reports on the way becomes the error.
llvm::Expected<std::string> emitMachineCode(llvm::Module &module, llvm::TargetMachine &machine,
                                            llvm::CodeGenFileType type);

/// A module that does not verify is a bug of ours: ends the process with the verifier's text.
/// `when` names the step before.
void verifyOrDie(llvm::Module &module, llvm::StringRef when);

} // namespace mirgpu::codegen
