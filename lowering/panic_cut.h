// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where lowering cuts a body (DESIGN D7): at calls of panic entries and of functions that only
// panic. What computes nothing but the message of such a call is left out, so that neither it nor
// what it names (formatting functions, vtables) is lowered. A pure analysis of MIR; the rule for
// leaving out is liveness: a statement that only sets locals which nothing kept reads.
#pragma once

#include "lowering/panic_eval.h"

#include <map>
#include <vector>

namespace mirgpu::lowering {

class PanicCut {
public:
  /// Whether the block can still be entered.
  bool isReachable(mir::BlockId block) const { return reachable_[block.index]; }
  /// Whether the statement is to be left out.
  bool skipsStatement(mir::BlockId block, size_t statement) const {
    return skipped_[block.index][statement];
  }
  /// Whether the call that ends the block is to be left out: go on at its target.
  bool skipsCall(mir::BlockId block) const { return skippedCall_[block.index]; }
  /// What the call that ends the block reports, if it is a panic; null otherwise.
  const PanicSite *panicAt(mir::BlockId block) const;
  /// Whether nothing that is kept names the local.
  bool isDead(mir::LocalId local) const { return !needed_[local.index]; }

private:
  friend class CutAnalysis;
  std::vector<bool> reachable_, skippedCall_, needed_;
  std::vector<std::vector<bool>> skipped_;
  std::map<mir::BlockId, PanicSite> sites_;
};

/// Makes the cuts of a program's functions; what it learns of one helps with the next.
class PanicAnalysis {
public:
  explicit PanicAnalysis(const mir::Program &program) : pool_(program), purity_(program) {}
  PanicCut cut(mir::FunctionId function);
  bool isPanicEntry(mir::FunctionId function) const { return purity_.isPanicEntry(function); }

private:
  ValuePool pool_;
  Purity purity_;
};

} // namespace mirgpu::lowering
