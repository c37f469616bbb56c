// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions from a target's library of bitcode. Private to codegen/.
#pragma once

#include "codegen/codegen.h"

namespace mirgpu::codegen {

/// Replaces every call of `mirgpu.math.*` by the target's library function or instruction, and
/// links what is used of the library into `module`; nothing is left undefined. An error names a
/// library that is missing, and how to get it.
llvm::Error linkMath(llvm::Module &module, const TargetSpec &spec, const EmitOptions &options);

} // namespace mirgpu::codegen
