// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU back end's row in the registry: this machine's processor as a device (DESIGN D10).
#pragma once

#include "runtime/backend.h"

namespace mirgpu::runtime::cpu {

/// Opens the CPU device; `index` is 0.
Result<std::unique_ptr<BackendDevice>> openDevice(uint32_t index);

} // namespace mirgpu::runtime::cpu
