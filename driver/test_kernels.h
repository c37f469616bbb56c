// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `#[test]` functions as kernels without parameters, for a launch of one thread each.
#pragma once

#include "mir_reader/mir.h"

namespace mirgpu::driver {

/// Makes the program's tests its only kernels: key and entry are the test's path.
void makeKernelsOfTests(mir::Program &program);

} // namespace mirgpu::driver
