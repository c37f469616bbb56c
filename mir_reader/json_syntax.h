// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From text to simdjson's DOM, with errors that say where the text stops being JSON. simdjson's DOM
// parser gives no offset, so a text that it refuses is walked once more by its on-demand parser,
// which does.
#pragma once

#include "llvm/Support/Error.h"

#include <simdjson.h>

namespace mirgpu::mir {

/// Parses `text` into `parser`, which owns the result. Nesting is limited: the format needs about
/// 20 levels.
llvm::Expected<simdjson::dom::element> parseJson(simdjson::dom::parser &parser,
                                                 const simdjson::padded_string &text);

} // namespace mirgpu::mir
