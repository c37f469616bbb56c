// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tests have nothing left to run.
#pragma once

#include "mir_reader/mir.h"

namespace mirgpu::conformance {

/// Whether the test's body ends without a call, a branch or an assertion: rustc has evaluated it.
bool isConstantEvaluation(const mir::Program &program, const mir::Test &test);

} // namespace mirgpu::conformance
