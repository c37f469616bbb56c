// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the printer share: the stream and the program, and one function a noun. Each
// prints its noun on one line without indent; print_function.cpp and print_tables.cpp lay out
// lines.
#pragma once

#include "mir_reader/names.h"
#include "mir_reader/query.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace mirgpu::mir {

class Printer {
public:
  Printer(const Program &prog, llvm::raw_ostream &out, bool spans)
      : program(prog), os(out), withSpans(spans) {}

  const Program &program;
  llvm::raw_ostream &os;
  const bool withSpans;

  // print_place.cpp
  void type(TypeId ty);
  void local(LocalId local) { os << '_' << local.index; }
  void place(const Place &place);
  void projections(llvm::StringRef base, const std::vector<Projection> &steps);
  void constant(const Constant &constant);
  void operand(const Operand &operand);
  void number(u128 value);
  /// `range` elements with `separator` between them.
  template <class Range, class F>
  void list(const Range &range, F element, const char *separator = ", ") {
    const char *before = "";
    for (const auto &item : range) {
      os << before;
      element(item);
      before = separator;
    }
  }
  void operands(const std::vector<Operand> &values) {
    list(values, [&](const Operand &value) { operand(value); });
  }

  // print_rvalue.cpp
  void rvalue(const Rvalue &rvalue);

  // print_statement.cpp
  void statement(const StatementKind &statement);

  // print_terminator.cpp
  void terminator(const TerminatorKind &terminator);
  void callee(const Callee &callee);

  // print_asm.cpp
  void inlineAsm(const InlineAsm &assembly);

  // print_function.cpp
  void function(FunctionId function);
  void span(SpanId span);

  // print_tables.cpp
  void head();
  void kernels();
  void tests();
  void memory();

  // print_types.cpp
  void types();
};

} // namespace mirgpu::mir
