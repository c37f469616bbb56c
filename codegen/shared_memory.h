// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory: how much each kernel's static objects take, where they lie in a CPU block's shared
// memory, and the expansion of `mirgpu.shared_address`. Private to codegen/.
#pragma once

#include "lowering/lower.h"
#include "support/target_spec.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/Error.h"

namespace mirgpu::codegen {

struct SharedLayout {
  /// Byte offset of each static object from the start of the block's shared memory. Objects of one
  /// kernel never overlap; an object that several kernels reach has one offset in all.
  llvm::MapVector<llvm::GlobalVariable *, uint64_t> offsets;
  /// Static bytes of each kernel, in LoweredModule order, a multiple of 16 when not 0.
  std::vector<uint32_t> kernelBytes;
};

/// Lays out the objects that calls of `mirgpu.shared_address` name; an error if a kernel's take
/// more than a launch can say.
llvm::Expected<SharedLayout> layoutSharedMemory(lowering::LoweredModule &lowered);

/// Replaces every call of `mirgpu.shared_address`: on GPUs by a cast of the object to the generic
/// space, on the CPU by the address in the running block's shared memory, and erases the objects
/// there.
void expandSharedAddress(llvm::Module &module, const TargetSpec &spec, const SharedLayout &layout);

} // namespace mirgpu::codegen
