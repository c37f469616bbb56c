// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See symbol_name.h. `::` becomes `$$`, the characters that occur often one letter, any other byte
// `$x` and two hex digits.
#include "lowering/symbol_name.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

namespace mirgpu::lowering {

static char escapeOf(char c) {
  switch (c) {
  case '$':
    return 'd';
  case '<':
    return 'L';
  case '>':
    return 'G';
  case ' ':
    return 'S';
  case ',':
    return 'C';
  case '&':
    return 'R';
  case '*':
    return 'P';
  case '{':
    return 'B';
  case '}':
    return 'E';
  case '[':
    return 'A';
  case ']':
    return 'Z';
  case '(':
    return 'O';
  case ')':
    return 'Q';
  case '#':
    return 'N';
  case ';':
    return 'I';
  case '-':
    return 'M';
  case '=':
    return 'q';
  case '\'':
    return 't';
  default:
    return 0;
  }
}

std::string symbolName(std::string_view symbol) {
  std::string name;
  name.reserve(symbol.size() + 16);
  // A name must not start with a digit.
  if (!symbol.empty() && llvm::isDigit(symbol.front()))
    name += "$0";
  for (size_t i = 0; i < symbol.size(); ++i) {
    const char c = symbol[i];
    if (llvm::isAlnum(c) || c == '_') {
      name += c;
    } else if (c == ':' && i + 1 < symbol.size() && symbol[i + 1] == ':') {
      name += "$$";
      ++i;
    } else if (const char escape = escapeOf(c)) {
      name += '$';
      name += escape;
    } else {
      name += "$x";
      name += llvm::hexdigit(static_cast<unsigned char>(c) >> 4, /*LowerCase=*/true);
      name += llvm::hexdigit(static_cast<unsigned char>(c) & 15, /*LowerCase=*/true);
    }
  }
  if (name.size() <= kMaxSymbolLength)
    return name;
  llvm::BLAKE3 hasher;
  hasher.update(llvm::StringRef(symbol.data(), symbol.size()));
  const auto hash = hasher.final<16>();
  const std::string suffix = "$H" + llvm::toHex(llvm::ArrayRef<uint8_t>(hash), /*LowerCase=*/true);
  name.resize(kMaxSymbolLength - suffix.size());
  return name + suffix;
}

} // namespace mirgpu::lowering
