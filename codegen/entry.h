// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps that each back end does in its own way; emit.cpp chooses. Private to codegen/.
#pragma once

#include "codegen/codegen.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"

namespace mirgpu::codegen {

namespace nvptx {
/// Makes the `ptx_kernel` entries around the neutral kernels.
void makeEntries(lowering::LoweredModule &lowered);
/// Makes atomics on the thread's own memory plain accesses, behind a test of the address where it
/// is not known; returns whether some became plain without one. After the passes.
bool makeLocalAtomicsPlain(llvm::Module &module);
/// Rewrites the atomics whose order or scope LLVM 22 would lose; the error names the ones that have
/// no form. After makeLocalAtomicsPlain.
llvm::Error legalizeAtomics(llvm::Module &module);
/// Turns the debug information into line directives alone: with more, PTX says `.target debug` and
/// ptxas stops optimising.
void keepLinesOnly(llvm::Module &module);
/// Gives `mirgpu.panic*` bodies; `trapping` are the functions whose panics trap.
void definePanics(llvm::Module &module, const llvm::SetVector<llvm::Function *> &trapping);
/// After the passes: puts the report of a panic into each function that panics, once, in place of
/// the calls.
void inlinePanics(llvm::Module &module);
} // namespace nvptx

namespace amdgpu {
void makeEntries(lowering::LoweredModule &lowered, const TargetSpec &spec);
void definePanics(llvm::Module &module, const llvm::SetVector<llvm::Function *> &trapping);
} // namespace amdgpu

namespace host {
/// Lets the other lanes of the block run where one may wait for them in a loop. On the neutral
/// module, before the entries are made.
void yieldInSpinLoops(llvm::Module &module);
/// Makes the entries: those of tier T3, and where `refusals` (t0Refusals) is not empty, those of T0
/// for each kernel that it has no text for. The names that the object must export.
std::vector<std::string> makeEntries(lowering::LoweredModule &lowered,
                                     llvm::ArrayRef<std::string> refusals);
void definePanics(llvm::Module &module);
} // namespace host

} // namespace mirgpu::codegen
