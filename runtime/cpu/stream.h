// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream of the CPU device: a queue of work and one thread that does it in order.
#pragma once

#include "runtime/backend.h"
#include "runtime/cpu/team.h"

namespace mirgpu::runtime::cpu {

/// A new stream with its thread; its launches run with the team's help.
std::unique_ptr<BackendStream> createStream(std::shared_ptr<Team> team);

} // namespace mirgpu::runtime::cpu
