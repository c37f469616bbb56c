// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locals in parts. Private to codegen/.
#pragma once

#include "llvm/IR/PassManager.h"

namespace mirgpu::codegen {

/// Splits a local whose parts are never touched by one access: an array that is indexed at run time
/// and what stands beside it, as in `struct Stack { values: [f32; 16], depth: usize }`. LLVM splits
/// no local with a run-time index; here the bounds check before the access says where it ends. The
/// depth then lives in a register.
class SplitLocals : public llvm::PassInfoMixin<SplitLocals> {
public:
  llvm::PreservedAnalyses run(llvm::Function &fn, llvm::FunctionAnalysisManager &functions);
};

} // namespace mirgpu::codegen
