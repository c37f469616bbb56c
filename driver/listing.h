// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A listing of machine code under the Rust lines that made it:
//   src/lib.rs:20 | let i = thread::index_1d();
//         mov.u32 %r1, %ctaid.x;                          ; thread.rs:216
// The heading is the line of the kernel's own function (or of the function that is listed), through
// which all calls that were inlined below it were made; these stand behind the first instruction of
// each, innermost first. A line's text is printed once; when code comes back to it, its place
// alone. Code is shown in its own order. A source that is not on this machine is named at the end.
#pragma once

#include "driver/sources.h"

#include "llvm/Support/raw_ostream.h"

#include <set>
#include <string>
#include <vector>

namespace mirgpu::driver {

/// A place in the source. Line 0: none is known. Column 0: the place of a function, where code that
/// mirgpu makes around it stands.
struct LineFrame {
  std::string file;
  uint32_t line = 0, column = 0;
};

/// Where an instruction comes from, innermost first, through the calls that were inlined.
using LineChain = std::vector<LineFrame>;

class Listing {
public:
  Listing(Sources &sources, llvm::raw_ostream &out) : sources_(sources), out_(out) {}

  /// Begins a function; `title` is printed as it is.
  void begin(llvm::StringRef title);
  /// A label or a declaration.
  void plain(llvm::StringRef text);
  void instruction(llvm::StringRef text, const LineChain &chain);
  /// Names the sources that were not found.
  void finish();

private:
  void heading(const LineFrame &place);

  Sources &sources_;
  llvm::raw_ostream &out_;
  std::pair<std::string, uint32_t> current_;
  std::string inlined_; ///< the calls that were printed last
  std::set<std::pair<std::string, uint32_t>> printed_;
  std::set<std::string> missing_;
};

/// Lists the PTX of a module. With the comments of EmitOptions::verboseAssembly the calls are
/// known; without them the innermost line alone. `kernel` not empty: that entry alone.
void listPtx(llvm::StringRef ptx, llvm::StringRef kernel, Listing &listing);

} // namespace mirgpu::driver
