// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes a serialized program as JSON, so that most of what the reader checks before the model
// still holds: ids are replaced by ids of the same kind, words by words of their enumeration,
// numbers by near or extreme ones; elements are removed, doubled, swapped; subtrees come from
// another program. Bytes that are no JSON are left alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mirgpu::fuzz {

/// `text` with one to four changes that `seed` decides, of at most `maxSize` bytes; none if `text`
/// is no JSON object or no change of that size was found.
std::optional<std::string> mutateJson(std::string_view text, size_t maxSize, unsigned seed);

/// `text` with one subtree of `other` in the place of one of the same kind; none as above.
std::optional<std::string> spliceJson(std::string_view text, std::string_view other, size_t maxSize,
                                      unsigned seed);

} // namespace mirgpu::fuzz
