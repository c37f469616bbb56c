// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Panics on GPUs (DESIGN D7): the code that writes a PanicRecord to the launch's log, shared by
// both vendors, and the choice of how the thread ends afterwards. Private to codegen/.
#pragma once

#include "codegen/codegen.h"
#include "intrinsics/emitters.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"

namespace mirgpu::codegen {

/// What differs between the vendors.
struct GpuPanicHooks {
  /// Adds 1 to the u32 at a generic address, atomically for the whole system; gives the old value.
  llvm::Value *(*increment)(llvm::IRBuilder<> &, llvm::Value *address);
  /// Ends the thread, or with `trap` the launch, and the block with `unreachable`.
  void (*end)(llvm::IRBuilder<> &, bool trap);
  /// Stores the coordinate of the block, or of the thread, along one axis at a generic address.
  void (*storeBlockIdx)(llvm::IRBuilder<> &, intrinsics::Axis, llvm::Value *address);
  void (*storeThreadIdx)(llvm::IRBuilder<> &, intrinsics::Axis, llvm::Value *address);
};

/// Gives `mirgpu.panic` and `mirgpu.panic_dynamic` bodies where they are called. Calls in the
/// functions of `trapping` go to variants `mirgpu.panic.trap`, `mirgpu.panic_dynamic.trap` that end
/// the launch.
void defineGpuPanics(llvm::Module &module, const llvm::SetVector<llvm::Function *> &trapping,
                     const GpuPanicHooks &hooks);

/// What each definition of a panic function carries: noreturn, cold, noinline, and not convergent,
/// so that a bounds check does not make its function convergent.
void setPanicAttributes(llvm::Function &fn);

/// The functions whose panics must end the launch: all of them or none if `mode` says so; else
/// those that a kernel reaches which can wait for a thread that has ended (a spin loop: a loop
/// around an atomic load, a compare-exchange or a volatile load).
llvm::SetVector<llvm::Function *> trappingFunctions(lowering::LoweredModule &lowered,
                                                    PanicExit mode);

} // namespace mirgpu::codegen
