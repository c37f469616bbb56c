// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The third kind of failure (DESIGN D9), a bug of ours, whether a failed CHECK, a fatal error of
// LLVM or a signal: a report with the Rust function being lowered, a reproducer, and exit code 4.
// This file holds the process's only mutable state, because the hooks of LLVM and of CHECK take no
// argument.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mirgpu::driver {

/// Installs the hooks; `argv` goes into the report.
void installCrashReports(std::vector<std::string> argv);

/// The serialized MIR being compiled: a report copies it to `mirgpu-crash-xxxxxx.mir.json`.
void setReproducer(llvm::StringRef mirPath);

/// While user code runs in this process (the CPU device), a signal is that code's fault: exit
/// code 1.
void setRunningKernel(llvm::StringRef kernel);

} // namespace mirgpu::driver
