// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See panic_cut.h. Liveness is by local, not by point: a local is needed if anything kept reads it
// anywhere, and then all that sets it is kept. Roots are what has an effect: stores through
// pointers, calls that are not pure, control flow, the returned value, and the operands that a
// panic reports.
#include "lowering/panic_cut.h"

#include "mir_reader/query.h"
#include "support/match.h"

namespace mirgpu::lowering {

using namespace mir;

class CutAnalysis {
public:
  CutAnalysis(ValuePool &pool, Purity &purity, FunctionId id)
      : pool_(pool), purity_(purity), body_(*pool.program().functions[id].body),
        evaluator_(pool, purity, id, {}, true) {}

  PanicCut run() {
    pool_.begin();
    findSites();
    cut_.needed_.assign(body_.locals.size(), false);
    setters_.resize(body_.locals.size());
    for (uint32_t b = 0; b < body_.blocks.size(); ++b)
      if (cut_.reachable_[b])
        visitBlock(BlockId(b));
    propagate();
    mark();
    return std::move(cut_);
  }

private:
  /// What must be kept if a local is needed: the places and operands read by what sets it.
  using Reads = std::vector<LocalId>;

  void findSites() {
    cut_.reachable_.assign(body_.blocks.size(), false);
    std::vector<BlockId> stack{BlockId(0)};
    while (!stack.empty()) {
      const BlockId block = stack.back();
      stack.pop_back();
      if (cut_.reachable_[block.index])
        continue;
      cut_.reachable_[block.index] = true;
      if (auto site = evaluator_.siteOf(block)) {
        cut_.sites_.emplace(block, std::move(*site));
        continue;
      }
      for (BlockId next : successors(body_.blocks[block].terminator))
        stack.push_back(next);
    }
  }

  // ---- Reads ----
  static void readIndices(const Place &place, Reads &reads) {
    for (const Projection &p : place.projection)
      if (const auto *index = std::get_if<ProjIndex>(&p))
        reads.push_back(index->local);
  }
  static void read(const Place &place, Reads &reads) {
    reads.push_back(place.local);
    readIndices(place, reads);
  }
  static void read(const Operand &operand, Reads &reads) {
    match(
        operand, [&](const Copy &o) { read(o.place, reads); },
        [&](const Move &o) { read(o.place, reads); }, [](const Constant &) {},
        [](const RuntimeChecks &) {});
  }
  static void read(const Rvalue &rvalue, Reads &reads) {
    match(
        rvalue, [&](const Use &r) { read(r.operand, reads); },
        [&](const Repeat &r) { read(r.operand, reads); },
        [&](const Ref &r) { read(r.place, reads); }, [](const ThreadLocalRef &) {},
        [&](const RawPtr &r) { read(r.place, reads); },
        [&](const Cast &r) { read(r.operand, reads); },
        [&](const BinaryOp &r) {
          read(r.lhs, reads);
          read(r.rhs, reads);
        },
        [&](const UnaryOp &r) { read(r.operand, reads); },
        [&](const Discriminant &r) { read(r.place, reads); },
        [&](const Aggregate &r) {
          for (const Operand &operand : r.operands)
            read(operand, reads);
        },
        [&](const CopyForDeref &r) { read(r.place, reads); },
        [&](const WrapUnsafeBinder &r) { read(r.operand, reads); });
  }

  // ---- Roots and setters ----
  void need(LocalId local) {
    if (cut_.needed_[local.index])
      return;
    cut_.needed_[local.index] = true;
    worklist_.push_back(local);
  }
  void need(const Reads &reads) {
    for (LocalId local : reads)
      need(local);
  }
  template <class T> void needRead(const T &thing) {
    Reads reads;
    read(thing, reads);
    need(reads);
  }

  void visitBlock(BlockId block) {
    const BasicBlock &bb = body_.blocks[block];
    for (const Statement &statement : bb.statements)
      visitStatement(statement);
    if (const PanicSite *site = cut_.panicAt(block))
      visitPanic(bb.terminator, *site);
    else
      visitTerminator(block, bb.terminator);
  }

  void visitStatement(const Statement &statement) {
    match(
        statement.kind,
        [&](const Assign &s) {
          Reads reads;
          read(s.rvalue, reads);
          readIndices(s.place, reads);
          if (isIndirect(s.place)) {
            need(reads);
            need(s.place.local);
          } else {
            setters_[s.place.local.index].push_back(std::move(reads));
          }
        },
        [&](const SetDiscriminant &s) {
          if (isIndirect(s.place))
            needRead(s.place);
        },
        [&](const Assume &s) { needRead(s.operand); },
        [&](const CopyNonOverlapping &s) {
          needRead(s.src);
          needRead(s.dst);
          needRead(s.count);
        },
        [](const StorageLive &) {}, [](const StorageDead &) {}, [](const Nop &) {});
  }

  void visitPanic(const Terminator &terminator, const PanicSite &site) {
    const Call &call = std::get<Call>(terminator.kind);
    for (size_t i = 0; i < site.operands && i < call.args.size(); ++i)
      needRead(call.args[i]);
    if (site.textLocal)
      need(*site.textLocal);
  }

  bool isPureCall(const Call &call) {
    return call.target.isValid() && !isIndirect(call.dest) &&
           purity_.isPure(directCallee(call.callee));
  }

  void visitCall(const Call &call) {
    Reads reads;
    for (const Operand &arg : call.args)
      read(arg, reads);
    if (isPureCall(call)) {
      readIndices(call.dest, reads);
      setters_[call.dest.local.index].push_back(std::move(reads));
      return;
    }
    need(reads);
    needRead(call.dest);
    if (const auto *pointer = std::get_if<CalleePointer>(&call.callee))
      needRead(pointer->operand);
  }

  void visitTerminator(BlockId block, const Terminator &terminator) {
    match(
        terminator.kind, [](const Goto &) {}, [&](const SwitchInt &t) { needRead(t.operand); },
        [](const UnwindResume &) {}, [](const UnwindTerminate &) {},
        [&](const Return &) { need(LocalId(0)); }, [](const Unreachable &) {},
        [&](const Drop &t) { needRead(t.place); }, [&](const Call &t) { visitCall(t); },
        [&](const TailCall &t) {
          for (const Operand &arg : t.args)
            needRead(arg);
          if (const auto *pointer = std::get_if<CalleePointer>(&t.callee))
            needRead(pointer->operand);
        },
        [&](const Assert &t) {
          needRead(t.cond);
          for (const Operand &operand : t.operands)
            needRead(operand);
        },
        [&](const InlineAsm &t) { visitAsm(t); });
    (void)block;
  }

  void visitAsm(const InlineAsm &assembly) {
    for (const AsmOperand &operand : assembly.operands)
      match(
          operand, [&](const AsmIn &o) { needRead(o.value); },
          [&](const AsmOut &o) {
            if (o.place)
              needRead(*o.place);
          },
          [&](const AsmInOut &o) {
            needRead(o.in);
            if (o.out)
              needRead(*o.out);
          },
          [](const AsmConst &) {}, [](const AsmSymFn &) {}, [](const AsmSymStatic &) {},
          [](const AsmLabel &) {});
  }

  void propagate() {
    while (!worklist_.empty()) {
      const LocalId local = worklist_.back();
      worklist_.pop_back();
      for (const Reads &reads : setters_[local.index])
        need(reads);
    }
  }

  // ---- Result ----
  bool isSkipped(const Statement &statement) const {
    auto isDeadPlace = [&](const Place &place) {
      return !isIndirect(place) && !cut_.needed_[place.local.index];
    };
    return match(
        statement.kind, [&](const Assign &s) { return isDeadPlace(s.place); },
        [&](const SetDiscriminant &s) { return isDeadPlace(s.place); },
        [&](const StorageLive &s) { return !cut_.needed_[s.local.index]; },
        [&](const StorageDead &s) { return !cut_.needed_[s.local.index]; },
        [](const Assume &) { return false; }, [](const CopyNonOverlapping &) { return false; },
        [](const Nop &) { return true; });
  }

  void mark() {
    cut_.skipped_.resize(body_.blocks.size());
    cut_.skippedCall_.assign(body_.blocks.size(), false);
    for (uint32_t b = 0; b < body_.blocks.size(); ++b) {
      const BasicBlock &bb = body_.blocks[BlockId(b)];
      for (const Statement &statement : bb.statements)
        cut_.skipped_[b].push_back(isSkipped(statement));
      if (const auto *call = std::get_if<Call>(&bb.terminator.kind))
        cut_.skippedCall_[b] =
            !cut_.panicAt(BlockId(b)) && isPureCall(*call) && !cut_.needed_[call->dest.local.index];
    }
  }

  ValuePool &pool_;
  Purity &purity_;
  const Body &body_;
  BodyEvaluator evaluator_;
  PanicCut cut_;
  std::vector<std::vector<Reads>> setters_;
  std::vector<LocalId> worklist_;
};

const PanicSite *PanicCut::panicAt(BlockId block) const {
  const auto it = sites_.find(block);
  return it == sites_.end() ? nullptr : &it->second;
}

PanicCut PanicAnalysis::cut(FunctionId function) {
  return CutAnalysis(pool_, purity_, function).run();
}

} // namespace mirgpu::lowering
