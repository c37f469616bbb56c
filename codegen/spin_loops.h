// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that may wait for another thread: those that hold an atomic load, a compare-exchange, an
// operation that takes locks or a volatile load, or call a function that reaches one. Judged on the
// neutral module, where an atomic of core is still a function. A function with the attribute
// `mirgpu-lock-free` waits for nobody, whatever its loops read. Private to codegen/.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"

namespace mirgpu::codegen {

/// Functions that hold a read of what another thread may change, or reach one by direct calls.
llvm::SetVector<llvm::Function *> readersOfSharedState(llvm::Module &module);

/// Whether `loop` itself, apart from the loops within it, may wait for another thread.
bool mayWait(const llvm::Loop &loop, const llvm::LoopInfo &loops,
             const llvm::SetVector<llvm::Function *> &readers);

} // namespace mirgpu::codegen
