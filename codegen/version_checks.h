// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops without bounds checks. Private to codegen/.
#pragma once

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LPMUpdater;
}

namespace mirgpu::codegen {

/// The metadata of a loop over the threads of a block (host/thread_loop.h), which
/// host/thread_ranges.h splits.
inline constexpr char kThreadLoop[] = "mirgpu.loop.threads";

/// Splits an innermost loop in two: one without the checks that can be decided before it, and the
/// loop as it was for when one of them would fail. Runs among the late loop passes, once inner
/// loops of few iterations are unrolled.
class VersionChecks : public llvm::PassInfoMixin<VersionChecks> {
public:
  /// `callersLoop`: a function without a loop is called in one, which few iterations are unrolled
  /// into.
  explicit VersionChecks(bool callersLoop = false) : callersLoop_(callersLoop) {}
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &results,
                              llvm::LPMUpdater &updater);

private:
  bool callersLoop_;
};

} // namespace mirgpu::codegen
