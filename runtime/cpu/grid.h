// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs all blocks of a launch: small grids on the calling thread, larger ones on oneTBB's workers,
// each of which takes the next blocks in ascending order.
#pragma once

#include "runtime/cpu/executor.h"

namespace mirgpu::runtime::cpu {

/// Returns when every block has ended or was skipped; what happened is in `outcome`.
void runGrid(const GridJob &job, LaunchOutcome &outcome);

} // namespace mirgpu::runtime::cpu
