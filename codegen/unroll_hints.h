// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far loops are unrolled. Private to codegen/.
#pragma once

#include "llvm/IR/PassManager.h"

namespace mirgpu::codegen {

/// Asks for small counted loops to be unrolled four times, as NVIDIA's compiler does, instead of
/// the 2 to 8 times that LLVM takes from a size alone; the smallest that only read sixteen times.
class UnrollHints : public llvm::PassInfoMixin<UnrollHints> {
public:
  llvm::PreservedAnalyses run(llvm::Function &fn, llvm::FunctionAnalysisManager &functions);
};

} // namespace mirgpu::codegen
