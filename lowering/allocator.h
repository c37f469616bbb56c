// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The symbols behind `alloc` (`__rust_alloc` and its like, DESIGN D3): in a program with a heap a
// function marked `#[mirgpu_tool::allocator("symbol")]` stands for each; in any other a call is a
// diagnostic.
#pragma once

#include "lowering/module_context.h"

namespace mirgpu::lowering {

/// The symbol of a foreign function: what `#[link_name]` says, else the name of the item.
llvm::StringRef foreignSymbol(const mir::Function &function);

/// The function that stands for `id`: itself, unless it is a foreign allocator symbol and the
/// program has a heap.
mir::FunctionId standIn(const mir::Program &program, mir::FunctionId id);

/// Whether the foreign `function` allocates, frees, or reports that there is no memory.
bool isAllocatorSymbol(const mir::Function &function);

/// The symbol that alloc calls before an allocation so that a linker finds an allocator.
bool isAllocatorShim(const mir::Function &function);

} // namespace mirgpu::lowering
