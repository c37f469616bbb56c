// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types that `mirgpu run` can name, and their values: text to bytes and bytes to text.
// Values are printed as Rust's `{:?}` prints them, so that a result can be compared with what a
// Rust program prints.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mirgpu::driver {

enum class Element : uint8_t { F32, F64, I8, U8, I16, U16, I32, U32, I64, U64 };

struct ElementInfo {
  llvm::StringLiteral name;  ///< as Rust writes it
  llvm::StringLiteral descr; ///< as a NumPy header writes it
  uint32_t size;
};

const ElementInfo &infoOf(Element element);
/// The element of a Rust type name (usize and isize too), or none.
std::optional<Element> elementNamed(llvm::StringRef name);
/// The element of a NumPy type, or none.
std::optional<Element> elementOfDescr(llvm::StringRef descr);

/// One value, as text, to its bytes (little-endian). Integers may be hexadecimal (0x…).
llvm::Expected<std::string> encodeElement(Element element, llvm::StringRef text);
/// A whole number as an element.
std::string encodeCount(Element element, uint64_t value);
/// One element made of 64 random bits: floats in [0, 1), integers their lowest bits.
std::string encodeRandom(Element element, uint64_t bits);
/// The value at `bytes`, as `{:?}` prints it.
std::string elementText(Element element, const char *bytes);

/// An integer of `bits` bits, signed or not, to bytes; an error if it does not fit.
llvm::Expected<std::string> encodeInteger(llvm::StringRef text, unsigned bits, bool isSigned);
/// A float of 16, 32, 64 or 128 bits to bytes, rounded once; an error if that gives infinity.
llvm::Expected<std::string> encodeFloat(llvm::StringRef text, unsigned bits);

} // namespace mirgpu::driver
