// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binary code of a module (an ELF for AMD or for the host) to text, by LLVM's disassembler
// in-process.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mirgpu::driver {

/// Prints the functions of the ELF `bytes`, made for `target` (`gfx1100`, `host:x86-64-v3`).
llvm::Error disassemble(llvm::StringRef bytes, llvm::StringRef target, llvm::raw_ostream &out);

} // namespace mirgpu::driver
