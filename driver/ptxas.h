// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX through NVIDIA's assembler, for what only it knows: registers, spills, shared memory of each
// kernel. It is optional: found by $MIRGPU_PTXAS, else in PATH, and never needed to compile.
#pragma once

#include "driver/process.h"

#include <map>

namespace mirgpu::driver {

struct PtxasUse {
  uint32_t registers = 0, spillBytes = 0, sharedBytes = 0, stackBytes = 0;
};

/// The path of ptxas, or empty.
std::string findPtxas();

/// What ptxas says of every entry of `ptx`, by name. PTX that it refuses is an error with its text.
llvm::Expected<std::map<std::string, PtxasUse>> assemble(const Driver &driver,
                                                         const std::string &ptxas,
                                                         llvm::StringRef target,
                                                         llvm::StringRef ptx);

} // namespace mirgpu::driver
