// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small program in the serialized form, written by hand, that has every kind of type, projection,
// operand, rvalue, statement and terminator at least once and verifies. The tests change its text
// or its model and look at what reader and verifier say.
#pragma once

#include "mir_reader/mir.h"

#include "llvm/Support/Error.h"

#include <string>
#include <string_view>

namespace mirgpu::mir::test {

/// The whole sample as text.
const std::string &sampleText();
/// The sample, read. Each call gives a program of its own, free to be changed.
Program sample();

/// Reads `text` under the name `test.mir.json`.
llvm::Expected<Program> readText(std::string_view text);
/// The error that reading `text` gives; empty if it reads.
std::string readError(std::string_view text);
/// `text` with its first `from` replaced by `to`; fails the test if there is none.
std::string replaced(std::string text, std::string_view from, std::string_view to);

/// The type with this name. Fails the test if there is none.
TypeId typeNamed(const Program &program, std::string_view name);
FunctionId functionNamed(const Program &program, std::string_view symbol);

/// `visit` each block of the program until it answers true.
template <class F> bool anyBlock(Program &program, F visit) {
  for (Function &function : program.functions)
    if (function.body)
      for (BasicBlock &block : function.body->blocks)
        if (visit(block))
          return true;
  return false;
}

/// The first terminator of kind `T` for which `accepts` holds; null if there is none.
template <class T, class F> T *firstTerminator(Program &program, F accepts) {
  T *found = nullptr;
  anyBlock(program, [&](BasicBlock &block) {
    found = std::get_if<T>(&block.terminator.kind);
    return found && accepts(*found);
  });
  return found;
}
template <class T> T &firstTerminator(Program &program) {
  return *firstTerminator<T>(program, [](const T &) { return true; });
}

/// The first statement of kind `T` for which `accepts` holds; null if there is none.
template <class T, class F> T *firstStatement(Program &program, F accepts) {
  T *found = nullptr;
  anyBlock(program, [&](BasicBlock &block) {
    for (Statement &statement : block.statements)
      if (found = std::get_if<T>(&statement.kind); found && accepts(*found))
        return true;
    return false;
  });
  return found;
}
template <class T> T &firstStatement(Program &program) {
  return *firstStatement<T>(program, [](const T &) { return true; });
}

/// The assignment whose rvalue is the first of kind `T` for which `accepts` holds.
template <class T, class F> T &firstRvalue(Program &program, F accepts) {
  Assign *assign = firstStatement<Assign>(program, [&](Assign &candidate) {
    T *rvalue = std::get_if<T>(&candidate.rvalue);
    return rvalue && accepts(*rvalue);
  });
  return std::get<T>(assign->rvalue);
}
template <class T> T &firstRvalue(Program &program) {
  return firstRvalue<T>(program, [](const T &) { return true; });
}

} // namespace mirgpu::mir::test
