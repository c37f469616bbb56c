// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place table of a module (DESIGN D15): what each panic or collective site is and where it
// stands in the Rust source. Equal entries share an index, so a check that was inlined in many
// functions has one. Index 0 is Unknown. The order is the order of lowering, which is the
// program's, so the table is the same on every machine.
#pragma once

#include "lowering/lower.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace mirgpu::lowering {

class PlaceTable {
public:
  PlaceTable();
  /// The index of `entry`, added on first use.
  uint32_t intern(PlaceEntry entry);
  const std::vector<PlaceEntry> &entries() const { return entries_; }
  /// Gives the table away; only 0 is left.
  std::vector<PlaceEntry> take();

private:
  using Key = std::tuple<uint32_t, std::string, uint32_t, uint32_t, std::string, std::string>;
  std::vector<PlaceEntry> entries_;
  std::map<Key, uint32_t> index_;
};

class FunctionContext;
/// The index of the entry of a collective `id` at the current span.
uint32_t collectivePlace(FunctionContext &fc, std::string_view id);

/// The entry of a site of `kind` at `span` in `function`; a place in a macro is reported where the
/// user wrote the macro call.
PlaceEntry placeEntry(const mir::Program &program, mgpu::PlaceKind kind, mir::SpanId span,
                      const mir::Function &function, std::string text);

} // namespace mirgpu::lowering
