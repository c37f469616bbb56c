// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cursor over simdjson's DOM that knows where it stands. It turns JSON values into the scalars of
// the model and keeps the first error with its JSON path
// (`functions[3].body.blocks[0].terminator`); after an error every accessor answers a default value
// and loops end at once, so the readers need no checks of their own. Strings go to the Program's
// pool.
#pragma once

#include "mir_reader/mir.h"
#include "mir_reader/names.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

#include <simdjson.h>

#include <optional>
#include <string>

namespace mirgpu::mir {

class Json;

/// What all cursors over one file share: the string pool and the first error.
class JsonErrors {
public:
  explicit JsonErrors(StringPool &strings) : strings_(&strings) {}
  bool failed() const { return failed_; }
  /// `path: message` of the first error.
  const std::string &text() const { return text_; }

private:
  friend class Json;
  StringPool *strings_;
  bool failed_ = false;
  std::string text_;
};

/// A value and the way to it. A child refers to its parent, so cursors are neither copied nor
/// moved, and `key` and `next` need a named cursor: a child cannot outlive what it refers to.
class Json {
public:
  Json(JsonErrors &errors, simdjson::dom::element root);
  Json(const Json &) = delete;
  Json &operator=(const Json &) = delete;

  /// Member `name` of an object; an error where it is missing. Fast when members are asked for in
  /// the file's order.
  Json key(std::string_view name) &;
  /// Whether an object has member `name`; for the few that a format version leaves out.
  bool hasKey(std::string_view name) const;
  /// The next element of an array that is used as a tuple; an error at its end.
  Json next() &;
  /// Whether `next` has an element.
  bool hasNext();
  /// Calls `visit(element)` for each element of an array until one fails.
  template <class F> void forEach(F visit) {
    for (begin(Kind::Array); hasNext() && !errors_->failed();) {
      Json element = next();
      visit(element);
    }
  }
  /// The end of a tuple: an error if elements are left.
  void finish();

  bool isNull() const;
  bool isString() const;
  bool isObject() const;
  bool isArray() const;

  bool boolean() const;
  uint64_t u64() const;
  uint32_t u32() const;
  /// An unsigned decimal in a string, up to 128 bits.
  u128 decimal() const;
  /// A string that need not outlive the file's text.
  std::string_view rawText() const;
  /// A string of the Program's pool.
  Str text() const;
  /// As `text`; null is the empty string.
  Str textOrNull() const { return isNull() ? Str() : text(); }
  template <class IdT> IdT id() const;
  /// As `id`; null is the invalid id.
  template <class IdT> IdT idOrNull() const { return isNull() ? IdT() : id<IdT>(); }
  /// The enumerator whose word stands here. `words` replaces the enum's own array.
  template <class E> E word(std::span<const std::string_view> words = wordsOf(E{})) const {
    return static_cast<E>(wordIndex(words));
  }
  /// `read(element)` of each element, in order.
  template <class T, class F> void list(std::vector<T> &out, F read) {
    forEach([&](Json &element) { out.push_back(read(element)); });
  }
  void texts(std::vector<Str> &out) {
    list(out, [](Json &element) { return element.text(); });
  }
  template <class IdT> void ids(std::vector<IdT> &out) {
    list(out, [](Json &element) { return element.template id<IdT>(); });
  }

  /// Keeps `message` with this place, unless an error came before.
  void fail(const llvm::Twine &message) const;
  /// Reports that this is not what was expected, and what it is.
  void failExpected(const llvm::Twine &expected) const;
  bool failed() const { return errors_->failed(); }
  /// `functions[3].body`; empty for the root.
  std::string path() const;

private:
  enum class Kind { Array, Object };
  struct Invalid {};

  Json(const Json &parent, simdjson::dom::element element, std::string_view name, size_t index);
  Json(const Json &parent, Invalid);
  /// Starts iteration if the value has the kind; else reports it. True: iterating.
  bool begin(Kind kind);
  uint32_t wordIndex(std::span<const std::string_view> words) const;

  JsonErrors *errors_;
  const Json *parent_ = nullptr;
  simdjson::dom::element element_;
  std::string_view name_; ///< of a member; without data: element `index_` of an array
  size_t index_ = 0;
  bool valid_ = false;
  bool started_ = false;
  size_t position_ = 0; ///< of the next element
  simdjson::dom::array::iterator arrayNext_, arrayEnd_;
  simdjson::dom::object::iterator objectNext_, objectBegin_, objectEnd_;
};

template <class IdT> IdT Json::id() const {
  uint32_t index = u32();
  if (index == IdT::kNone)
    failExpected("an index");
  return IdT(index);
}

} // namespace mirgpu::mir
