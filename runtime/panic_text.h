// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of a panic record (support/launch_abi.h), the same for every back end: as rustc words a
// panic, with the thread and the block where rustc names the OS thread.
#pragma once

#include "runtime/module_file.h"
#include "support/launch_abi.h"

#include <string>

namespace mirgpu::runtime {

/// `src/lib.rs:10:5`; empty for an unknown place.
std::string placeText(const ModuleFile &file, uint32_t place);

/// `thread (3,0,0) of block (1,0,0) panicked at src/lib.rs:10:5: index out of bounds: …`
std::string panicText(const ModuleFile &file, const abi::PanicRecord &record);

/// The error of a launch in which `count` threads panicked, `first` of the smallest block and
/// thread.
Error panicError(const ModuleFile &file, uint32_t kernel, uint64_t launchId,
                 const abi::PanicRecord &first, uint64_t count);

/// The beginning of every error text of a launch: ``kernel `saxpy` (launch 3): ``
std::string launchPrefix(const ModuleFile &file, uint32_t kernel, uint64_t launchId);

} // namespace mirgpu::runtime
