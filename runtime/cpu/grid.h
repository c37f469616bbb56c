// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs all blocks of a launch: small grids on the calling thread, larger ones with the team's help,
// each thread taking the next blocks in ascending order.
#pragma once

#include "runtime/cpu/executor.h"
#include "runtime/cpu/team.h"

#include <optional>

namespace mirgpu::runtime::cpu {

/// What a kernel's threads cost in earlier launches; shared by launches that run at one time.
class KernelCost {
public:
  /// What `job` would take on one thread, in nanoseconds; none before the first launch.
  std::optional<double> guess(const GridJob &job) const;
  /// Learns that so many of its threads took so many nanoseconds.
  void learn(uint64_t threads, double nanoseconds);

private:
  std::atomic<float> perThread_{-1};
};

/// Returns when every block has ended or was skipped; what happened is in `outcome`.
void runGrid(Team &team, const GridJob &job, KernelCost &cost, LaunchOutcome &outcome);

/// Whether the caller of a launch had better run it at once than hand it to another thread. Never
/// on fibers: there a kernel may wait for what the caller does next.
bool isShort(const Team &team, const GridJob &job, const KernelCost &cost);

} // namespace mirgpu::runtime::cpu
