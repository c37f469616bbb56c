// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the memory of an atomic operation lies. Private to codegen/nvptx.
#pragma once

#include "llvm/IR/Module.h"

namespace mirgpu::codegen::nvptx {

/// State spaces as an atomic sees them. PTX has atomics on global and shared memory alone, so that
/// the others take another form.
enum class AtomicSpace : uint8_t {
  Global,
  Shared,
  NotLocal, ///< global or shared memory, by a generic address
  Local,    ///< memory of the thread alone: no other thread can see how it is accessed
  Unknown,
};

/// The space of `address`, from all objects that it may point into: through phis, selects and the
/// calls of internal functions. Pointer parameters of an entry are global memory, and so are
/// pointers within its aggregates (LLVM assumes the same).
AtomicSpace atomicSpace(const llvm::Value *address);

} // namespace mirgpu::codegen::nvptx
