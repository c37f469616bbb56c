// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the libraries of math functions lie: libdevice, OCML, and the CPU device's own.
#pragma once

#include "codegen/codegen.h"
#include "driver/driver.h"

namespace mirgpu::driver {

/// The libraries that were found; one that was not has an empty path. A path that MIRGPU_LIBDEVICE,
/// MIRGPU_OCML or MIRGPU_HOST_MATH names is taken as it is.
codegen::MathLibraries findMathLibraries(const Driver &driver);

} // namespace mirgpu::driver
