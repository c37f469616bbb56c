// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks that stand before every launch, on every back end: the arguments against the parameter
// table, buffers against each other, the geometry against kernel and device (DESIGN D11). What
// passes is packed into the bytes that the kernel receives.
#pragma once

#include "runtime/backend.h"
#include "runtime/objects.h"

#include <span>

namespace mirgpu::runtime {

/// Number, kinds, types, sizes, alignments and access of `args`; values are not looked at.
Status checkTypes(const ModuleKernel &kernel, std::span<const mirgpu_arg> args);

/// Checks types, values and buffers, and fills `request.argBytes`, `request.argOffsets`.
Status packArguments(const ModuleKernel &kernel, const mirgpu_device &device,
                     std::span<const mirgpu_arg> args, LaunchRequest &request);

/// Grid, block and shared memory of `request` against the kernel and the device.
Status checkGeometry(const ModuleKernel &kernel, const DeviceProperties &device,
                     const LaunchRequest &request);

} // namespace mirgpu::runtime
