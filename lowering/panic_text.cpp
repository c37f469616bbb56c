// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a known `fmt::Arguments` of 1.96 to the text of a message. Its two forms
// (library/core/src/fmt/mod.rs): a literal, with `args` = length * 2 + 1; or a packed template, a
// sequence of literals (length byte 1..127, or 0x80 and a 16-bit length) and placeholders (0xC0 |
// flags, then the optional fields that bits 0..3 announce), ended by a zero byte.
#include "lowering/panic_value.h"

#include "mir_reader/query.h"

namespace mirgpu::lowering {

using namespace mir;

std::optional<std::string>
decodeTemplate(const std::vector<uint8_t> &bytes,
               const std::vector<std::optional<std::string>> &arguments) {
  std::string text;
  size_t at = 0, next = 0;
  auto half = [&](size_t i) { return size_t(bytes[i]) | size_t(bytes[i + 1]) << 8; };
  auto has = [&](size_t count) { return count <= bytes.size() - at; };
  while (has(1)) {
    const uint8_t head = bytes[at++];
    if (head == 0)
      return text;
    if (head <= 0x80) {
      size_t length = head;
      if (head == 0x80) {
        if (!has(2))
          return std::nullopt;
        length = half(at);
        at += 2;
      }
      if (!has(length))
        return std::nullopt;
      text.append(bytes.begin() + at, bytes.begin() + at + length);
      at += length;
      continue;
    }
    if (head < 0xC0)
      return std::nullopt;
    const size_t skip = (head & 1 ? 4 : 0) + (head & 2 ? 2 : 0) + (head & 4 ? 2 : 0);
    if (!has(skip + (head & 8 ? 2 : 0)))
      return std::nullopt;
    at += skip;
    if (head & 8) {
      next = half(at);
      at += 2;
    }
    text += next < arguments.size() && arguments[next] && head == 0xC0 ? *arguments[next] : "{}";
    ++next;
  }
  return std::nullopt;
}

/// What a `NonNull` or another wrapper of one pointer holds.
static Known unwrap(Known value) {
  while (const auto *aggregate = knownAs<KnownAggregate>(value)) {
    if (aggregate->fields.size() != 1)
      return value;
    value = aggregate->fields[0];
  }
  return value;
}

/// The value that an `rt::Argument` displays: the first reference within it, a few levels down.
static Known displayed(Known argument, unsigned depth = 0) {
  if (const auto *aggregate = knownAs<KnownAggregate>(argument)) {
    for (Known field : aggregate->fields)
      if (Known found = depth < 6 ? displayed(field, depth + 1) : nullptr)
        return found;
    return nullptr;
  }
  return knownAs<KnownRef>(argument) || knownAs<KnownStrLocal>(argument) ? argument : nullptr;
}

/// Whether an `rt::Argument` prints by `Debug`: the function within it says so; none if none is
/// known.
static std::optional<bool> formatterIsDebug(const Program &program, Known argument,
                                            unsigned depth = 0) {
  if (const auto *function = knownAs<KnownFunction>(argument))
    return program.functions[function->function].trait == "Debug";
  const auto *aggregate = knownAs<KnownAggregate>(argument);
  if (!aggregate || depth >= 6)
    return std::nullopt;
  for (Known field : aggregate->fields)
    if (const auto found = formatterIsDebug(program, field, depth + 1))
      return found;
  return std::nullopt;
}

std::optional<std::string> debugText(const std::string &text) {
  std::string quoted = "\"";
  for (const char c : text) {
    switch (c) {
    case '\n':
      quoted += "\\n";
      continue;
    case '\r':
      quoted += "\\r";
      continue;
    case '\t':
      quoted += "\\t";
      continue;
    case '\0':
      quoted += "\\0";
      continue;
    case '"':
    case '\\':
      quoted += '\\';
      break;
    default:
      if (c < ' ' || c > '~') // what a terminal does not print is escaped by Unicode's tables
        return std::nullopt;
    }
    quoted += c;
  }
  return quoted + '"';
}

std::optional<PanicText> displayText(const ValuePool &pool, Known value) {
  while (const auto *ref = knownAs<KnownRef>(value))
    value = ref->target;
  if (const auto *local = knownAs<KnownStrLocal>(value))
    return PanicText{{}, local->local};
  if (const auto *pointer = knownAs<KnownPointer>(value); pointer && pointer->length) {
    if (auto text = pool.text(pointer->alloc, pointer->offset, *pointer->length))
      return PanicText{std::move(*text), std::nullopt};
    return std::nullopt;
  }
  return argumentsText(pool, value);
}

static std::vector<std::optional<std::string>> argumentTexts(const ValuePool &pool, Known args,
                                                             std::optional<LocalId> &onlyLocal) {
  std::vector<std::optional<std::string>> texts;
  const auto *ref = knownAs<KnownRef>(args);
  const auto *array = ref ? knownAs<KnownAggregate>(ref->target) : nullptr;
  if (!array)
    return texts;
  for (Known argument : array->fields) {
    const std::optional<bool> isDebug = formatterIsDebug(pool.program(), argument);
    std::optional<PanicText> text = isDebug ? displayText(pool, displayed(argument)) : std::nullopt;
    if (text && *isDebug) {
      const auto quoted = text->local ? std::nullopt : debugText(text->text);
      text = quoted ? std::optional(PanicText{*quoted, std::nullopt}) : std::nullopt;
    }
    if (text && text->local && array->fields.size() == 1)
      onlyLocal = text->local;
    texts.push_back(text && !text->local ? std::optional(text->text) : std::nullopt);
  }
  return texts;
}

std::optional<PanicText> argumentsText(const ValuePool &pool, Known value) {
  const auto *arguments = knownAs<KnownAggregate>(value);
  if (!arguments || arguments->ty != pool.argumentsType() || arguments->fields.size() != 2)
    return std::nullopt;
  const Known start = unwrap(arguments->fields[0]), args = unwrap(arguments->fields[1]);
  if (const auto *local = knownAs<KnownStrLocal>(start))
    return PanicText{{}, local->local};
  const auto *pointer = knownAs<KnownPointer>(start);
  if (!pointer || !args)
    return std::nullopt;
  if (const auto *scalar = knownAs<KnownScalar>(args)) {
    // Without placeholders: the template is the text itself.
    const auto text = scalar->bits & 1
                          ? pool.text(pointer->alloc, pointer->offset, uint64_t(scalar->bits) >> 1)
                          : std::optional<std::string>();
    return text ? std::optional(PanicText{*text, std::nullopt}) : std::nullopt;
  }
  const auto *memory = std::get_if<AllocMemory>(&pool.program().allocs[pointer->alloc]);
  if (!memory || pointer->offset > memory->bytes.size())
    return std::nullopt;
  std::optional<LocalId> onlyLocal;
  const auto texts = argumentTexts(pool, args, onlyLocal);
  const auto text =
      decodeTemplate({memory->bytes.begin() + pointer->offset, memory->bytes.end()}, texts);
  if (!text)
    return std::nullopt;
  return *text == "{}" && onlyLocal ? PanicText{{}, onlyLocal} : PanicText{*text, std::nullopt};
}

} // namespace mirgpu::lowering
