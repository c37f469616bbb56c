// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See place_table.h: interning of panic and collective sites. Entry 0 is always {Unknown}.
#include "lowering/place_table.h"

#include "lowering/function_context.h"

namespace mirgpu::lowering {

PlaceTable::PlaceTable() { intern({}); }

uint32_t PlaceTable::intern(PlaceEntry entry) {
  Key key{uint32_t(entry.kind), entry.file, entry.line, entry.column, entry.text, entry.function};
  auto [it, isNew] = index_.try_emplace(std::move(key), uint32_t(entries_.size()));
  if (isNew)
    entries_.push_back(std::move(entry));
  return it->second;
}

std::vector<PlaceEntry> PlaceTable::take() {
  std::vector<PlaceEntry> result = std::move(entries_);
  entries_.clear();
  index_.clear();
  intern({});
  return result;
}

PlaceEntry placeEntry(const mir::Program &program, mgpu::PlaceKind kind, mir::SpanId span,
                      const mir::Function &function, std::string text) {
  PlaceEntry entry;
  entry.kind = kind;
  entry.text = std::move(text);
  entry.function = function.defPath;
  const SourceSpan source = mir::sourceSpan(program, mir::outermostCallSite(program, span));
  entry.file = source.file;
  entry.line = source.line;
  entry.column = source.column;
  return entry;
}

/// The position that the user wrote: out of the device crate's own wrappers, whose calls were
/// inlined.
static mir::SpanId outOfDeviceCrate(const FunctionContext &fc) {
  mir::SpanId span = fc.span;
  for (mir::ScopeId scope = fc.scope; fc.body.scopes.contains(scope);
       scope = fc.body.scopes[scope].parent) {
    const std::string file = mir::sourceSpan(fc.program, span).file;
    if (!std::string_view(file).starts_with("<mirgpu>/"))
      break;
    if (const auto &inlined = fc.body.scopes[scope].inlined)
      span = inlined->callSite;
  }
  return span;
}

uint32_t collectivePlace(FunctionContext &fc, std::string_view id) {
  return fc.mc.places->intern(placeEntry(fc.program, mgpu::PlaceKind::Collective,
                                         outOfDeviceCrate(fc), fc.function, std::string(id)));
}

} // namespace mirgpu::lowering
