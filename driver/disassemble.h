// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binary code of a module (an ELF for AMD or for the host) to text, by LLVM's disassembler
// in-process.
#pragma once

#include "driver/listing.h"

#include "llvm/Support/Error.h"

namespace mirgpu::driver {

/// Lists the functions of the ELF `bytes`, made for `target` (`gfx1100`, `host:x86-64-v3`), under
/// the Rust lines that its debug information names. `kernel` not empty: its functions alone.
llvm::Error disassemble(llvm::StringRef bytes, llvm::StringRef target, llvm::StringRef kernel,
                        Listing &listing);

} // namespace mirgpu::driver
