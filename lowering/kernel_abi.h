// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's neutral entry `mirgpu.kernel.<entry>` (lower.h, DESIGN D11): takes the parameters as
// the launch passes them, turns them into those of the Rust function, and calls it. Also what the
// launch is told of each parameter.
#pragma once

#include "lowering/module_context.h"

namespace mirgpu::lowering {

/// Makes the entry and asks for the Rust function. A kernel whose parameters cannot cross the
/// launch gets a diagnostic and no entry.
LoweredKernel lowerKernel(ModuleContext &mc, const mir::Kernel &kernel);

} // namespace mirgpu::lowering
