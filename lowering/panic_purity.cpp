// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See panic_purity.h: one walk over a body, callees first. Recursion and loops count as effects.
#include "lowering/panic_purity.h"

#include "lowering/panic_names.h"
#include "mir_reader/query.h"
#include "support/match.h"

#include <algorithm>

namespace mirgpu::lowering {

using namespace mir;

bool isIndirect(const Place &place) {
  return std::any_of(place.projection.begin(), place.projection.end(),
                     [](const Projection &p) { return std::holds_alternative<ProjDeref>(p); });
}

bool isLocalStatement(const Statement &statement) {
  return match(
      statement.kind, [](const Assign &s) { return !isIndirect(s.place); },
      [](const SetDiscriminant &s) { return !isIndirect(s.place); },
      [](const StorageLive &) { return true; }, [](const StorageDead &) { return true; },
      [](const Assume &) { return true; }, [](const CopyNonOverlapping &) { return false; },
      [](const Nop &) { return true; });
}

FunctionId directCallee(const Callee &callee) {
  const auto *direct = std::get_if<CalleeDirect>(&callee);
  return direct ? direct->function : FunctionId();
}

std::vector<BlockId> successors(const Terminator &terminator) {
  auto one = [](BlockId target) {
    return target.isValid() ? std::vector<BlockId>{target} : std::vector<BlockId>();
  };
  return match(
      terminator.kind, [&](const Goto &t) { return one(t.target); },
      [](const SwitchInt &t) {
        std::vector<BlockId> targets;
        for (const SwitchArm &arm : t.arms)
          targets.push_back(arm.target);
        targets.push_back(t.otherwise);
        return targets;
      },
      [](const UnwindResume &) { return std::vector<BlockId>(); },
      [](const UnwindTerminate &) { return std::vector<BlockId>(); },
      [](const Return &) { return std::vector<BlockId>(); },
      [](const Unreachable &) { return std::vector<BlockId>(); },
      [&](const Drop &t) { return one(t.target); }, [&](const Call &t) { return one(t.target); },
      [](const TailCall &) { return std::vector<BlockId>(); },
      [&](const Assert &t) { return one(t.target); }, [](const InlineAsm &t) { return t.targets; });
}

/// Whether a call of `callee` does nothing but give a value, whatever its arguments are.
static bool givesValueAlone(const Callee &callee) {
  const auto *intrinsic = std::get_if<CalleeIntrinsic>(&callee);
  return std::holds_alternative<CalleeNothing>(callee) ||
         std::holds_alternative<CalleeConstant>(callee) ||
         (intrinsic && intrinsic->name == "caller_location");
}

bool Purity::isPanicEntry(FunctionId function) const {
  return function.isValid() && findPanicEntry(program_.functions[function]);
}

Purity::Verdict Purity::judge(FunctionId function) {
  if (!function.isValid() || depth_ >= kMaxDepth)
    return Verdict::Effects;
  Verdict &verdict = verdicts_[function];
  if (verdict == Verdict::InProgress)
    return Verdict::Effects;
  if (verdict == Verdict::Unknown) {
    verdict = Verdict::InProgress;
    ++depth_;
    const Verdict result = judgeBody(program_.functions[function]);
    --depth_;
    return verdicts_[function] = result;
  }
  return verdict;
}

namespace {
/// Depth-first walk of a body that meets each block once and sees back edges.
struct BodyWalk {
  const Body &body;
  std::vector<uint8_t> color =
      std::vector<uint8_t>(body.blocks.size()); ///< 0 new, 1 on the path, 2 done
  bool hasLoop = false;

  template <class Visit> void run(BlockId block, const Visit &visit) {
    std::vector<std::pair<BlockId, std::vector<BlockId>>> stack;
    auto enter = [&](BlockId b) {
      color[b.index] = 1;
      stack.emplace_back(b, visit(body.blocks[b]) ? successors(body.blocks[b].terminator)
                                                  : std::vector<BlockId>());
    };
    enter(block);
    while (!stack.empty()) {
      auto &[at, next] = stack.back();
      if (next.empty()) {
        color[at.index] = 2;
        stack.pop_back();
        continue;
      }
      const BlockId successor = next.back();
      next.pop_back();
      if (color[successor.index] == 1)
        hasLoop = true;
      else if (color[successor.index] == 0)
        enter(successor);
    }
  }
};
} // namespace

Purity::Verdict Purity::judgeBody(const Function &function) {
  if (!function.body || function.isForeign || isKind<TyFnDef>(program_, function.output))
    return Verdict::Effects;
  bool effects = false, panics = false, returns = false;
  BodyWalk walk{*function.body};
  // Returns whether the walk goes on behind the block.
  auto visit = [&](const BasicBlock &block) {
    for (const Statement &statement : block.statements)
      effects |= !isLocalStatement(statement);
    return match(
        block.terminator.kind, [](const Goto &) { return true; },
        [](const SwitchInt &) { return true; }, [](const Unreachable &) { return false; },
        [&](const Return &) {
          returns = true;
          return false;
        },
        [&](const Call &call) {
          const FunctionId callee = directCallee(call.callee);
          if (isPanicEntry(callee) || isPanicOnly(callee)) {
            panics = true;
            return false;
          }
          effects |= !(givesValueAlone(call.callee) || isPure(callee)) || isIndirect(call.dest);
          return !effects;
        },
        [&](const Drop &drop) {
          effects |= !std::holds_alternative<CalleeNothing>(drop.callee);
          return !effects;
        },
        [&](const auto &) {
          effects = true;
          return false;
        });
  };
  walk.run(BlockId(0), visit);
  if (effects || walk.hasLoop || panics == returns)
    return Verdict::Effects;
  return panics ? Verdict::PanicOnly : Verdict::Pure;
}

} // namespace mirgpu::lowering
