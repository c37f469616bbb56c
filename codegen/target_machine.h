// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a TargetSpec to LLVM's TargetMachine, the one source of triple, data layout, CPU and
// features. Private to codegen/.
#pragma once

#include "support/target_spec.h"

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace mirgpu::codegen {

/// The machine for `spec` at -O`optLevel`; `ptx` is the PTX version to write (NVIDIA alone; 0: the
/// target's least). An error if LLVM does not know the CPU.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetSpec &spec, unsigned optLevel, uint32_t ptx = 0);

} // namespace mirgpu::codegen
