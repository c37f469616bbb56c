// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every back end asks of the neutral module: the function of a kernel, how its parameters map
// to the launch's, what it reaches. Private to codegen/.
#pragma once

#include "lowering/lower.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"

namespace mirgpu::codegen {

/// The neutral function `mirgpu.kernel.<entry>`; a missing one is a bug.
llvm::Function &kernelFunction(llvm::Module &module, const lowering::LoweredKernel &kernel);

/// One parameter of the launch and the arguments of the neutral function that it makes: two for
/// slices, one for the others, none for the launch context (the neutral function has `ptr context`
/// instead).
struct ParamArgs {
  const lowering::LoweredParam *param;
  unsigned first, count;
};
llvm::SmallVector<ParamArgs, 8> paramArgs(const lowering::LoweredKernel &kernel,
                                          const llvm::Function &fn);

/// Whether the launch passes a launch context.
bool hasLaunchContext(const lowering::LoweredKernel &kernel);

/// Whether argument `index` of `fn` is only read through.
bool isReadOnlyArg(const llvm::Function &fn, unsigned index);

/// The function that the launch names: external, called kernel.entry. A function or global of the
/// module that has the name already gets another.
llvm::Function *createEntry(llvm::Module &module, const lowering::LoweredKernel &kernel,
                            llvm::ArrayRef<llvm::Type *> params);

/// Sets what every function that codegen/ makes around a kernel has, and lets the kernel's own body
/// be inlined into it.
void prepareEntry(llvm::Function &entry, llvm::Function &kernelFn);

/// Ends an entry: calls `kernelFn` with `args`, returns, and gives the entry the debug scope of the
/// kernel, so that its lines stand in the inlined code.
void callKernel(llvm::IRBuilder<> &builder, llvm::Function &kernelFn,
                llvm::ArrayRef<llvm::Value *> args);

/// Gives `entry` the debug scope of `body`, which it calls, so that what is inlined keeps its
/// lines.
void adoptScopeOf(llvm::Function &entry, llvm::Function &body);

/// Copies the attributes of argument `from` of `kernelFn` to argument `to` of `entry`.
void copyParamAttributes(const llvm::Function &kernelFn, unsigned from, llvm::Function &entry,
                         unsigned to);

/// A private copy of the `param`'s bytes at `bytes`, as a generic pointer, for a kernel that writes
/// to its own aggregate.
llvm::Value *copyAggregate(llvm::IRBuilder<> &builder, const lowering::LoweredParam &param,
                           llvm::Value *bytes);

/// Every function and global that `root` names, directly or through others, vtables included; in
/// order of discovery.
llvm::SetVector<llvm::GlobalValue *> reachableFrom(llvm::Function &root);

} // namespace mirgpu::codegen
