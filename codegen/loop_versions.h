// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes share that split a loop in one without its checks and one with them. Private to
// codegen/.
#pragma once

#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace llvm {
class BranchInst;
}

namespace mirgpu::codegen {

/// Whether `block` does nothing but end the thread: jumps to, or is, a block that ends in
/// `unreachable`.
bool endsInPanic(const llvm::BasicBlock *block);

/// Whether `loop` may stand twice, as for size and for convergence (DESIGN D6), and was not made
/// by `versionLoop`.
bool mayVersion(const llvm::Loop &loop);

/// A branch whose condition is known to be `value`.
struct DecidedBranch {
  llvm::BranchInst *branch;
  bool value;
};

/// Enters `loop` if `holds`, with the branches as decided, else a copy of it, which is given back:
/// it is cold, and neither split again nor unrolled. Both have the same exits. `loop` has a
/// preheader, `holds` is known there.
llvm::Loop *versionLoop(llvm::Loop &loop, llvm::Value &holds, llvm::ArrayRef<DecidedBranch> decided,
                        llvm::LoopStandardAnalysisResults &results);

/// Expressions of what a loop does not change, as values before it.
class BeforeLoop {
public:
  BeforeLoop(llvm::Loop &loop, llvm::ScalarEvolution &se)
      : loop_(loop), se_(se), expander_(se, "check"), preheader_(loop.getLoopPreheader()) {}

  bool canExpand(const llvm::SCEV *value);
  llvm::Value *expand(const llvm::SCEV *value);
  /// Where the values are.
  llvm::Instruction *place() const { return preheader_->getTerminator(); }
  llvm::SCEVExpander &expander() { return expander_; }

private:
  llvm::Value *existing(const llvm::SCEV *value);

  llvm::Loop &loop_;
  llvm::ScalarEvolution &se_;
  llvm::SCEVExpander expander_;
  llvm::BasicBlock *preheader_;
};

} // namespace mirgpu::codegen
