// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the readable symbols of serialized MIR (`core::slice::<impl [T]>::iter`) to names that every
// assembler takes: letters, digits, `_` and `$` alone (DESIGN D4). The map is injective: `$` starts
// an escape and is escaped itself. A name above kMaxSymbolLength keeps a readable beginning and
// ends in a hash of the whole symbol.
#pragma once

#include <string>
#include <string_view>

namespace mirgpu::lowering {

inline constexpr size_t kMaxSymbolLength = 1000;

std::string symbolName(std::string_view symbol);

} // namespace mirgpu::lowering
