// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cursor of json.h. Every conversion checks the JSON type and the range of the value; nothing
// is allocated that the file's own size does not bound.
#include "mir_reader/json.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace mirgpu::mir {

namespace dom = simdjson::dom;

Json::Json(JsonErrors &errors, dom::element root)
    : errors_(&errors), element_(root), valid_(true) {}

Json::Json(const Json &parent, dom::element element, std::string_view name, size_t index)
    : errors_(parent.errors_), parent_(&parent), element_(element), name_(name), index_(index),
      valid_(true) {}

Json::Json(const Json &parent, Invalid) : errors_(parent.errors_), parent_(&parent) {}

// ---- Errors
// ---------------------------------------------------------------------------------------

std::string Json::path() const {
  llvm::SmallVector<const Json *> steps;
  for (const Json *step = this; step->parent_; step = step->parent_)
    steps.push_back(step);
  std::string text;
  for (const Json *step : llvm::reverse(steps)) {
    if (!step->name_.data()) {
      text += "[" + std::to_string(step->index_) + "]";
      continue;
    }
    if (!text.empty())
      text += ".";
    text += step->name_;
  }
  return text;
}

void Json::fail(const llvm::Twine &message) const {
  if (errors_->failed_)
    return;
  errors_->failed_ = true;
  std::string where = path();
  errors_->text_ = (where.empty() ? "top level" : "`" + where + "`") + ": " + message.str();
}

static const char *typeName(dom::element_type type) {
  switch (type) {
  case dom::element_type::ARRAY:
    return "an array";
  case dom::element_type::OBJECT:
    return "an object";
  case dom::element_type::INT64:
    return "a number";
  case dom::element_type::UINT64:
    return "a number";
  case dom::element_type::DOUBLE:
    return "a fraction";
  case dom::element_type::STRING:
    return "a string";
  case dom::element_type::BOOL:
    return "a boolean";
  case dom::element_type::NULL_VALUE:
    return "null";
  }
  return "another value";
}

/// A string from the file, made fit for a message: quoted, escaped, cut.
static std::string quoted(std::string_view text) {
  constexpr size_t kMost = 40;
  std::string out;
  llvm::raw_string_ostream os(out);
  os << '"';
  llvm::printEscapedString(llvm::StringRef(text).take_front(kMost), os);
  os << (text.size() > kMost ? "…\"" : "\"");
  return out;
}

void Json::failExpected(const llvm::Twine &expected) const {
  if (!valid_)
    return;
  std::string found = isString() ? quoted(rawText()) : std::string(typeName(element_.type()));
  if (int64_t value; element_.get_int64().get(value) == simdjson::SUCCESS)
    found = std::to_string(value);
  fail("expected " + expected + ", found " + found);
}

// ---- Objects and arrays
// ---------------------------------------------------------------------------

bool Json::begin(Kind kind) {
  if (!valid_ || started_)
    return valid_;
  if (kind == Kind::Array) {
    dom::array array;
    if (element_.get_array().get(array) != simdjson::SUCCESS) {
      failExpected("an array");
      return valid_ = false;
    }
    arrayNext_ = array.begin();
    arrayEnd_ = array.end();
  } else {
    dom::object object;
    if (element_.get_object().get(object) != simdjson::SUCCESS) {
      failExpected("an object");
      return valid_ = false;
    }
    objectNext_ = objectBegin_ = object.begin();
    objectEnd_ = object.end();
  }
  started_ = true;
  return true;
}

Json Json::key(std::string_view name) & {
  if (!begin(Kind::Object))
    return Json(*this, Invalid{});
  // From the member after the last one found, once round.
  auto at = objectNext_;
  bool wrapped = false;
  while (true) {
    if (at == objectEnd_) {
      if (wrapped || objectNext_ == objectBegin_)
        break;
      at = objectBegin_;
      wrapped = true;
    }
    if (wrapped && at == objectNext_)
      break;
    if (at.key() == name) {
      dom::element value = at.value();
      objectNext_ = ++at;
      return Json(*this, value, name, 0);
    }
    ++at;
  }
  fail("missing key `" + llvm::Twine(llvm::StringRef(name)) + "`");
  return Json(*this, Invalid{});
}

bool Json::hasKey(std::string_view name) const {
  dom::object object;
  dom::element value;
  return valid_ && element_.get_object().get(object) == simdjson::SUCCESS &&
         object.at_key(name).get(value) == simdjson::SUCCESS;
}

bool Json::hasNext() { return begin(Kind::Array) && arrayNext_ != arrayEnd_; }

Json Json::next() & {
  if (!hasNext()) {
    fail("expected at least " + llvm::Twine(position_ + 1) + " elements");
    return Json(*this, Invalid{});
  }
  dom::element value = *arrayNext_;
  ++arrayNext_;
  return Json(*this, value, std::string_view(), position_++);
}

void Json::finish() {
  if (hasNext())
    fail("expected " + llvm::Twine(position_) + " elements, found more");
}

// ---- Scalars
// --------------------------------------------------------------------------------------

bool Json::isNull() const { return valid_ && element_.is_null(); }
bool Json::isString() const { return valid_ && element_.is_string(); }
bool Json::isObject() const { return valid_ && element_.is_object(); }
bool Json::isArray() const { return valid_ && element_.is_array(); }

bool Json::boolean() const {
  bool value = false;
  if (valid_ && element_.get_bool().get(value) != simdjson::SUCCESS)
    failExpected("true or false");
  return value;
}

uint64_t Json::u64() const {
  uint64_t value = 0;
  if (valid_ && element_.get_uint64().get(value) != simdjson::SUCCESS)
    failExpected("an unsigned integer");
  return value;
}

uint32_t Json::u32() const {
  uint64_t value = u64();
  if (value > UINT32_MAX) {
    failExpected("an integer below 2^32");
    return 0;
  }
  return static_cast<uint32_t>(value);
}

u128 Json::decimal() const {
  std::string_view digits = rawText();
  if (!valid_ || failed())
    return 0;
  constexpr u128 kMax = ~u128(0);
  u128 value = 0;
  for (char c : digits) {
    u128 digit = static_cast<unsigned char>(c) - '0';
    if (c < '0' || c > '9' || value > (kMax - digit) / 10) {
      failExpected("an unsigned decimal of at most 128 bits");
      return 0;
    }
    value = value * 10 + digit;
  }
  if (digits.empty())
    failExpected("an unsigned decimal of at most 128 bits");
  return value;
}

std::string_view Json::rawText() const {
  std::string_view value;
  if (valid_ && element_.get_string().get(value) != simdjson::SUCCESS)
    failExpected("a string");
  return value;
}

Str Json::text() const { return errors_->strings_->intern(rawText()); }

uint32_t Json::wordIndex(std::span<const std::string_view> words) const {
  std::string_view value = rawText();
  for (uint32_t i = 0; i < words.size(); ++i)
    if (!words[i].empty() && words[i] == value)
      return i;
  if (!failed())
    failExpected("one of " + llvm::join(llvm::drop_begin(words, words[0].empty() ? 1 : 0), ", "));
  return 0;
}

} // namespace mirgpu::mir
