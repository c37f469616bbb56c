// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics on 8 and 16 bits as operations on the aligned 32-bit word around them, whose other bytes
// are put back as they were read. Private to codegen/nvptx.
#pragma once

#include "llvm/IR/Instructions.h"

namespace mirgpu::codegen::nvptx {

/// Replaces a narrow `and`, `or` or `xor` by one of 32 bits, which it returns; null if `rmw` is
/// another operation.
llvm::AtomicRMWInst *widenBitwise(llvm::AtomicRMWInst &rmw);

/// Replaces each cmpxchg of i8 and i16: LLVM's own emulation starts from a weak load, a data race.
void widenExchanges(llvm::Module &module);

} // namespace mirgpu::codegen::nvptx
