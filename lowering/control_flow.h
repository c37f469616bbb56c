// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The control flow of a body as lowering sees it: without the edges that a panic cut or a constant
// switch takes away. It gives the order in which blocks are lowered (reverse postorder: a
// definition comes before what it dominates), dominance, and from it which locals can live in an
// SSA value: those with one definition that dominates every use and whose address nobody takes.
#pragma once

#include "lowering/panic_cut.h"
#include "mir_reader/query.h"

#include <functional>
#include <vector>

namespace mirgpu::lowering {

class ControlFlow {
public:
  ControlFlow(const mir::Program &program, const mir::Body &body, const PanicCut &cut);

  const std::vector<mir::BlockId> &order() const { return order_; }
  bool isReachable(mir::BlockId block) const { return number_[block.index] != kUnreachable; }
  /// Whether every path to `b` goes through `a`. Both are reachable.
  bool dominates(mir::BlockId a, mir::BlockId b) const;

private:
  static constexpr uint32_t kUnreachable = UINT32_MAX;
  void computeDominators();

  std::vector<mir::BlockId> order_;
  std::vector<uint32_t> number_; ///< position in order_
  std::vector<uint32_t> idom_;   ///< by position
  std::vector<std::vector<uint32_t>> predecessors_;
};

/// Where control goes after `block`.
std::vector<mir::BlockId> successors(const mir::Program &program, const mir::Body &body,
                                     const PanicCut &cut, mir::BlockId block);
/// The only target that a switch on a constant can take.
std::optional<mir::BlockId> constantTarget(const mir::Program &program,
                                           const mir::SwitchInt &terminator);

/// For each local of the function whether it needs memory of its own.
std::vector<bool> findLocalsWithSlot(const mir::Program &program, mir::FunctionId id,
                                     const PanicCut &cut, const ControlFlow &flow);

} // namespace mirgpu::lowering
