// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/test_kernels.h"

namespace mirgpu::driver {

void makeKernelsOfTests(mir::Program &program) {
  program.kernels = {};
  for (const mir::Test &test : program.tests)
    program.kernels.push({test.function, test.path, test.path, {}, std::nullopt});
}

} // namespace mirgpu::driver
