// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What constant data (alloc.cpp) and statics (statics.cpp) have in common. Private to the two.
#pragma once

#include "lowering/module_context.h"

namespace mirgpu::lowering {

/// A global without an initialiser: the caller sets it, since it may lead back to this global.
llvm::GlobalVariable *makeGlobal(ModuleContext &mc, llvm::Type *type, bool isConstant,
                                 uint64_t align, MemorySpace space,
                                 llvm::GlobalValue::LinkageTypes linkage, const std::string &name);

/// The type of an initialiser with the bytes of `memory`: a byte array, or a packed struct of byte
/// arrays and pointers.
llvm::Type *initializerType(const ModuleContext &mc, const mir::AllocMemory &memory);

} // namespace mirgpu::lowering
