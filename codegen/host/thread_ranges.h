// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread loops without their checks and guards, for the threads that pass them all. Private to
// codegen/.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace mirgpu::codegen::host {

/// A call of `mirgpu.thread_range(begin, size)`: where the run of a row's threads ends that a
/// thread loop does from `begin` on. `ThreadRanges` decides it; at most `size`, above `begin`.
llvm::Value *emitThreadRange(llvm::IRBuilder<> &builder, llvm::Value *begin, llvm::Value *size);

/// Runs all of a row's threads at once where nothing was decided.
void lowerThreadRanges(llvm::Module &module);

/// Splits the loop over the threads of a row in one for runs of threads that pass its checks, and
/// the loop as it was for the others. Runs among the late loop passes.
class ThreadRanges : public llvm::PassInfoMixin<ThreadRanges> {
public:
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &results,
                              llvm::LPMUpdater &updater);
};

} // namespace mirgpu::codegen::host
