// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A broken rule: the sample with one change, and a part of the error that the verifier must give.
#pragma once

#include "mir_reader/verifier.h"
#include "tests/unit/mir_reader/sample.h"

#include <doctest/doctest.h>

#include <span>

namespace mirgpu::mir::test {

struct BrokenRule {
  const char *error;
  void (*change)(Program &program);
};

/// Each change must give its error.
inline void checkRules(std::span<const BrokenRule> rules) {
  for (const BrokenRule &rule : rules) {
    Program program = sample();
    rule.change(program);
    std::string error = llvm::toString(verify(program));
    INFO("expected: ", std::string(rule.error));
    INFO("got: ", error);
    CHECK(error.find(rule.error) != std::string::npos);
  }
}

inline Type &typeOf(Program &program, std::string_view name) {
  return program.types[typeNamed(program, name)];
}
inline Body &bodyOf(Program &program, std::string_view symbol) {
  return *program.functions[functionNamed(program, symbol)].body;
}

/// A constant operand of type `ty` with these bits.
inline Operand scalarOf(Program &program, const char *ty, u128 bits) {
  return Constant{typeNamed(program, ty), ConstScalar{bits}, {}};
}

} // namespace mirgpu::mir::test
