// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After lowering: what each kernel can reach in the LLVM call graph. Fills canPanic, hasCollective
// and usesDynamicShared, gives a kernel that can panic its hidden LaunchContext parameter (DESIGN
// D11), and with keepGoing takes out kernels that reach an error.
#pragma once

#include "lowering/module_context.h"

namespace mirgpu::lowering {

/// A function whose address is taken counts as reached from every indirect call and from whoever
/// names it.
void analyseReachability(ModuleContext &mc, LoweredModule &lowered);

} // namespace mirgpu::lowering
