// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of the element types. Numbers are parsed by LLVM's APFloat and APInt, which round once and
// know every width.
#include "driver/element.h"

#include "driver/driver.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace mirgpu::driver {

static constexpr ElementInfo infos[] = {
    {"f32", "<f4", 4}, {"f64", "<f8", 8}, {"i8", "|i1", 1},  {"u8", "|u1", 1},  {"i16", "<i2", 2},
    {"u16", "<u2", 2}, {"i32", "<i4", 4}, {"u32", "<u4", 4}, {"i64", "<i8", 8}, {"u64", "<u8", 8},
};

const ElementInfo &infoOf(Element element) { return infos[static_cast<size_t>(element)]; }

std::optional<Element> elementNamed(llvm::StringRef name) {
  if (name == "usize")
    return Element::U64;
  if (name == "isize")
    return Element::I64;
  for (size_t i = 0; i < std::size(infos); ++i)
    if (name == infos[i].name)
      return static_cast<Element>(i);
  return std::nullopt;
}

std::optional<Element> elementOfDescr(llvm::StringRef descr) {
  for (size_t i = 0; i < std::size(infos); ++i)
    if (descr == infos[i].descr)
      return static_cast<Element>(i);
  return std::nullopt;
}

static bool isFloat(Element element) { return element == Element::F32 || element == Element::F64; }
static bool isSigned(Element element) {
  return element == Element::I8 || element == Element::I16 || element == Element::I32 ||
         element == Element::I64;
}

static std::string bytesOf(const llvm::APInt &value) {
  std::string bytes;
  for (unsigned at = 0; at < value.getBitWidth(); at += 8)
    bytes += static_cast<char>(value.extractBitsAsZExtValue(8, at));
  return bytes;
}

llvm::Expected<std::string> encodeInteger(llvm::StringRef text, unsigned bits, bool isSigned) {
  llvm::StringRef digits = text;
  bool negative = digits.consume_front("-");
  unsigned radix = digits.consume_front("0x") ? 16 : digits.consume_front("0b") ? 2 : 10;
  std::string plain; // Rust's digit separators
  for (char c : digits)
    if (c != '_')
      plain += c;
  llvm::APInt value;
  if (plain.empty() || llvm::StringRef(plain).getAsInteger(radix, value))
    return usageError("`" + text + "` is no whole number");
  value = value.zext(std::max(value.getBitWidth(), bits) + 1);
  if (negative)
    value.negate();
  bool fits = isSigned ? value.isSignedIntN(bits) : !value.isNegative() && value.isIntN(bits);
  if (!fits)
    return usageError("`" + text + "` does not fit " + (isSigned ? "i" : "u") + llvm::Twine(bits));
  return bytesOf(value.trunc(bits));
}

llvm::Expected<std::string> encodeFloat(llvm::StringRef text, unsigned bits) {
  const llvm::fltSemantics &semantics = bits == 16   ? llvm::APFloat::IEEEhalf()
                                        : bits == 32 ? llvm::APFloat::IEEEsingle()
                                        : bits == 64 ? llvm::APFloat::IEEEdouble()
                                                     : llvm::APFloat::IEEEquad();
  llvm::APFloat value(semantics);
  auto status = value.convertFromString(text, llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return usageError("`" + text + "` is no number");
  }
  if (*status & llvm::APFloat::opOverflow)
    return usageError("`" + text + "` does not fit f" + llvm::Twine(bits) +
                      "; write inf where infinity is meant");
  return bytesOf(value.bitcastToAPInt());
}

llvm::Expected<std::string> encodeElement(Element element, llvm::StringRef text) {
  unsigned bits = infoOf(element).size * 8;
  return isFloat(element) ? encodeFloat(text, bits) : encodeInteger(text, bits, isSigned(element));
}

template <class T> static std::string raw(T value) {
  return std::string(reinterpret_cast<const char *>(&value), sizeof value);
}

std::string encodeCount(Element element, uint64_t value) {
  if (element == Element::F32)
    return raw(static_cast<float>(value));
  if (element == Element::F64)
    return raw(static_cast<double>(value));
  return raw(value).substr(0, infoOf(element).size);
}

std::string encodeRandom(Element element, uint64_t bits) {
  if (element == Element::F32)
    return raw(static_cast<float>(bits >> 40) * 0x1p-24f);
  if (element == Element::F64)
    return raw(static_cast<double>(bits >> 11) * 0x1p-53);
  return raw(bits).substr(0, infoOf(element).size);
}

/// Rust's `{:?}` of a float: the shortest digits that read back, plain between 1e-4 and 1e16, and
/// always with a fraction.
template <class T> static std::string floatText(T value) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  T magnitude = std::fabs(value);
  bool scientific = magnitude != 0 && (magnitude < T(1e-4) || magnitude >= T(1e16));
  char buffer[512];
  auto format = scientific ? std::chars_format::scientific : std::chars_format::fixed;
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr);
  if (!scientific)
    return text.find('.') == std::string::npos ? text + ".0" : text;
  size_t e = text.find('e'); // `1e+16`, `2.5e-07` to Rust's `1e16`, `2.5e-7`
  bool negative = text[e + 1] == '-';
  size_t digit = text.find_first_not_of('0', e + 2);
  return text.substr(0, e) + (negative ? "e-" : "e") + text.substr(digit);
}

template <class T> static T loaded(const char *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::string elementText(Element element, const char *bytes) {
  switch (element) {
  case Element::F32:
    return floatText(loaded<float>(bytes));
  case Element::F64:
    return floatText(loaded<double>(bytes));
  case Element::I8:
    return std::to_string(loaded<int8_t>(bytes));
  case Element::U8:
    return std::to_string(loaded<uint8_t>(bytes));
  case Element::I16:
    return std::to_string(loaded<int16_t>(bytes));
  case Element::U16:
    return std::to_string(loaded<uint16_t>(bytes));
  case Element::I32:
    return std::to_string(loaded<int32_t>(bytes));
  case Element::U32:
    return std::to_string(loaded<uint32_t>(bytes));
  case Element::I64:
    return std::to_string(loaded<int64_t>(bytes));
  case Element::U64:
    return std::to_string(loaded<uint64_t>(bytes));
  }
  llvm_unreachable("covered");
}

} // namespace mirgpu::driver
