// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Diagnostic to text: for the terminal, with the source lines it is about, or as one line of JSON
// in rustc's schema, which cargo and editors read. Both show every part of the diagnostic; the MIR
// behind it only when asked.
#pragma once

#include "driver/sources.h"
#include "support/diagnostics.h"

#include <string>

namespace mirgpu::driver {

struct RenderOptions {
  bool verbose = false; ///< the MIR behind a diagnostic too
  bool colors = false;
};

std::string renderTerminal(const Diagnostic &diagnostic, Sources &sources,
                           const RenderOptions &options);
/// One line, without its end.
std::string renderJson(const Diagnostic &diagnostic, Sources &sources,
                       const RenderOptions &options);
/// A message without a place, in the same schema.
std::string renderPlainJson(llvm::StringRef level, llvm::StringRef message);

/// The call chain as a note's text; empty if the kernel itself holds the place.
std::string callChainText(const Diagnostic &diagnostic, Sources &sources);

} // namespace mirgpu::driver
