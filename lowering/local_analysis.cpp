// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which locals need a slot: those whose bytes are addressed or written in part, and those whose one
// definition does not dominate each use. All others of scalar or pair representation are SSA
// values; what the panic cut skips does not count.
#include "lowering/call.h"
#include "lowering/control_flow.h"
#include "lowering/operand.h"
#include "support/match.h"

#include <algorithm>

namespace mirgpu::lowering {

namespace {

/// A point in a body: statement `index` of a block, or its terminator. Parameters are defined at
/// kEntry.
struct Point {
  mir::BlockId block;
  size_t index = 0;
};

class LocalVisitor {
public:
  LocalVisitor(const mir::Function &function, mir::FunctionId id, const ControlFlow &flow)
      : function_(function), id_(id), body_(*function.body), flow_(flow),
        locals_(body_.locals.size()) {
    const mir::Body &body = body_;
    for (uint32_t i = 1; i <= body.argCount; ++i)
      locals_[i].definitions = 1, locals_[i].isParameter = true;
  }

  std::vector<bool> run(const PanicCut &cut);
  bool needsSlot(uint32_t local) const { return locals_[local].needsSlot; }

private:
  struct State {
    uint32_t definitions = 0;
    bool isParameter = false;
    bool needsSlot = false;
    Point definition;
    std::vector<Point> uses;
  };

  void visitBlocks(const PanicCut &cut);
  void visit(const mir::Statement &statement);
  void visit(const mir::Terminator &terminator, bool isSkippedCall);
  void visit(const mir::Rvalue &rvalue);
  void use(const mir::Operand &operand);
  void use(mir::LocalId local) { locals_[local.index].uses.push_back(at_); }
  void read(const mir::Place &place);
  void readIndices(const mir::Place &place);
  void write(const mir::Place &place, bool inMemory = false);
  void address(const mir::Place &place);
  void useCallee(const mir::Callee &callee);
  void judge();

  const mir::Function &function_;
  mir::FunctionId id_;
  const mir::Body &body_;
  const ControlFlow &flow_;
  std::vector<State> locals_;
  Point at_;
};

bool isIndirect(const mir::Place &place) {
  return std::ranges::any_of(place.projection, [](const mir::Projection &p) {
    return std::holds_alternative<mir::ProjDeref>(p);
  });
}

void LocalVisitor::readIndices(const mir::Place &place) {
  for (const mir::Projection &projection : place.projection)
    if (const auto *index = std::get_if<mir::ProjIndex>(&projection))
      use(index->local);
}

void LocalVisitor::read(const mir::Place &place) {
  use(place.local);
  readIndices(place);
}

void LocalVisitor::write(const mir::Place &place, bool inMemory) {
  readIndices(place);
  if (isIndirect(place))
    return use(place.local);
  State &state = locals_[place.local.index];
  ++state.definitions;
  state.definition = at_;
  state.needsSlot |= inMemory || !place.projection.empty();
}

void LocalVisitor::address(const mir::Place &place) {
  read(place);
  locals_[place.local.index].needsSlot |= !isIndirect(place);
}

void LocalVisitor::use(const mir::Operand &operand) {
  match(
      operand, [&](const mir::Copy &copy) { read(copy.place); },
      [&](const mir::Move &move) { read(move.place); }, [](const mir::Constant &) {},
      [](const mir::RuntimeChecks &) {});
}

void LocalVisitor::useCallee(const mir::Callee &callee) {
  if (const auto *pointer = std::get_if<mir::CalleePointer>(&callee))
    use(pointer->operand);
}

void LocalVisitor::visit(const mir::Rvalue &rvalue) {
  match(
      rvalue, [&](const mir::Use &r) { use(r.operand); },
      [&](const mir::Repeat &r) { use(r.operand); }, [&](const mir::Ref &r) { address(r.place); },
      [](const mir::ThreadLocalRef &) {}, [&](const mir::RawPtr &r) { address(r.place); },
      [&](const mir::Cast &r) { use(r.operand); },
      [&](const mir::BinaryOp &r) { use(r.lhs), use(r.rhs); },
      [&](const mir::UnaryOp &r) { use(r.operand); },
      [&](const mir::Discriminant &r) { read(r.place); },
      [&](const mir::Aggregate &r) {
        for (const mir::Operand &operand : r.operands)
          use(operand);
      },
      [&](const mir::CopyForDeref &r) { read(r.place); },
      [&](const mir::WrapUnsafeBinder &r) { use(r.operand); });
}

void LocalVisitor::visit(const mir::Statement &statement) {
  match(
      statement.kind,
      [&](const mir::Assign &s) {
        visit(s.rvalue);
        write(s.place);
      },
      [&](const mir::SetDiscriminant &s) { write(s.place, /*inMemory=*/true); },
      // Storage markers neither read nor write.
      [](const mir::StorageLive &) {}, [](const mir::StorageDead &) {},
      [&](const mir::Assume &s) { use(s.operand); },
      [&](const mir::CopyNonOverlapping &s) { use(s.src), use(s.dst), use(s.count); },
      [](const mir::Nop &) {});
}

void LocalVisitor::visit(const mir::Terminator &terminator, bool isSkippedCall) {
  auto useAll = [&](const std::vector<mir::Operand> &operands) {
    for (const mir::Operand &operand : operands)
      use(operand);
  };
  match(
      terminator.kind, [](const mir::Goto &) {}, [&](const mir::SwitchInt &t) { use(t.operand); },
      [](const mir::UnwindResume &) {}, [](const mir::UnwindTerminate &) {},
      [&](const mir::Return &) { use(mir::LocalId(0)); }, [](const mir::Unreachable &) {},
      [&](const mir::Drop &t) { address(t.place); },
      [&](const mir::Call &t) {
        if (isSkippedCall)
          return;
        useCallee(t.callee);
        useAll(t.args);
        write(t.dest);
      },
      [&](const mir::TailCall &t) {
        useCallee(t.callee);
        useAll(t.args);
        if (isSelfTailCall(function_, id_, t)) // gives the parameters new values
          for (uint32_t i = 1; i <= body_.argCount; ++i)
            write(mir::Place{mir::LocalId(i), {}});
      },
      [&](const mir::Assert &t) {
        use(t.cond);
        useAll(t.operands);
      },
      [&](const mir::InlineAsm &t) {
        for (const mir::AsmOperand &operand : t.operands) {
          if (const auto *in = std::get_if<mir::AsmIn>(&operand))
            use(in->value);
          if (const auto *both = std::get_if<mir::AsmInOut>(&operand))
            use(both->in);
          if (const auto *out = std::get_if<mir::AsmOut>(&operand); out && out->place)
            write(*out->place);
          if (const auto *both = std::get_if<mir::AsmInOut>(&operand); both && both->out)
            write(*both->out);
        }
      });
}

void LocalVisitor::visitBlocks(const PanicCut &cut) {
  for (mir::BlockId block : flow_.order()) {
    const mir::BasicBlock &bb = body_.blocks[block];
    for (size_t i = 0; i < bb.statements.size(); ++i) {
      at_ = {block, i};
      if (!cut.skipsStatement(block, i))
        visit(bb.statements[i]);
    }
    at_ = {block, bb.statements.size()};
    visit(bb.terminator, cut.skipsCall(block));
  }
}

void LocalVisitor::judge() {
  for (State &state : locals_) {
    if (state.needsSlot || state.definitions > 1) {
      state.needsSlot = true;
      continue;
    }
    if (state.isParameter || state.definitions == 0)
      continue; // a parameter dominates all; what is never written has no value to keep
    const Point definition = state.definition;
    state.needsSlot = !std::ranges::all_of(state.uses, [&](const Point &use) {
      return use.block == definition.block ? use.index > definition.index
                                           : flow_.dominates(definition.block, use.block);
    });
  }
}

std::vector<bool> LocalVisitor::run(const PanicCut &cut) {
  visitBlocks(cut);
  judge();
  std::vector<bool> result;
  for (const State &state : locals_)
    result.push_back(state.needsSlot);
  return result;
}

} // namespace

std::vector<bool> findLocalsWithSlot(const mir::Program &program, mir::FunctionId id,
                                     const PanicCut &cut, const ControlFlow &flow) {
  const mir::Body &body = *program.functions[id].body;
  std::vector<bool> result = LocalVisitor(program.functions[id], id, flow).run(cut);
  for (uint32_t i = 0; i < result.size(); ++i) {
    const OperandValue::Kind kind = kindOf(program.types[body.locals[mir::LocalId(i)].ty]);
    if (kind == OperandValue::Kind::Ref)
      result[i] = !cut.isDead(mir::LocalId(i)) || i <= body.argCount;
    else if (kind == OperandValue::Kind::ZeroSized)
      result[i] = false;
  }
  return result;
}

} // namespace mirgpu::lowering
