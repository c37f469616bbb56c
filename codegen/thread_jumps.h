// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jump threading where it is safe. Private to codegen/.
#pragma once

#include "llvm/IR/PassManager.h"

namespace mirgpu::codegen {

/// LLVM's jump threading in functions without convergent operations. LLVM itself leaves it out on
/// every target whose threads diverge, since copies of a barrier would be wrong; but what `?` and
/// `match` leave behind, a test of a discriminant that each path has just set, only it removes.
class ThreadJumps : public llvm::PassInfoMixin<ThreadJumps> {
public:
  llvm::PreservedAnalyses run(llvm::Function &fn, llvm::FunctionAnalysisManager &functions);
};

} // namespace mirgpu::codegen
