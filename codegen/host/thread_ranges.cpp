// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps from:
//   for begin in row:  end = mirgpu.thread_range(begin, size)
//     for x in begin..end { if base + x != 0 && base + x + 1 < width { panic unless …; … } }
// to:
//   for begin in row:  [lo, hi) = the threads from begin on that pass every guard and check
//     if begin == lo { end = hi; for x in begin..end { … } }     without guards and checks
//     else { end = lo, or size if there is no such thread; for x in begin..end as it was }
// A row is mostly three runs: before, within and after the range. Of threads that a guard leaves
// with nothing to do, the second loop runs the first alone, or, after a range, none. Threads keep
// their order, and what panics is left to the second loop, so no panic is lost, invented or
// reordered. A condition on an index that moves by one from thread to thread holds on an interval,
// on which the index does not wrap; any other condition holds for all of the row's remaining
// threads or for none. In the first loop, indices that are computed in 32 bits are counted in 64:
// that they do not wrap is part of what was decided.
#include "codegen/host/thread_ranges.h"

#include "codegen/loop_versions.h"
#include "codegen/version_checks.h"
#include "intrinsics/emitters.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace mirgpu::codegen::host {

static constexpr StringLiteral kThreadRange = "mirgpu.thread_range";
/// More than the threads of a row.
static constexpr uint64_t kMany = 2 * intrinsics::kMaxBlockThreads;
/// A guard against a constant up to this is about the edge before the inner threads.
static constexpr uint64_t kEdge = 64;

Value *emitThreadRange(IRBuilder<> &builder, Value *begin, Value *size) {
  Module &module = *builder.GetInsertBlock()->getModule();
  Type *word = builder.getInt32Ty();
  auto *fn = cast<Function>(
      module.getOrInsertFunction(kThreadRange, FunctionType::get(word, {word, word}, false))
          .getCallee());
  fn->setDoesNotAccessMemory();
  fn->setDoesNotThrow();
  fn->setWillReturn();
  CallInst *call = builder.CreateCall(fn, {begin, size}, "end");
  call->addRangeRetAttr(ConstantRange(APInt(32, 1), APInt(32, intrinsics::kMaxBlockThreads + 1)));
  return call;
}

static bool isThreadRange(const Instruction &inst) {
  auto *call = dyn_cast<CallInst>(&inst);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == kThreadRange;
}

static void takeWholeRow(CallInst &range) {
  range.replaceAllUsesWith(range.getArgOperand(1));
  range.eraseFromParent();
}

void lowerThreadRanges(Module &module) {
  Function *fn = module.getFunction(kThreadRange);
  if (!fn)
    return;
  for (User *user : make_early_inc_range(fn->users()))
    takeWholeRow(*cast<CallInst>(user));
  fn->eraseFromParent();
}

namespace {
/// What a thread must meet: `index pred bound`, the index zero-extended; or that `invariant`, which
/// is the same for all, is `value`.
struct Condition {
  CmpInst::Predicate pred = CmpInst::BAD_ICMP_PREDICATE;
  const SCEVAddRecExpr *index = nullptr;
  const SCEV *bound = nullptr;
  Value *invariant = nullptr;
  bool value = false;
  bool isExact = true; ///< not stricter than the branch
  bool isIdle = false; ///< a thread that does not meet it does nothing at all

  bool isInterval() const { return index && index->getOperand(1)->isOne(); }
  /// Whether most threads can be expected to meet it.
  bool isLikely() const {
    if (!index)
      return true;
    auto *constant = dyn_cast<SCEVConstant>(bound);
    bool isEdge = constant && constant->getAPInt().ule(kEdge);
    return (pred == CmpInst::ICMP_UGT || pred == CmpInst::ICMP_UGE) == isEdge;
  }
};

/// The conditions of one branch, or of more.
struct Conditions {
  SmallVector<Condition, 4> all;
  SmallVector<const SCEVAddRecExpr *, 4> noWrap; ///< step by one, and must not wrap
};

class RangeSplitter {
public:
  RangeSplitter(Loop &loop, CallInst &range, LoopStandardAnalysisResults &results)
      : loop_(loop), range_(range), results_(results), se_(results.SE), before_(loop, results.SE),
        builder_(before_.place()) {}

  /// Splits the loop; gives the copy with the checks, or null if nothing can be decided.
  Loop *run();

private:
  bool findCounter();
  bool endsIdly(const BasicBlock *block, const BasicBlock *to);
  void findBranches();
  void findWideIndices();
  bool collect(Value *condition, bool value, Conditions &into);
  bool collectCompare(ICmpInst &compare, bool value, Conditions &into);
  const SCEVAddRecExpr *affine(const SCEV *value, Conditions &into);
  bool canExpand(const Conditions &given);

  Value *count(Value *number);
  void limit(const Condition &condition);
  void limitInterval(const Condition &condition, Value *narrow, Value *bound);
  Value *holdsForAll(const Condition &condition, Value *first, Value *bound);
  Value *unwrapped(Value *first);
  Value *combine(Intrinsic::ID id, SmallVector<Value *, 16> values);
  Value *frozen(const SCEV *value) { return builder_.CreateFreeze(before_.expand(value)); }
  void setEnd(Value *length, Value *step);
  void widen();

  Loop &loop_;
  CallInst &range_;
  LoopStandardAnalysisResults &results_;
  ScalarEvolution &se_;
  BeforeLoop before_;
  IRBuilder<> builder_;
  const SCEVAddRecExpr *counter_ = nullptr; ///< what the latch compares
  Instruction *counterValue_ = nullptr;
  SmallVector<DecidedBranch, 8> decided_;
  Conditions conditions_;
  SmallVector<std::pair<ZExtInst *, Value *>, 4> wide_; ///< with where they start
  Value *left_ = nullptr;                               ///< threads from `begin` on, 64 bits
  /// Lower and upper limits of the range, and limits of the first that have nothing to do.
  SmallVector<Value *, 16> lows_, highs_, idle_;
  /// From where on, and up to where, threads have nothing to do.
  SmallVector<std::pair<Value *, Value *>, 4> idleAfter_;
};
} // namespace

// ---- What can be decided -----------------------------------------------------------------------

bool RangeSplitter::findCounter() {
  auto *branch = dyn_cast<BranchInst>(loop_.getLoopLatch()->getTerminator());
  auto *compare =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare || !loop_.isLoopExiting(loop_.getLoopLatch()))
    return false;
  for (Value *operand : compare->operands()) {
    auto *step = se_.isSCEVable(operand->getType()) ? dyn_cast<SCEVAddRecExpr>(se_.getSCEV(operand))
                                                    : nullptr;
    if (step && step->getLoop() == &loop_ && step->isAffine() && step->getOperand(1)->isOne() &&
        isa<Instruction>(operand) && before_.canExpand(step->getStart())) {
      counter_ = step;
      counterValue_ = cast<Instruction>(operand);
      return true;
    }
  }
  return false;
}

/// `value` as it moves from thread to thread, perhaps only if what joins `into.noWrap` does not
/// wrap; null if it does not move by the same step.
const SCEVAddRecExpr *RangeSplitter::affine(const SCEV *value, Conditions &into) {
  if (auto *extended = dyn_cast<SCEVZeroExtendExpr>(value))
    if (auto *narrow = dyn_cast<SCEVAddRecExpr>(extended->getOperand()))
      value = narrow;
  auto *moves = dyn_cast<SCEVAddRecExpr>(value);
  if (!moves) {
    SmallVector<const SCEVPredicate *, 4> needed;
    moves = se_.convertSCEVToAddRecWithPredicates(value, &loop_, needed);
    for (const SCEVPredicate *predicate : needed) {
      auto *wraps = dyn_cast<SCEVWrapPredicate>(predicate);
      auto *index = wraps ? dyn_cast<SCEVAddRecExpr>(wraps->getExpr()) : nullptr;
      if (!index || !index->isAffine() || !index->getOperand(1)->isOne() ||
          wraps->getFlags() != SCEVWrapPredicate::IncrementNUSW)
        return nullptr;
      into.noWrap.push_back(index);
    }
  }
  return moves && moves->getLoop() == &loop_ && moves->isAffine() ? moves : nullptr;
}

bool RangeSplitter::collectCompare(ICmpInst &compare, bool value, Conditions &into) {
  if (!compare.getOperand(0)->getType()->isIntegerTy() ||
      compare.getOperand(0)->getType()->getIntegerBitWidth() > 64)
    return false;
  Condition condition;
  condition.pred = value ? compare.getPredicate() : compare.getInversePredicate();
  const SCEV *left = se_.getSCEVAtScope(compare.getOperand(0), &loop_);
  const SCEV *right = se_.getSCEVAtScope(compare.getOperand(1), &loop_);
  if (se_.isLoopInvariant(left, &loop_)) {
    std::swap(left, right);
    condition.pred = CmpInst::getSwappedPredicate(condition.pred);
  }
  condition.bound = right;
  if (condition.pred == CmpInst::ICMP_NE) { // also: an index that is still below its bound
    condition.pred = right->isZero() ? CmpInst::ICMP_UGT : CmpInst::ICMP_ULT;
    condition.isExact = right->isZero();
  }
  if (!CmpInst::isUnsigned(condition.pred) || !se_.isLoopInvariant(right, &loop_))
    return false;
  condition.index = affine(left, into);
  if (!condition.index)
    return false;
  into.all.push_back(condition);
  return true;
}

/// Adds what makes `condition` be `value`; false if a part of it cannot be decided.
bool RangeSplitter::collect(Value *condition, bool value, Conditions &into) {
  if (loop_.isLoopInvariant(condition)) {
    into.all.push_back({.invariant = condition, .value = value});
    return true;
  }
  Value *first = nullptr, *second = nullptr;
  if (match(condition, m_Not(m_Value(first))))
    return collect(first, !value, into);
  if (value ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
            : match(condition, m_LogicalOr(m_Value(first), m_Value(second))))
    return collect(first, value, into) && collect(second, value, into);
  auto *compare = dyn_cast<ICmpInst>(condition);
  return compare && collectCompare(*compare, value, into);
}

bool RangeSplitter::canExpand(const Conditions &given) {
  return all_of(
             given.noWrap,
             [&](const SCEVAddRecExpr *index) { return before_.canExpand(index->getStart()); }) &&
         all_of(given.all, [&](const Condition &condition) {
           return !condition.index || (before_.canExpand(condition.index->getStart()) &&
                                       before_.canExpand(condition.index->getOperand(1)) &&
                                       before_.canExpand(condition.bound));
         });
}

static bool hasEffects(const BasicBlock &block) {
  return any_of(block, [](const Instruction &inst) {
    return inst.mayHaveSideEffects() && !isa<AssumeInst, NoAliasScopeDeclInst>(inst);
  });
}

/// Whether from `block` on a thread does nothing but end.
static bool isIdleEnd(const BasicBlock *block, const Loop &loop) {
  for (unsigned i = 0; i < 4 && block && loop.contains(block) && !hasEffects(*block); ++i) {
    if (block == loop.getLoopLatch())
      return true;
    block = block->getUniqueSuccessor();
  }
  return false;
}

/// Whether a thread that goes from `block` to `to` does nothing at all, nor does one that does not
/// come to `block`.
bool RangeSplitter::endsIdly(const BasicBlock *block, const BasicBlock *to) {
  if (!isIdleEnd(to, loop_) || hasEffects(*block))
    return false;
  while (block != loop_.getHeader()) {
    const BasicBlock *before = block->getUniquePredecessor();
    if (!before || !loop_.contains(before) || hasEffects(*before) ||
        !all_of(successors(before),
                [&](const BasicBlock *next) { return next == block || isIdleEnd(next, loop_); }))
      return false;
    block = before;
  }
  return true;
}

/// Branches that leave the loop for a panic, and those within it that most threads take one way.
void RangeSplitter::findBranches() {
  for (BasicBlock *block : loop_.blocks()) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || block == loop_.getLoopLatch() ||
        results_.LI.getLoopFor(block) != &loop_ || isa<Constant>(branch->getCondition()))
      continue;
    bool stays[] = {loop_.contains(branch->getSuccessor(0)),
                    loop_.contains(branch->getSuccessor(1))};
    bool isGuard = stays[0] && stays[1];
    if (isGuard && loop_.isLoopInvariant(branch->getCondition()))
      continue;
    for (bool value : {true, false}) {
      unsigned other = value ? 1 : 0;
      if (!stays[1 - other] || (!isGuard && !endsInPanic(branch->getSuccessor(other))))
        continue;
      Conditions found;
      if (!collect(branch->getCondition(), value, found) || !canExpand(found) ||
          (isGuard && !all_of(found.all, [](const Condition &c) { return c.isLikely(); })))
        continue;
      decided_.push_back({branch, value});
      if (isGuard && found.noWrap.empty() && endsIdly(block, branch->getSuccessor(other)))
        for (Condition &condition : found.all)
          condition.isIdle = condition.isExact;
      append_range(conditions_.all, found.all);
      append_range(conditions_.noWrap, found.noWrap);
      break;
    }
  }
}

/// Extensions of indices that LLVM cannot see through, since the index might wrap.
void RangeSplitter::findWideIndices() {
  for (BasicBlock *block : loop_.blocks())
    for (Instruction &inst : *block) {
      auto *wide = dyn_cast<ZExtInst>(&inst);
      if (!wide || !wide->getType()->isIntegerTy(64) || isa<SCEVAddRecExpr>(se_.getSCEV(wide)))
        continue;
      auto *index = dyn_cast<SCEVAddRecExpr>(se_.getSCEV(wide->getOperand(0)));
      if (!index || index->getLoop() != &loop_ || !index->isAffine() ||
          !index->getOperand(1)->isOne() || !before_.canExpand(index->getStart()))
        continue;
      conditions_.noWrap.push_back(index);
      wide_.push_back({wide, nullptr});
    }
}

// ---- Deciding ----------------------------------------------------------------------------------

/// `number`, or many, in 64 bits.
Value *RangeSplitter::count(Value *number) {
  Type *type = number->getType();
  if (type->getIntegerBitWidth() > 16)
    number = builder_.CreateBinaryIntrinsic(Intrinsic::umin, number, ConstantInt::get(type, kMany));
  return builder_.CreateZExtOrTrunc(number, builder_.getInt64Ty());
}

/// For how many threads an index that is `first` for the first of them does not wrap.
Value *RangeSplitter::unwrapped(Value *first) {
  return builder_.CreateAdd(count(builder_.CreateNot(first)), builder_.getInt64(1));
}

/// The smallest or largest of `values`, which are combined in pairs: each is soon known.
Value *RangeSplitter::combine(Intrinsic::ID id, SmallVector<Value *, 16> values) {
  for (size_t i = 0; i + 1 < values.size(); i += 2)
    values.push_back(builder_.CreateBinaryIntrinsic(id, values[i], values[i + 1]));
  return values.back();
}

/// Takes the threads out of the range that do not meet `condition`.
void RangeSplitter::limitInterval(const Condition &condition, Value *narrow, Value *bound) {
  Value *first = builder_.CreateZExt(narrow, bound->getType());
  bool isUpper = condition.pred == CmpInst::ICMP_ULT || condition.pred == CmpInst::ICMP_ULE;
  bool goesOn = condition.pred == CmpInst::ICMP_ULE || condition.pred == CmpInst::ICMP_UGT;
  // An index that is below a bound of its own type has not wrapped.
  Value *whole = unwrapped(narrow);
  if (!isUpper || first != narrow)
    highs_.push_back(whole);
  // `first + k < bound` for k below `bound - first`; `<=` for one more, if for any.
  Value *zero = builder_.getInt64(0);
  Value *steps = count(builder_.CreateBinaryIntrinsic(Intrinsic::usub_sat, bound, first));
  if (goesOn)
    steps = builder_.CreateSelect(builder_.CreateICmpULE(first, bound),
                                  builder_.CreateAdd(steps, builder_.getInt64(1)), zero);
  (isUpper ? highs_ : lows_).push_back(steps);
  if (!condition.isIdle)
    return;
  if (isUpper)
    idleAfter_.push_back({steps, whole});
  idle_.push_back(isUpper ? builder_.CreateSelect(builder_.CreateICmpEQ(steps, zero), whole, zero)
                          : builder_.CreateBinaryIntrinsic(Intrinsic::umin, steps, whole));
}

/// Whether an index with another step than 1 meets `condition` from `first` to its last value.
Value *RangeSplitter::holdsForAll(const Condition &condition, Value *first, Value *bound) {
  Type *type = condition.index->getType();
  const SCEV *step = condition.index->getOperand(1);
  auto *constant = dyn_cast<SCEVConstant>(step);
  bool falls = constant && constant->getAPInt().isNegative();
  Value *last = builder_.CreateSub(left_, builder_.getInt64(1));
  Value *fits = builder_.getTrue();
  if (type->getIntegerBitWidth() < 64) {
    fits = builder_.CreateICmpULE(
        last, builder_.getInt64(APInt::getMaxValue(type->getIntegerBitWidth()).getZExtValue()));
    last = builder_.CreateTrunc(last, type);
  }
  auto checked = [&](Intrinsic::ID id, Value *a, Value *b) {
    Value *pair = builder_.CreateBinaryIntrinsic(id, a, b);
    fits = builder_.CreateAnd(fits, builder_.CreateNot(builder_.CreateExtractValue(pair, 1)));
    return builder_.CreateExtractValue(pair, 0);
  };
  Value *distance = checked(Intrinsic::umul_with_overflow,
                            frozen(falls ? se_.getNegativeSCEV(step) : step), last);
  Value *end = checked(falls ? Intrinsic::usub_with_overflow : Intrinsic::uadd_with_overflow, first,
                       distance);
  bool isUpper = condition.pred == CmpInst::ICMP_ULT || condition.pred == CmpInst::ICMP_ULE;
  Value *worst = builder_.CreateZExt(isUpper == falls ? first : end, bound->getType());
  return builder_.CreateAnd(fits, builder_.CreateICmp(condition.pred, worst, bound));
}

void RangeSplitter::limit(const Condition &condition) {
  Value *holds = nullptr;
  if (condition.index) {
    Value *first = frozen(condition.index->getStart()), *bound = frozen(condition.bound);
    if (condition.isInterval())
      return limitInterval(condition, first, bound);
    holds = holdsForAll(condition, first, bound);
  } else {
    holds = builder_.CreateFreeze(condition.invariant);
    if (!condition.value)
      holds = builder_.CreateNot(holds);
  }
  highs_.push_back(builder_.CreateSelect(holds, left_, builder_.getInt64(0)));
}

/// Makes the loop run `length` threads, and what is around it go on after `step`.
void RangeSplitter::setEnd(Value *length, Value *step) {
  Type *type = counter_->getType();
  Value *last = builder_.CreateSub(length, builder_.getInt64(1));
  Value *end = builder_.CreateAdd(before_.expand(counter_->getStart()),
                                  builder_.CreateZExtOrTrunc(last, type), "range.end");
  auto &latch = *cast<BranchInst>(loop_.getLoopLatch()->getTerminator());
  bool goesOnIfTrue = loop_.contains(latch.getSuccessor(0));
  IRBuilder<> at(&latch);
  latch.setCondition(
      at.CreateICmp(goesOnIfTrue ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ, counterValue_, end));
  Value *next = builder_.CreateAdd(range_.getArgOperand(0),
                                   builder_.CreateTrunc(step, builder_.getInt32Ty()));
  range_.replaceUsesWithIf(next,
                           [&](Use &use) { return results_.DT.dominates(before_.place(), use); });
}

/// Counts the first loop's wide indices in their own width.
void RangeSplitter::widen() {
  BasicBlock *header = loop_.getHeader(), *latch = loop_.getLoopLatch();
  for (auto [wide, first] : wide_) {
    IRBuilder<> builder(&header->front());
    PHINode *index = builder.CreatePHI(wide->getType(), 2, "wide");
    builder.SetInsertPoint(latch->getTerminator());
    index->addIncoming(builder.CreateNUWAdd(index, builder.getInt64(1)), latch);
    index->addIncoming(first, loop_.getLoopPreheader());
    wide->replaceAllUsesWith(index);
    wide->eraseFromParent();
  }
}

Loop *RangeSplitter::run() {
  if (!findCounter())
    return nullptr;
  findBranches();
  findWideIndices();
  if (decided_.empty() && wide_.empty())
    return nullptr;
  left_ = builder_.CreateZExt(builder_.CreateSub(range_.getArgOperand(1), range_.getArgOperand(0)),
                              builder_.getInt64Ty());
  highs_.push_back(left_);
  lows_.push_back(builder_.getInt64(0));
  idle_ = lows_;
  SmallPtrSet<const SCEV *, 8> seen;
  for (const SCEVAddRecExpr *index : conditions_.noWrap)
    if (seen.insert(index).second)
      highs_.push_back(unwrapped(frozen(index->getStart())));
  for (const Condition &condition : conditions_.all)
    limit(condition);
  for (auto &[wide, first] : wide_)
    first = builder_.CreateZExt(
        before_.expand(cast<SCEVAddRecExpr>(se_.getSCEV(wide->getOperand(0)))->getStart()),
        wide->getType());
  Value *low = combine(Intrinsic::umax, lows_), *high = combine(Intrinsic::umin, highs_);
  idle_ = {combine(Intrinsic::umax, idle_), left_};
  Value *idle = combine(Intrinsic::umin, idle_), *zero = builder_.getInt64(0);
  Value *isInRange =
      builder_.CreateAnd(builder_.CreateICmpEQ(low, zero), builder_.CreateICmpNE(high, zero));
  Value *isIdle = builder_.CreateICmpNE(idle, zero);
  Value *others = builder_.CreateSelect(builder_.CreateICmpULT(low, high), low, left_);
  Value *length = builder_.CreateSelect(isIdle, builder_.getInt64(1), others);
  Value *step = builder_.CreateSelect(isIdle, idle, others);
  // What comes after the range is left out where it has nothing to do.
  SmallVector<Value *, 16> after{high};
  for (auto [begin, end] : idleAfter_)
    after.push_back(builder_.CreateSelect(builder_.CreateICmpEQ(begin, high), end, zero));
  after = {combine(Intrinsic::umax, after), left_};
  setEnd(builder_.CreateSelect(isInRange, high, length),
         builder_.CreateSelect(isInRange, combine(Intrinsic::umin, after), step));
  se_.forgetAllLoops();
  Loop *copy = versionLoop(loop_, *isInRange, decided_, results_);
  widen();
  se_.forgetAllLoops();
  return copy;
}

// ---- The pass ----------------------------------------------------------------------------------

/// The call that gives the end of `loop`, in the loop around it.
static CallInst *rangeOf(Loop &loop, DominatorTree &tree) {
  CallInst *found = nullptr;
  if (Loop *parent = loop.getParentLoop())
    for (BasicBlock *block : parent->blocks())
      for (Instruction &inst : *block)
        if (isThreadRange(inst) && tree.dominates(&inst, loop.getLoopPreheader()->getTerminator()))
          found = cast<CallInst>(&inst);
  return found;
}

PreservedAnalyses ThreadRanges::run(Loop &loop, LoopAnalysisManager &,
                                    LoopStandardAnalysisResults &results, LPMUpdater &updater) {
  if (!findOptionMDForLoop(&loop, kThreadLoop) || !loop.isLoopSimplifyForm() || results.MSSA)
    return PreservedAnalyses::all();
  CallInst *range = rangeOf(loop, results.DT);
  if (!range)
    return PreservedAnalyses::all();
  Loop *copy = mayVersion(loop) ? RangeSplitter(loop, *range, results).run() : nullptr;
  takeWholeRow(*range);
  results.SE.forgetAllLoops();
  if (copy)
    updater.addSiblingLoops({copy});
  return getLoopPassPreservedAnalyses();
}

} // namespace mirgpu::codegen::host
