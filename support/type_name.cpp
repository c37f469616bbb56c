// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/type_name.h"

#include <algorithm>

namespace mirgpu {

static constexpr std::string_view primitives[] = {
    "bool", "char", "f16", "f32", "f64", "f128", "u8",   "u16",   "u32",
    "u64",  "u128", "i8",  "i16", "i32", "i64",  "i128", "usize", "isize",
};

static bool consume(std::string_view &text, std::string_view prefix) {
  bool found = text.starts_with(prefix);
  if (found)
    text.remove_prefix(prefix.size());
  return found;
}

static void trim(std::string_view &text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
}

/// Cuts what comes before the first `separator` that no bracket encloses off `rest`.
static std::string_view takeUntil(std::string_view &rest, char separator) {
  auto isOneOf = [](std::string_view set, char c) { return set.find(c) != set.npos; };
  int depth = 0;
  size_t end = 0;
  for (; end < rest.size() && (depth > 0 || rest[end] != separator); ++end)
    depth += isOneOf("<[(", rest[end]) - isOneOf(">])", rest[end]);
  std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  trim(part);
  return part;
}

/// The first argument between `<` and the last `>` that is no lifetime.
static std::string_view firstTypeArgument(std::string_view name) {
  size_t open = name.find('<');
  if (open == std::string_view::npos || !name.ends_with('>'))
    return {};
  std::string_view rest = name.substr(open + 1, name.size() - open - 2);
  std::string_view argument;
  do
    argument = takeUntil(rest, ',');
  while (argument.starts_with('\'') && !rest.empty());
  return argument;
}

std::string_view elementTypeName(std::string_view typeName) {
  std::string_view name = typeName;
  bool isPointer = consume(name, "*const ") || consume(name, "*mut ");
  if (consume(name, "&")) {
    isPointer = true;
    if (name.starts_with('\''))
      takeUntil(name, ' ');
    consume(name, "mut ");
  }
  if (name.starts_with('[') && name.ends_with(']')) {
    name = name.substr(1, name.size() - 2);
    return takeUntil(name, ';');
  }
  if (isPointer)
    return name == "str" ? "u8" : name;
  return firstTypeArgument(name);
}

std::string_view primitiveTypeName(std::string_view typeName) {
  if (consume(typeName, "core::sync::atomic::Atomic<"))
    typeName = takeUntil(typeName, '>');
  bool found = std::ranges::find(primitives, typeName) != std::end(primitives);
  return found ? typeName : std::string_view();
}

} // namespace mirgpu
