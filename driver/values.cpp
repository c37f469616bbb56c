// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// VALUE: a scalar, TYPE[COUNT]:FILLING, TYPE:[LIST], @FILE.npy, bytes:@FILE. Files of raw elements
// have this machine's byte order, which is little.
#include "driver/values.h"

#include "driver/driver.h"
#include "driver/npy.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mirgpu::driver {

/// Names the argument in front of an error of a part.
static llvm::Error within(llvm::StringRef argument, llvm::Error error) {
  return usageError(argument + ": " + llvm::toString(std::move(error)));
}

llvm::Expected<std::pair<std::string, std::string>> splitNamed(llvm::StringRef option,
                                                               llvm::StringRef text) {
  auto [name, value] = text.split('=');
  if (name.empty() || name.size() == text.size())
    return usageError("option `" + option + "` needs NAME=VALUE, not `" + text + "`");
  return std::pair(name.str(), value.str());
}

uint64_t splitMix64(uint64_t &state) {
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static llvm::Expected<BufferValue> readElements(llvm::StringRef argument, llvm::StringRef path,
                                                std::optional<Element> element,
                                                std::optional<uint64_t> count) {
  auto file = readFileBytes(path);
  if (!file)
    return file.takeError();
  BufferValue buffer{element, std::move(*file)};
  if (path.ends_with(".npy")) {
    auto array = parseNpy(buffer.bytes, path);
    if (!array)
      return array.takeError();
    if (element && *element != array->element)
      return usageError(argument + ": " + path + " holds " + infoOf(array->element).name +
                        ", not " + infoOf(*element).name);
    buffer = {array->element, std::move(array->bytes)};
  }
  if (count && buffer.bytes.size() != *count * infoOf(*element).size)
    return usageError(argument + ": " + path + " holds " + llvm::Twine(buffer.bytes.size()) +
                      " bytes where " + llvm::Twine(*count) + " elements need " +
                      llvm::Twine(*count * infoOf(*element).size));
  return buffer;
}

static llvm::Expected<BufferValue> fillList(llvm::StringRef argument, llvm::StringRef list,
                                            Element element, uint64_t count) {
  BufferValue buffer{element, ""};
  llvm::SmallVector<llvm::StringRef> items;
  if (!list.empty())
    list.split(items, ',');
  if (items.size() != count)
    return usageError(argument + ": `" + list + "` has " + llvm::Twine(items.size()) +
                      " values where " + llvm::Twine(count) +
                      " are announced; fillings are zeros, iota, rand(SEED), @FILE or a list");
  for (llvm::StringRef item : items) {
    auto bytes = encodeElement(element, item.trim());
    if (!bytes)
      return within(argument, bytes.takeError());
    buffer.bytes += *bytes;
  }
  return buffer;
}

/// The part after `TYPE[COUNT]:`.
static llvm::Expected<BufferValue> fill(llvm::StringRef argument, llvm::StringRef filling,
                                        Element element, uint64_t count) {
  uint64_t size = infoOf(element).size;
  if (filling.consume_front("@"))
    return readElements(argument, filling, element, count);
  BufferValue buffer{element, ""};
  if (filling == "zeros") {
    buffer.bytes.assign(count * size, '\0');
    return buffer;
  }
  buffer.bytes.reserve(count * size);
  if (filling == "iota") {
    for (uint64_t i = 0; i < count; ++i)
      buffer.bytes += encodeCount(element, i);
    return buffer;
  }
  llvm::StringRef seed = filling;
  if (seed.consume_front("rand(") && seed.consume_back(")")) {
    uint64_t state = 0;
    if (seed.getAsInteger(10, state))
      return usageError(argument + ": `" + filling + "` needs a whole number as seed");
    for (uint64_t i = 0; i < count; ++i)
      buffer.bytes += encodeRandom(element, splitMix64(state));
    return buffer;
  }
  return fillList(argument, filling, element, count);
}

/// `TYPE[COUNT]:FILLING` or `TYPE:[LIST]`, or none if `text` has another form.
static std::optional<llvm::Expected<BufferValue>> parseTyped(llvm::StringRef argument,
                                                             llvm::StringRef text) {
  if (size_t list = text.find(":["); list != llvm::StringRef::npos && text.ends_with("]"))
    if (auto element = elementNamed(text.take_front(list))) {
      llvm::StringRef items = text.drop_front(list + 2).drop_back();
      return fillList(argument, items, *element, items.empty() ? 0 : items.count(',') + 1);
    }
  size_t open = text.find('['), close = text.find("]:");
  if (open == llvm::StringRef::npos || close == llvm::StringRef::npos || close < open)
    return std::nullopt;
  auto element = elementNamed(text.take_front(open));
  if (!element)
    return usageError(argument + ": no element type `" + text.take_front(open) +
                      "`; types are f32 f64 i8 u8 i16 u16 i32 u32 i64 u64");
  uint64_t count = 0;
  if (text.slice(open + 1, close).getAsInteger(10, count) ||
      count > (uint64_t(1) << 40) / infoOf(*element).size)
    return usageError(argument + ": `" + text.slice(open + 1, close) +
                      "` is no number of elements");
  return fill(argument, text.drop_front(close + 2), *element, count);
}

static llvm::Expected<Value> asValue(llvm::Expected<BufferValue> buffer) {
  if (!buffer)
    return buffer.takeError();
  return Value(std::move(*buffer));
}

llvm::Expected<Value> parseValue(llvm::StringRef argument, llvm::StringRef text) {
  llvm::StringRef path = text;
  if (path.consume_front("bytes:@"))
    return asValue(readElements(argument, path, std::nullopt, std::nullopt));
  if (path.consume_front("@"))
    return asValue(readElements(argument, path, std::nullopt, std::nullopt));
  if (auto typed = parseTyped(argument, text))
    return asValue(std::move(*typed));
  if (text.empty())
    return usageError(argument + " has no value");
  return Value(ScalarValue{text.str()});
}

static llvm::Expected<std::string> encodeChar(llvm::StringRef text) {
  llvm::StringRef body = text;
  if (body.size() >= 3 && body.consume_front("'"))
    body.consume_back("'");
  uint32_t code = 0;
  auto first = static_cast<unsigned char>(body.empty() ? 0 : body[0]);
  unsigned length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (body.empty() || body.size() != length || (first & 0xc0) == 0x80)
    return usageError("`" + text + "` is no single character");
  code = length == 1 ? first : first & (0xff >> (length + 1));
  for (unsigned i = 1; i < length; ++i)
    code = code << 6 | (static_cast<unsigned char>(body[i]) & 0x3f);
  return std::string(reinterpret_cast<const char *>(&code), 4);
}

static llvm::Expected<std::string> encodeNamed(llvm::StringRef text, llvm::StringRef typeName,
                                               uint64_t size) {
  if (typeName == "bool") {
    if (text != "true" && text != "false")
      return usageError("`" + text + "` is no bool; write true or false");
    return std::string(1, text == "true");
  }
  if (typeName == "char")
    return encodeChar(text);
  if (typeName == "f16" || typeName == "f32" || typeName == "f64" || typeName == "f128")
    return encodeFloat(text, static_cast<unsigned>(size * 8));
  bool isSigned = typeName.starts_with("i") &&
                  (typeName == "isize" || llvm::all_of(typeName.drop_front(), llvm::isDigit));
  return encodeInteger(text, static_cast<unsigned>(size * 8), isSigned);
}

llvm::Expected<std::string> encodeScalar(llvm::StringRef argument, llvm::StringRef text,
                                         llvm::StringRef typeName, uint64_t size) {
  if (size == 0 || size > 16)
    return usageError(argument + ": a `" + typeName + "` of " + llvm::Twine(size) +
                      " bytes cannot be written as a number");
  auto bytes = encodeNamed(text, typeName, size);
  if (!bytes)
    return within(argument, bytes.takeError());
  return bytes;
}

std::string bufferText(std::optional<Element> element, llvm::StringRef bytes) {
  if (!element)
    return llvm::toHex(bytes, /*LowerCase=*/true);
  std::string text = "[";
  uint64_t size = infoOf(*element).size;
  for (uint64_t at = 0; at + size <= bytes.size(); at += size) {
    if (at)
      text += ", ";
    text += elementText(*element, bytes.data() + at);
  }
  return text + "]";
}

} // namespace mirgpu::driver
