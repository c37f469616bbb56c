// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reachability, reverse postorder and dominators: see control_flow.h. Which locals need memory is
// in local_analysis.cpp.
#include "lowering/control_flow.h"

#include "lowering/operand.h"
#include "support/match.h"

#include <algorithm>

namespace mirgpu::lowering {

std::optional<mir::BlockId> constantTarget(const mir::Program &program,
                                           const mir::SwitchInt &terminator) {
  mir::u128 value = 0;
  if (const auto *checks = std::get_if<mir::RuntimeChecks>(&terminator.operand)) {
    value = runtimeCheckValue(program, checks->check);
  } else if (const auto *constant = std::get_if<mir::Constant>(&terminator.operand)) {
    const auto *scalar = std::get_if<mir::ConstScalar>(&constant->value);
    if (!scalar)
      return std::nullopt;
    value = scalar->bits;
  } else {
    return std::nullopt;
  }
  for (const mir::SwitchArm &arm : terminator.arms)
    if (arm.value == value)
      return arm.target;
  return terminator.otherwise;
}

static std::vector<mir::BlockId> switchTargets(const mir::Program &program,
                                               const mir::SwitchInt &terminator) {
  if (std::optional<mir::BlockId> only = constantTarget(program, terminator))
    return {*only};
  std::vector<mir::BlockId> targets;
  for (const mir::SwitchArm &arm : terminator.arms)
    targets.push_back(arm.target);
  targets.push_back(terminator.otherwise);
  return targets;
}

std::vector<mir::BlockId> successors(const mir::Program &program, const mir::Body &body,
                                     const PanicCut &cut, mir::BlockId block) {
  using Targets = std::vector<mir::BlockId>;
  if (cut.panicAt(block))
    return {};
  return match(
      body.blocks[block].terminator.kind, [](const mir::Goto &t) { return Targets{t.target}; },
      [&](const mir::SwitchInt &t) { return switchTargets(program, t); },
      [](const mir::UnwindResume &) { return Targets{}; },
      [](const mir::UnwindTerminate &) { return Targets{}; },
      [](const mir::Return &) { return Targets{}; },
      [](const mir::Unreachable &) { return Targets{}; },
      [](const mir::Drop &t) { return Targets{t.target}; },
      [](const mir::Call &t) { return t.target.isValid() ? Targets{t.target} : Targets{}; },
      [](const mir::TailCall &) { return Targets{}; },
      [](const mir::Assert &t) { return Targets{t.target}; },
      [](const mir::InlineAsm &t) { return t.targets; });
}

ControlFlow::ControlFlow(const mir::Program &program, const mir::Body &body, const PanicCut &cut)
    : number_(body.blocks.size(), kUnreachable) {
  struct Visit {
    mir::BlockId block;
    std::vector<mir::BlockId> next;
    size_t at = 0;
  };
  std::vector<bool> seen(body.blocks.size());
  std::vector<Visit> stack;
  std::vector<std::pair<mir::BlockId, mir::BlockId>> edges;
  auto enter = [&](mir::BlockId block) {
    seen[block.index] = true;
    stack.push_back({block, successors(program, body, cut, block), 0});
    for (mir::BlockId to : stack.back().next)
      edges.emplace_back(block, to);
  };
  enter(mir::BlockId(0));
  while (!stack.empty()) {
    if (stack.back().at == stack.back().next.size()) {
      order_.push_back(stack.back().block);
      stack.pop_back();
      continue;
    }
    const mir::BlockId next = stack.back().next[stack.back().at++];
    if (!seen[next.index])
      enter(next);
  }
  std::ranges::reverse(order_);
  for (uint32_t i = 0; i < order_.size(); ++i)
    number_[order_[i].index] = i;
  predecessors_.resize(order_.size());
  for (const auto &[from, to] : edges)
    predecessors_[number_[to.index]].push_back(number_[from.index]);
  computeDominators();
}

/// The iterative algorithm on reverse postorder numbers: the immediate dominator is the meeting
/// point of the predecessors.
void ControlFlow::computeDominators() {
  idom_.assign(order_.size(), kUnreachable);
  idom_[0] = 0;
  auto meet = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (a > b)
        a = idom_[a];
      while (b > a)
        b = idom_[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i < order_.size(); ++i) {
      uint32_t dominator = kUnreachable;
      for (uint32_t predecessor : predecessors_[i])
        if (idom_[predecessor] != kUnreachable)
          dominator = dominator == kUnreachable ? predecessor : meet(dominator, predecessor);
      changed |= idom_[i] != dominator;
      idom_[i] = dominator;
    }
  }
}

bool ControlFlow::dominates(mir::BlockId a, mir::BlockId b) const {
  const uint32_t wanted = number_[a.index];
  uint32_t at = number_[b.index];
  while (at > wanted)
    at = idom_[at];
  return at == wanted;
}

} // namespace mirgpu::lowering
