// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps from:  for k in 0..n { panic unless row + k < len; … }
// to:         if row + (n - 1) < len (and that does not wrap) { for k in 0..n { … } }
//             else { for k in 0..n { panic unless row + k < len; … } }
// A check is decided before the loop when it compares an index that moves by one step an iteration
// with a bound that stays: the index is then monotonic, unless it wraps, and its last value stands
// for all. How often the loop can run at most is known from an exit of its own, which counts; other
// exits only end it earlier. What panics, and with which operands, is left to the second loop, so
// nothing is reordered and no panic is lost or invented.
// Invariant: both loops have the same exits; a loop with a convergent operation is never copied
// (DESIGN D6).
#include "codegen/version_checks.h"

#include "codegen/loop_versions.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace mirgpu::codegen {

/// Loops that run fewer times than this are left to the unroller while a loop around them can be
/// split instead.
static constexpr unsigned kUnrolledTrips = 32;

namespace {
/// A branch of the loop that leaves it for a panic unless `index pred bound`; or unless
/// `invariant`, which stays the same, is as `stay` says.
struct Check {
  BranchInst *branch;
  bool stay; ///< the condition's value that stays in the loop
  CmpInst::Predicate pred = CmpInst::BAD_ICMP_PREDICATE;
  const SCEVAddRecExpr *index = nullptr;
  bool widened = false; ///< the index is compared zero-extended
  const SCEV *bound = nullptr;
  const SCEV *last = nullptr; ///< the last iteration that can make the check, from 0
};
} // namespace

namespace {
class Splitter {
public:
  Splitter(Loop &loop, LoopStandardAnalysisResults &results)
      : loop_(loop), results_(results), se_(results.SE), before_(loop, results.SE) {}

  /// Splits the loop; gives the copy with the checks, or null if no check can be decided before it.
  Loop *run() {
    findCounter();
    SmallVector<BasicBlock *, 8> exiting;
    loop_.getExitingBlocks(exiting);
    for (BasicBlock *block : exiting)
      if (auto check = checkOf(block); check && isDecidable(*check))
        checks_.push_back(*check);
    if (checks_.empty())
      return nullptr;
    Value *holds = decide();
    se_.forgetAllLoops();
    SmallVector<DecidedBranch, 8> decided;
    for (const Check &check : checks_)
      decided.push_back({check.branch, check.stay});
    return versionLoop(loop_, *holds, decided, results_);
  }

private:
  /// The exit of the loop's own that bounds its iterations: the latch's, else the first that
  /// counts.
  void findCounter() {
    SmallVector<BasicBlock *, 8> exiting;
    loop_.getExitingBlocks(exiting);
    auto counts = [&](BasicBlock *block) {
      return all_of(successors(block),
                    [&](BasicBlock *to) { return loop_.contains(to) || !endsInPanic(to); }) &&
             !isa<SCEVCouldNotCompute>(se_.getExitCount(&loop_, block));
    };
    if (BasicBlock *latch = loop_.getLoopLatch();
        latch && is_contained(exiting, latch) && counts(latch))
      counter_ = latch;
    else if (auto *found = find_if(exiting, counts); found != exiting.end())
      counter_ = *found;
  }

  /// The last iteration in which `block` can run: that in which the counting exit is taken, or the
  /// one before where the exit comes first.
  const SCEV *lastIteration(BasicBlock *block) {
    if (!counter_)
      return nullptr;
    const SCEV *count = se_.getExitCount(&loop_, counter_);
    if (counter_ == block || !results_.DT.dominates(counter_, block))
      return count;
    const SCEV *one = se_.getOne(count->getType());
    return se_.getMinusSCEV(se_.getUMaxExpr(count, one), one);
  }

  std::optional<Check> checkOf(BasicBlock *block) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || loop_.getLoopLatch() == block)
      return std::nullopt;
    bool leavesIfTrue = !loop_.contains(branch->getSuccessor(0));
    BasicBlock *out = branch->getSuccessor(leavesIfTrue ? 0 : 1);
    if (loop_.contains(out) || !loop_.contains(branch->getSuccessor(leavesIfTrue ? 1 : 0)) ||
        !endsInPanic(out))
      return std::nullopt;
    Check check{branch, !leavesIfTrue};
    if (loop_.isLoopInvariant(branch->getCondition()))
      return check;
    return comparing(check);
  }

  /// Completes `check`, whose condition changes from one iteration to the next.
  std::optional<Check> comparing(Check check) {
    BasicBlock *block = check.branch->getParent();
    auto *compare = dyn_cast<ICmpInst>(check.branch->getCondition());
    if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
      return std::nullopt;
    check.pred = check.stay ? compare->getPredicate() : compare->getInversePredicate();
    const SCEV *left = se_.getSCEVAtScope(compare->getOperand(0), &loop_);
    const SCEV *right = se_.getSCEVAtScope(compare->getOperand(1), &loop_);
    if (se_.isLoopInvariant(left, &loop_)) {
      std::swap(left, right);
      check.pred = CmpInst::getSwappedPredicate(check.pred);
    }
    if (auto *wide = dyn_cast<SCEVZeroExtendExpr>(left)) {
      left = wide->getOperand();
      check.widened = true;
    }
    check.index = dyn_cast<SCEVAddRecExpr>(left);
    check.bound = right;
    check.last = lastIteration(block);
    if (!check.index || check.index->getLoop() != &loop_ || !check.index->isAffine() ||
        !se_.isLoopInvariant(right, &loop_) || !check.last)
      return std::nullopt;
    return check;
  }

  bool isDecidable(Check &check) {
    if (!check.index)
      return true;
    switch (check.pred) {
    case CmpInst::ICMP_NE: // for an index that starts below its bound; else the second loop runs
      check.pred = CmpInst::ICMP_ULT;
      break;
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_UGE:
      break;
    default:
      return false;
    }
    return before_.canExpand(check.index->getStart()) &&
           before_.canExpand(check.index->getStepRecurrence(se_)) &&
           before_.canExpand(check.bound) && before_.canExpand(check.last);
  }

  /// `first op second`, without overflow flags; that it does not wrap joins `holds`.
  Value *checked(IRBuilder<> &builder, Intrinsic::ID id, Value *first, Value *second,
                 SmallVectorImpl<Value *> &holds) {
    Value *pair = builder.CreateBinaryIntrinsic(id, first, second);
    holds.push_back(builder.CreateNot(builder.CreateExtractValue(pair, 1)));
    return builder.CreateExtractValue(pair, 0);
  }

  /// The conditions under which `check` passes in every iteration.
  void decide(IRBuilder<> &builder, const Check &check, SmallVectorImpl<Value *> &holds) {
    if (!check.index) {
      Value *cond = check.branch->getCondition();
      holds.push_back(check.stay ? cond : builder.CreateNot(cond));
      return;
    }
    Type *type = check.index->getType();
    // Frozen: if the count is poison, the loop does not come to its second iteration.
    Value *last = builder.CreateFreeze(before_.expand(check.last));
    if (last->getType()->getIntegerBitWidth() > type->getIntegerBitWidth())
      holds.push_back(builder.CreateICmpULE(
          last,
          ConstantInt::get(last->getType(), APInt::getMaxValue(type->getIntegerBitWidth())
                                                .zext(last->getType()->getIntegerBitWidth()))));
    last = builder.CreateZExtOrTrunc(last, type);
    Value *first = before_.expand(check.index->getStart());
    const SCEV *step = check.index->getStepRecurrence(se_);
    auto *constant = dyn_cast<SCEVConstant>(step);
    bool falls = constant && constant->getAPInt().isNegative();
    Value *distance = before_.expand(falls ? se_.getNegativeSCEV(step) : step);
    if (isOne(distance))
      distance = last;
    else
      distance = checked(builder, Intrinsic::umul_with_overflow, distance, last, holds);
    Value *end =
        checked(builder, falls ? Intrinsic::usub_with_overflow : Intrinsic::uadd_with_overflow,
                first, distance, holds);
    bool needsLargest = check.pred == CmpInst::ICMP_ULT || check.pred == CmpInst::ICMP_ULE;
    Value *worst = needsLargest == falls ? first : end;
    Value *bound = before_.expand(check.bound);
    if (check.widened)
      worst = builder.CreateZExt(worst, bound->getType());
    holds.push_back(builder.CreateICmp(check.pred, worst, bound));
  }

  static bool isOne(Value *distance) {
    auto *constant = dyn_cast<ConstantInt>(distance);
    return constant && constant->isOne();
  }

  Value *decide() {
    SmallVector<Value *, 16> holds;
    for (const Check &check : checks_) {
      IRBuilder<> builder(before_.place());
      decide(builder, check, holds);
    }
    IRBuilder<> builder(before_.place());
    return builder.CreateFreeze(builder.CreateAnd(holds));
  }

  Loop &loop_;
  LoopStandardAnalysisResults &results_;
  ScalarEvolution &se_;
  BeforeLoop before_;
  BasicBlock *counter_ = nullptr;
  SmallVector<Check, 8> checks_;
};
} // namespace

/// Whether the unroller dissolves `loop` into one around it, which is split then as a whole.
static bool leavesToParent(Loop &loop, ScalarEvolution &se, bool callersLoop) {
  Loop *parent = loop.getParentLoop();
  unsigned trips = se.getSmallConstantMaxTripCount(&loop);
  return trips != 0 && trips <= kUnrolledTrips && (parent ? mayVersion(*parent) : callersLoop);
}

PreservedAnalyses VersionChecks::run(Loop &loop, LoopAnalysisManager &,
                                     LoopStandardAnalysisResults &results, LPMUpdater &updater) {
  if (!loop.isInnermost() || !loop.isLoopSimplifyForm() || results.MSSA || !mayVersion(loop) ||
      findOptionMDForLoop(&loop, kThreadLoop) || leavesToParent(loop, results.SE, callersLoop_))
    return PreservedAnalyses::all();
  Loop *copy = Splitter(loop, results).run();
  if (!copy)
    return PreservedAnalyses::all();
  updater.addSiblingLoops({copy});
  return getLoopPassPreservedAnalyses();
}

} // namespace mirgpu::codegen
