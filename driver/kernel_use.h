// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of a module use on each of its targets, from whoever knows: ptxas for PTX, the
// metadata of an HSACO, the symbols and stack sizes of a host object.
#pragma once

#include "driver/ptxas.h"
#include "runtime/module_file.h"

#include <string>
#include <vector>

namespace mirgpu::driver {

/// One kernel on one target; mgpu::kUnknown where nobody says.
struct KernelUse {
  std::string target, kernel;
  uint32_t registers = mgpu::kUnknown; ///< of a thread: PTX registers, AMD's vector registers
  uint32_t scalarRegisters = mgpu::kUnknown;
  uint32_t accumulationRegisters = mgpu::kUnknown;
  uint32_t spillBytes = mgpu::kUnknown; ///< PTX: stored and loaded; AMD: of vector registers
  uint32_t scalarSpills = mgpu::kUnknown;
  uint32_t sharedBytes = mgpu::kUnknown; ///< static
  uint32_t localBytes = mgpu::kUnknown;  ///< a thread's stack: PTX local, AMD scratch, host frame
  uint32_t codeBytes = mgpu::kUnknown;
};

/// The kernels of `file` in the code section `code`. `ptxas` empty: it was not found.
llvm::Expected<std::vector<KernelUse>> usesOf(const Driver &driver, const runtime::ModuleFile &file,
                                              const runtime::ModuleCode &code,
                                              const std::string &ptxas);

/// Whether the function `symbol` of a host object is the entry `kernel` or one that codegen/host
/// makes around it, as `mirgpu.lane.saxpy`.
bool isOfKernel(llvm::StringRef symbol, llvm::StringRef kernel);

inline llvm::StringRef textOf(const runtime::ModuleCode &code) {
  return {reinterpret_cast<const char *>(code.bytes.data()), code.bytes.size()};
}

} // namespace mirgpu::driver
