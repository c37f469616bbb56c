// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of LLVM functions and globals: only what every assembler takes, one name for each symbol,
// and a bounded length.
#include "lowering/symbol_name.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

using namespace mirgpu::lowering;

static bool isPortable(const std::string &name) {
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::ranges::all_of(
             name, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '$'; });
}

TEST_CASE("symbol names: readable where they can be") {
  CHECK(symbolName("saxpy") == "saxpy");
  CHECK(symbolName("saxpy::kernels::saxpy") == "saxpy$$kernels$$saxpy");
  CHECK(symbolName("map<f32>") == "map$Lf32$G");
  CHECK(symbolName("a::{closure#0}") == "a$$$Bclosure$N0$E");
}

TEST_CASE("symbol names: portable and different for different symbols") {
  const char *symbols[] = {"a::b", "a$$b", "a.b", "a:b", "a$b",  "a<b>",      "a[b]",      "a{b}",
                           "a(b)", "a b",  "a,b", "a-b", "a&b",  "a*b",       "a\"b",      "a'b",
                           "a=b",  "a#b",  "a;b", "1a",  "$01a", "a\xc3\xa9", "a$xc3$xa9", "a/b"};
  std::set<std::string> names;
  for (const char *symbol : symbols) {
    const std::string name = symbolName(symbol);
    CHECK_MESSAGE(isPortable(name), name);
    CHECK_MESSAGE(names.insert(name).second, name);
  }
}

TEST_CASE("symbol names: a long one ends in a hash of all of it") {
  const std::string one(2000, 'x'), other = one + "y";
  CHECK(symbolName(one).size() == kMaxSymbolLength);
  CHECK(symbolName(one) == symbolName(one));
  CHECK(symbolName(one) != symbolName(other));
  CHECK(isPortable(symbolName(one)));
  CHECK(symbolName(std::string(kMaxSymbolLength, 'x')).size() == kMaxSymbolLength);
  CHECK(symbolName(std::string(kMaxSymbolLength, 'x')).find('$') == std::string::npos);
}
