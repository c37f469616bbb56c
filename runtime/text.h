// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error texts: `text(parts...)` joins strings and numbers, `fail(code, parts...)` makes an Error of
// them. Locale-free; the runtime links no formatting library.
#pragma once

#include "runtime/mirgpu.hpp"

#include <concepts>
#include <string>
#include <string_view>

namespace mirgpu::runtime {

namespace detail {
inline void append(std::string &out, std::string_view part) { out += part; }
inline void append(std::string &out, std::integral auto part) { out += std::to_string(part); }
} // namespace detail

/// The parts, one after the other.
template <class... Parts> std::string text(const Parts &...parts) {
  std::string out;
  (detail::append(out, parts), ...);
  return out;
}

/// An error without a kernel or an argument.
template <class... Parts> Error fail(ErrorCode code, const Parts &...parts) {
  return Error{code, text(parts...), {}, -1, 0};
}

} // namespace mirgpu::runtime
