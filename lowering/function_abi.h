// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How our lowered functions pass values to each other, for direct, pointer and virtual calls alike:
//   parameters: [result slot] then for each argument nothing (ZeroSized), its immediate, its two
//   immediates (Pair), or a pointer to memory that the callee owns (Ref), [caller location],
//   context; result: void (ZeroSized, Ref), the immediate, or a first-class struct of the pair's
//   two immediates.
// The Rust ABI of the function does not matter, since no foreign code is called or calls.
#pragma once

#include "lowering/function_context.h"

namespace mirgpu::lowering {

/// The types of the arguments as they cross a call: the body's, with a spread tuple taken apart.
std::vector<mir::TypeId> abiInputs(const mir::Program &program, const mir::Function &function);
/// The LLVM type of a call with these arguments.
llvm::FunctionType *abiFunctionType(const ModuleContext &mc, llvm::ArrayRef<mir::TypeId> inputs,
                                    mir::TypeId output, bool hasLocation);
llvm::FunctionType *abiFunctionType(const ModuleContext &mc, const mir::Function &function);
/// Attributes of a declared function: what D5 promises of parameters and result, D6's convergence,
/// inline hints.
void setFunctionAttributes(const ModuleContext &mc, llvm::Function &value,
                           const mir::Function &function);
/// The LLVM result type: void for ZeroSized and Ref.
llvm::Type *abiResultType(const ModuleContext &mc, mir::TypeId output);
/// Whether the result goes to a slot that the first parameter points to.
bool returnsInMemory(const ModuleContext &mc, mir::TypeId output);
/// Attributes of the parameters of one argument at LLVM parameter index `index`: noundef, align,
/// nonnull, noalias, readonly …. Returns the index after them.
unsigned addParameterFacts(const ModuleContext &mc, llvm::Function &value, unsigned index,
                           mir::TypeId ty);
/// What rustc promises of the pointer that is (or whose first scalar is the pointer of) a value of
/// type `ty`, or null.
const mir::PointeeInfo *pointeeInfo(const mir::Program &program, mir::TypeId ty);

} // namespace mirgpu::lowering
