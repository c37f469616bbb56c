// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions do nothing but compute a value, and which do nothing but panic (DESIGN D7). Both
// are judged on the MIR alone: no store through a pointer, no call of anything else, no loop. Calls
// of pure functions whose results only make a message can be left out; a call of a panic-only
// function (that of `Option::unwrap`, of `assert_eq!`) can stand for its panic.
#pragma once

#include "mir_reader/mir.h"

#include <map>

namespace mirgpu::lowering {

/// Assigns to a local without a store through a pointer (volatile and atomic accesses are intrinsic
/// calls, never these).
bool isLocalStatement(const mir::Statement &statement);
/// Whether `place` is reached through a pointer.
bool isIndirect(const mir::Place &place);
/// The function that `callee` calls directly; invalid for all others.
mir::FunctionId directCallee(const mir::Callee &callee);
/// The blocks that can follow; `cleanup` edges left out.
std::vector<mir::BlockId> successors(const mir::Terminator &terminator);

class Purity {
public:
  explicit Purity(const mir::Program &program) : program_(program) {}
  /// Returns, computes only its result, never panics.
  bool isPure(mir::FunctionId function) { return judge(function) == Verdict::Pure; }
  /// Never returns, has no effect but one of the panic entries.
  bool isPanicOnly(mir::FunctionId function) { return judge(function) == Verdict::PanicOnly; }
  bool isPanicEntry(mir::FunctionId function) const;

private:
  enum class Verdict : uint8_t { Unknown, InProgress, Pure, PanicOnly, Effects };
  Verdict judge(mir::FunctionId function);
  Verdict judgeBody(const mir::Function &function);

  /// Deeper chains of calls count as effects.
  static constexpr unsigned kMaxDepth = 256;

  const mir::Program &program_;
  unsigned depth_ = 0;
  std::map<mir::FunctionId, Verdict> verdicts_;
};

} // namespace mirgpu::lowering
