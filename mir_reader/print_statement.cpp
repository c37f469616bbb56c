// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements: `_3 = Add(copy _1, copy _2)`, `StorageLive(_3)`.
#include "mir_reader/print_parts.h"
#include "mir_reader/printer.h"

#include "support/match.h"

namespace mirgpu::mir {

void Printer::statement(const StatementKind &statement) {
  match(
      statement,
      [&](const Assign &assign) {
        place(assign.place);
        os << " = ";
        rvalue(assign.rvalue);
      },
      [&](const SetDiscriminant &set) {
        os << "discriminant(";
        place(set.place);
        os << ") = " << set.variant;
      },
      [&](const StorageLive &live) { os << "StorageLive(_" << live.local.index << ")"; },
      [&](const StorageDead &dead) { os << "StorageDead(_" << dead.local.index << ")"; },
      [&](const Assume &assume) {
        os << "assume(";
        operand(assume.operand);
        os << ")";
      },
      [&](const CopyNonOverlapping &copy) {
        os << "copy_nonoverlapping(dst = ";
        operand(copy.dst);
        os << ", src = ";
        operand(copy.src);
        os << ", count = ";
        operand(copy.count);
        os << ")";
      },
      [&](const Nop &) { os << "nop"; });
}

void printStatement(const Program &program, const Statement &statement, llvm::raw_ostream &os) {
  Printer(program, os, /*spans=*/false).statement(statement.kind);
}

} // namespace mirgpu::mir
