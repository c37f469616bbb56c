// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/conformance/constant_tests.h"

#include <variant>

namespace mirgpu::conformance {

bool isConstantEvaluation(const mir::Program &program, const mir::Test &test) {
  const mir::Function &function = program.functions[test.function];
  if (!function.body)
    return false;
  mir::BlockId block(0);
  for (size_t steps = 0; steps <= function.body->blocks.size(); ++steps) {
    const mir::BasicBlock &here = function.body->blocks[block];
    if (std::holds_alternative<mir::Return>(here.terminator.kind))
      return true;
    const auto *next = std::get_if<mir::Goto>(&here.terminator.kind);
    if (!next)
      return false;
    block = next->target;
  }
  return false; // an endless loop is not nothing
}

} // namespace mirgpu::conformance
