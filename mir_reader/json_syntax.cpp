// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parse and the search for the first wrong byte. The search is best effort: a text that ends
// too early has no such byte, and then the message says only that it ends.
#include "mir_reader/json_syntax.h"

#include "llvm/Support/ConvertUTF.h"

#include <optional>

namespace mirgpu::mir {

namespace ondemand = simdjson::ondemand;

static constexpr size_t kMaxDepth = 64;

/// Visits a value to its end; the first error stops the walk. Depth is bounded by the parser's own
/// limit.
static simdjson::error_code walk(ondemand::value value);

static simdjson::error_code walkArray(ondemand::array array) {
  for (auto element : array) {
    ondemand::value value;
    if (auto error = element.get(value))
      return error;
    if (auto error = walk(value))
      return error;
  }
  return simdjson::SUCCESS;
}

static simdjson::error_code walkObject(ondemand::object object) {
  for (auto member : object) {
    ondemand::field field;
    if (auto error = std::move(member).get(field))
      return error;
    if (auto error = walk(field.value()))
      return error;
  }
  return simdjson::SUCCESS;
}

static simdjson::error_code walk(ondemand::value value) {
  ondemand::json_type type;
  if (auto error = value.type().get(type))
    return error;
  switch (type) {
  case ondemand::json_type::array: {
    ondemand::array array;
    auto error = value.get_array().get(array);
    return error ? error : walkArray(array);
  }
  case ondemand::json_type::object: {
    ondemand::object object;
    auto error = value.get_object().get(object);
    return error ? error : walkObject(object);
  }
  case ondemand::json_type::number: {
    ondemand::number number;
    return value.get_number().get(number);
  }
  case ondemand::json_type::string: {
    std::string_view text;
    return value.get_string().get(text);
  }
  case ondemand::json_type::boolean: {
    bool truth;
    return value.get_bool().get(truth);
  }
  case ondemand::json_type::null: {
    bool isNull = false;
    auto error = value.is_null().get(isNull);
    return error || isNull ? error : simdjson::N_ATOM_ERROR;
  }
  }
  return simdjson::TAPE_ERROR;
}

static std::optional<size_t> utf8ErrorOffset(const simdjson::padded_string &text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  const llvm::UTF8 *at = begin;
  if (llvm::isLegalUTF8String(&at, begin + text.size()))
    return std::nullopt;
  return static_cast<size_t>(at - begin);
}

/// The offset of the first byte that is not JSON, if one can be found.
static std::optional<size_t> syntaxErrorOffset(const simdjson::padded_string &text) {
  ondemand::parser parser;
  ondemand::document document;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS)
    return std::nullopt;
  ondemand::object object;
  simdjson::error_code error = document.get_object().get(object);
  if (error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT)
    return std::nullopt; // the last byte does not close it
  if (error == simdjson::SUCCESS)
    error = walkObject(object);
  const char *at = nullptr;
  if (error == simdjson::SUCCESS || document.current_location().get(at) != simdjson::SUCCESS)
    return std::nullopt;
  if (at < text.data() || at >= text.data() + text.size())
    return std::nullopt;
  return static_cast<size_t>(at - text.data());
}

llvm::Expected<simdjson::dom::element> parseJson(simdjson::dom::parser &parser,
                                                 const simdjson::padded_string &text) {
  simdjson::dom::element root;
  simdjson::error_code error = parser.allocate(text.size(), kMaxDepth);
  if (!error)
    error = parser.parse(text).get(root);
  if (!error)
    return root;
  if (error == simdjson::EMPTY)
    return llvm::createStringError("the file is empty");
  if (error == simdjson::DEPTH_ERROR)
    return llvm::createStringError("values nest deeper than %zu levels", kMaxDepth);
  auto offset = error == simdjson::UTF8_ERROR ? utf8ErrorOffset(text) : syntaxErrorOffset(text);
  // What has no first wrong byte is cut short, within a string for one.
  std::string where = offset ? " near byte " + std::to_string(*offset)
                             : " at its end, byte " + std::to_string(text.size());
  return llvm::createStringError("not valid JSON" + where + ": " + simdjson::error_message(error));
}

} // namespace mirgpu::mir
