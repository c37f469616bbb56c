// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The VALUE of `--arg NAME=VALUE` and `--check NAME=VALUE` (docs: `mirgpu run --help`) to bytes. A
// value is a scalar's text, whose type is known from the parameter alone, or a buffer with its
// elements.
#pragma once

#include "driver/element.h"

#include <optional>
#include <string>
#include <variant>

namespace mirgpu::driver {

struct ScalarValue {
  std::string text;
};

struct BufferValue {
  std::optional<Element> element; ///< none: bytes of any type
  std::string bytes;
};

using Value = std::variant<ScalarValue, BufferValue>;

/// `NAME=VALUE`, with `option` in errors.
llvm::Expected<std::pair<std::string, std::string>> splitNamed(llvm::StringRef option,
                                                               llvm::StringRef text);

/// `argument` (as `--arg x`) stands in errors.
llvm::Expected<Value> parseValue(llvm::StringRef argument, llvm::StringRef text);

/// A scalar of a Rust type (`f32`, `bool`, `char`, …, by size an integer for any other name) to its
/// bytes.
llvm::Expected<std::string> encodeScalar(llvm::StringRef argument, llvm::StringRef text,
                                         llvm::StringRef typeName, uint64_t size);

/// SplitMix64: the generator of `rand(SEED)`. `state` starts as the seed.
uint64_t splitMix64(uint64_t &state);

/// `[1, 2, 3]`; bytes of no known type in hexadecimal.
std::string bufferText(std::optional<Element> element, llvm::StringRef bytes);

} // namespace mirgpu::driver
