// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts that sample.cpp puts together.
#pragma once

#include "tests/unit/mir_reader/sample_builder.h"

namespace mirgpu::mir::test {

/// sample_types.cpp.
void addTypes(SampleBuilder &builder);
/// sample_bodies.cpp. Functions 0 to 3 are `sample::double`, `sample::glue`, `sample::closure`,
/// `sample::declared`.
void addFunctions(SampleBuilder &builder);

} // namespace mirgpu::mir::test
