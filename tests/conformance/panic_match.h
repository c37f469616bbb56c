// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `#[should_panic(expected = "…")]` against the text of a launch's panic. Our text has `{}` where a
// value would be formatted at run time (DESIGN D7), and may be cut at its end.
#pragma once

#include <string_view>

namespace mirgpu::conformance {

/// Whether some text that `message` stands for contains `expected`. If `message` has static parts,
/// at least one character of them must lie within `expected`: `{}` alone proves nothing.
bool panicContains(std::string_view message, std::string_view expected, bool isCut);

} // namespace mirgpu::conformance
