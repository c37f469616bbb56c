// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format: "\x93NUMPY", version 1 0, u16 length of the header, the header as a Python dict
// {descr, fortran_order, shape} padded with spaces and ended by a newline so that the elements
// begin at a multiple of 64, the elements.
#include "driver/npy.h"

#include "driver/driver.h"

namespace mirgpu::driver {

static constexpr llvm::StringLiteral magic = "\x93NUMPY";

/// The text after `'key':` in the header, or empty.
static llvm::StringRef valueOf(llvm::StringRef header, llvm::StringRef key) {
  size_t at = header.find(("'" + key + "'").str());
  if (at == llvm::StringRef::npos)
    return {};
  llvm::StringRef rest = header.drop_front(at + key.size() + 2).ltrim();
  return rest.consume_front(":") ? rest.ltrim() : llvm::StringRef();
}

/// `(3, 4)` to 12; none for anything else, also on overflow.
static std::optional<uint64_t> elementCount(llvm::StringRef shape) {
  if (!shape.consume_front("("))
    return std::nullopt;
  uint64_t count = 1;
  for (shape = shape.ltrim(); !shape.consume_front(")"); shape = shape.ltrim()) {
    uint64_t extent = 0;
    if (shape.consumeInteger(10, extent) || __builtin_mul_overflow(count, extent, &count))
      return std::nullopt;
    shape = shape.ltrim();
    if (!shape.consume_front(",") && !shape.starts_with(")"))
      return std::nullopt;
  }
  return count;
}

llvm::Expected<NpyArray> parseNpy(llvm::StringRef file, llvm::StringRef name) {
  auto wrong = [&](const llvm::Twine &what) { return worldError(name + ": " + what); };
  if (!file.starts_with(magic) || file.size() < 10)
    return wrong("is no NumPy file");
  if (file[6] != 1 || file[7] != 0)
    return wrong("is a NumPy file of version " + llvm::Twine(int(file[6])) + "." +
                 llvm::Twine(int(file[7])) + "; only 1.0 is read");
  size_t headerSize = static_cast<uint8_t>(file[8]) | static_cast<uint8_t>(file[9]) << 8;
  if (file.size() < 10 + headerSize)
    return wrong("ends within the NumPy header");
  llvm::StringRef header = file.substr(10, headerSize);
  llvm::StringRef descr = valueOf(header, "descr");
  descr = descr.consume_front("'") ? descr.take_until([](char c) { return c == '\''; })
                                   : llvm::StringRef();
  auto element = elementOfDescr(descr);
  if (!element)
    return wrong("holds elements of NumPy type `" + descr +
                 "`; read are f32, f64 and integers, little-endian");
  auto count = elementCount(valueOf(header, "shape"));
  if (!count)
    return wrong("has a NumPy header without a shape");
  bool flat = valueOf(header, "shape").count(',') <= 1;
  if (!valueOf(header, "fortran_order").starts_with("False") && !flat)
    return wrong("is in Fortran order; save it in C order");
  llvm::StringRef elements = file.drop_front(10 + headerSize);
  uint64_t size = infoOf(*element).size;
  if (elements.size() % size || elements.size() / size != *count)
    return wrong("has " + llvm::Twine(elements.size()) +
                 " bytes of elements where its shape asks for " + llvm::Twine(*count) + " of " +
                 llvm::Twine(size));
  return NpyArray{*element, *count, elements.str()};
}

std::string writeNpy(Element element, llvm::StringRef bytes) {
  std::string header = "{'descr': '" + infoOf(element).descr.str() +
                       "', 'fortran_order': False, 'shape': (" +
                       std::to_string(bytes.size() / infoOf(element).size) + ",), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string file(magic);
  file += '\x01';
  file += '\x00';
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  return file + header + bytes.str();
}

} // namespace mirgpu::driver
