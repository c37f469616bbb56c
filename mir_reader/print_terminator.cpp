// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Terminators: `_5 = f(move _1) -> [return: bb1, unwind unreachable]`, `switchInt(copy _1) -> [0:
// bb1, otherwise: bb2]`.
#include "mir_reader/print_parts.h"
#include "mir_reader/printer.h"

#include "support/match.h"

namespace mirgpu::mir {

static void printUnwind(Printer &p, const Unwind &unwind) {
  switch (unwind.kind) {
  case UnwindKind::Continue:
    p.os << "unwind continue";
    break;
  case UnwindKind::Unreachable:
    p.os << "unwind unreachable";
    break;
  case UnwindKind::Terminate:
    p.os << "unwind terminate";
    break;
  case UnwindKind::Cleanup:
    p.os << "unwind: bb" << unwind.block.index;
    break;
  }
}

static void printIntrinsic(Printer &p, const CalleeIntrinsic &intrinsic) {
  p.os << "intrinsic " << text(intrinsic.name);
  if (!intrinsic.args.empty()) {
    p.os << "::<";
    p.list(intrinsic.args, [&](const GenericArg &argument) {
      if (!argument.constant)
        return p.type(argument.ty);
      p.number(*argument.constant);
      p.os << "_";
      p.type(argument.ty);
    });
    p.os << ">";
  }
  if (intrinsic.fallback.isValid())
    p.os << " [else " << text(p.program.functions[intrinsic.fallback].symbol) << "]";
}

void Printer::callee(const Callee &callee) {
  match(
      callee,
      [&](const CalleeDirect &direct) { os << text(program.functions[direct.function].symbol); },
      [&](const CalleeIntrinsic &intrinsic) { printIntrinsic(*this, intrinsic); },
      [&](const CalleeVirtual &method) {
        os << "virtual " << text(method.method) << " [slot " << method.slot << "]";
      },
      [&](const CalleePointer &pointer) { operand(pointer.operand); },
      [&](const CalleeDropGlue &glue) {
        os << "drop_glue " << text(program.functions[glue.function].symbol);
      },
      [&](const CalleeDropVirtual &) { os << "virtual drop"; },
      [&](const CalleeNothing &) { os << "nothing"; },
      [&](const CalleeConstant &value) {
        os << "folded ";
        constant(value.value);
      });
}

static void printLocation(Printer &p, const std::optional<CallerLocation> &location,
                          const char *before = ", ") {
  if (!location)
    return;
  p.os << before << "caller ";
  if (location->forward)
    p.os << "forward";
  else
    p.os << "alloc" << location->alloc.index;
}

static void printCall(Printer &p, const Call &call) {
  p.place(call.dest);
  p.os << " = ";
  p.callee(call.callee);
  p.os << "(";
  p.operands(call.args);
  p.os << ") -> [";
  if (call.target.isValid())
    p.os << "return: bb" << call.target.index << ", ";
  printUnwind(p, call.unwind);
  printLocation(p, call.callerLocation);
  p.os << "]";
}

static void printTailCall(Printer &p, const TailCall &call) {
  p.os << "tailcall ";
  p.callee(call.callee);
  p.os << "(";
  p.operands(call.args);
  p.os << ")";
  printLocation(p, call.callerLocation, " ");
}

static void printAssert(Printer &p, const Assert &assertion) {
  p.os << "assert(" << (assertion.expected ? "" : "!");
  p.operand(assertion.cond);
  p.os << ", " << text(wordFor(assertion.kind));
  if (assertion.op)
    p.os << " " << text(wordFor(*assertion.op));
  for (const Operand &operand : assertion.operands) {
    p.os << ", ";
    p.operand(operand);
  }
  p.os << ") -> [success: bb" << assertion.target.index << ", ";
  printUnwind(p, assertion.unwind);
  printLocation(p, assertion.callerLocation);
  p.os << "]";
}

static void printSwitch(Printer &p, const SwitchInt &branch) {
  p.os << "switchInt(";
  p.operand(branch.operand);
  p.os << ") -> [";
  for (const SwitchArm &arm : branch.arms) {
    p.number(arm.value);
    p.os << ": bb" << arm.target.index << ", ";
  }
  p.os << "otherwise: bb" << branch.otherwise.index << "]";
}

static void printDrop(Printer &p, const Drop &drop) {
  p.os << "drop(";
  p.place(drop.place);
  p.os << " by ";
  p.callee(drop.callee);
  p.os << ") -> [return: bb" << drop.target.index << ", ";
  printUnwind(p, drop.unwind);
  p.os << "]";
}

void Printer::terminator(const TerminatorKind &terminator) {
  match(
      terminator,
      [&](const Goto &jump) {
        os << "goto -> bb" << jump.target.index << (jump.folded ? " (folded)" : "");
      },
      [&](const SwitchInt &branch) { printSwitch(*this, branch); },
      [&](const UnwindResume &) { os << "resume"; },
      [&](const UnwindTerminate &) { os << "terminate"; }, [&](const Return &) { os << "return"; },
      [&](const Unreachable &) { os << "unreachable"; },
      [&](const Drop &drop) { printDrop(*this, drop); },
      [&](const Call &call) { printCall(*this, call); },
      [&](const TailCall &call) { printTailCall(*this, call); },
      [&](const Assert &assertion) { printAssert(*this, assertion); },
      [&](const InlineAsm &assembly) {
        inlineAsm(assembly);
        os << (assembly.targets.empty() ? "" : ", ");
        printUnwind(*this, assembly.unwind);
        os << "]";
      });
}

void printTerminator(const Program &program, const Terminator &terminator, llvm::raw_ostream &os) {
  Printer(program, os, /*spans=*/false).terminator(terminator.kind);
}

} // namespace mirgpu::mir
