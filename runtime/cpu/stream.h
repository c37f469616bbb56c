// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream of the CPU device: a queue of work and one thread that does it in order.
#pragma once

#include "runtime/backend.h"

namespace mirgpu::runtime::cpu {

/// A new stream with its thread.
std::unique_ptr<BackendStream> createStream();

} // namespace mirgpu::runtime::cpu
