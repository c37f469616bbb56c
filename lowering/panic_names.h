// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The panic entry points of core and std 1.96 as lang items (DESIGN D3, D7), and the messages that
// the compiler's own checks have. A function is a panic entry exactly if its `lang` stands in this
// table.
#pragma once

#include "mir_reader/mir.h"
#include "support/mgpu_format.h"

#include <optional>
#include <string_view>

namespace mirgpu::lowering {

/// Where the message of a panic entry comes from.
enum class PanicSource : uint8_t {
  Fixed,     ///< the row's text
  Str,       ///< argument 0 is the `&str`
  Display,   ///< argument 0 refers to a value to display
  Arguments, ///< argument 0 is the `fmt::Arguments`
  Info,      ///< argument 0 refers to a `PanicInfo` that refers to the Arguments
  Payload,   ///< argument 0 is any value; a `&'static str` is its own text
};

struct PanicEntry {
  std::string_view lang;
  PanicSource source = PanicSource::Fixed;
  mgpu::PlaceKind kind = mgpu::PlaceKind::Panic;
  std::string_view text = {};
  uint8_t operands = 0; ///< how many integer arguments are reported
};

/// The row of a panic entry, or null for any other function. Besides lang items it is the symbol of
/// the panic handler, which core declares as foreign.
const PanicEntry *findPanicEntry(const mir::Function &function);

/// What a failed Assert terminator reports.
struct AssertText {
  mgpu::PlaceKind kind = mgpu::PlaceKind::Panic;
  std::string_view text = {};
};
AssertText assertText(mir::AssertKind kind, std::optional<mir::BinOp> op);

} // namespace mirgpu::lowering
