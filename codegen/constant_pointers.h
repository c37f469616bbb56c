// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps LLVM 22's InferAddressSpaces from a fault of its own. Private to codegen/.
#pragma once

#include "llvm/IR/PassManager.h"

namespace mirgpu::codegen {

/// Freezes a select or phi that chooses among null and integers as pointers, which in Rust are
/// `None` and dangling pointers, where another select or phi takes it. InferAddressSpaces moves the
/// outer one to the address space of its other operand, and leaves a null operand in it for such an
/// inner one, which has no address space at all (LLVM issue 171890, mended after LLVM 22). To run
/// right before each InferAddressSpaces.
class FreezeConstantPointers : public llvm::PassInfoMixin<FreezeConstantPointers> {
public:
  llvm::PreservedAnalyses run(llvm::Function &fn, llvm::FunctionAnalysisManager &functions);
};

} // namespace mirgpu::codegen
