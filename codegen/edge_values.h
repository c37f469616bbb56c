// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that a branch decides. Private to codegen/.
#pragma once

#include "llvm/IR/PassManager.h"

namespace mirgpu::codegen {

/// Gives a phi the value that it has on an edge, where that hangs on the branch's own condition:
///   %next = gep %p, (select %end, 0, 16);  br %end, %out, %loop;  %loop: phi [%next, …]
/// becomes `gep %p, 16` on the way to %loop. A slice iterator's `next` reads so where LLVM has no
/// jump threading, as on targets whose threads diverge; without the select the loop counts.
class EdgeValues : public llvm::PassInfoMixin<EdgeValues> {
public:
  llvm::PreservedAnalyses run(llvm::Function &fn, llvm::FunctionAnalysisManager &);
};

} // namespace mirgpu::codegen
