// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kind of a value is told by where it stands: the nearest key, or the tag of the array that
// holds it (`["field",1,T]`) and its position there. Values of one kind can take each other's
// place.
#include "fuzz/json_mutator.h"

#include "mir_reader/names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <random>
#include <vector>

namespace mirgpu::fuzz {

namespace json = llvm::json;

namespace {

/// A value with the way to change its surroundings.
struct Node {
  json::Value *value;
  json::Array *array; ///< that holds it; null: a member of an object
  size_t index;       ///< in `array`
  uint64_t kind;
};

class Random {
public:
  explicit Random(unsigned seed) : engine_(seed) {}
  size_t below(size_t bound) { return bound ? engine_() % bound : 0; }
  bool oneIn(size_t n) { return below(n) == 0; }

private:
  std::minstd_rand engine_;
};

} // namespace

// ---- Nodes and their kinds

/// The first string among an array's first three elements: `assign` of `[span,scope,"assign",…]`.
static llvm::StringRef tagOf(const json::Array &array) {
  for (size_t i = 0; i < array.size() && i < 3; ++i)
    if (auto text = array[i].getAsString(); text && !text->empty() && llvm::isAlpha((*text)[0]))
      return *text;
  return {};
}

/// Each table's elements are reached with its own odds; spans and scopes, which stand everywhere
/// and decide little, with low ones.
static bool isDull(llvm::StringRef place) {
  static constexpr llvm::StringLiteral dull[] = {"spans", "span",     "fn_span", "line_spans",
                                                 "name",  "def_path", "files",   "hash",
                                                 "debug", "crate"};
  return llvm::is_contained(dull, place);
}

static void collect(json::Value &value, const std::string &place, json::Array *array, size_t index,
                    std::vector<Node> &nodes) {
  nodes.push_back({&value, array, index, llvm::xxh3_64bits(place)});
  if (json::Object *object = value.getAsObject()) {
    const std::string prefix = object->getString("kind").value_or("").str() + ".";
    for (auto &[key, member] : *object)
      if (prefix == "intrinsic." || !isDull(llvm::StringRef(key)))
        collect(member, prefix + llvm::StringRef(key).str(), nullptr, 0, nodes);
  }
  json::Array *elements = value.getAsArray();
  if (!elements)
    return;
  const llvm::StringRef tag = tagOf(*elements);
  for (size_t i = 0; i < elements->size(); ++i) {
    const bool isSpanOrScope =
        i < 2 && !tag.empty() && elements->size() > 2 && (*elements)[2].getAsString() == tag;
    if (isSpanOrScope)
      continue;
    const bool isFirst = i == 0 && (*elements)[i].getAsUINT64();
    collect((*elements)[i],
            tag.empty() ? place + (isFirst ? "#0" : "#") : tag.str() + std::to_string(i), elements,
            i, nodes);
  }
}

/// The nodes of one table, drawn so that types and functions come most often.
static std::vector<Node> nodesOfATable(json::Object &root, Random &random) {
  static constexpr llvm::StringLiteral odds[] = {
      "functions", "functions", "functions", "functions", "functions", "functions", "types",
      "types",     "types",     "allocs",    "statics",   "vtables",   "kernels",   "session"};
  const llvm::StringRef name = odds[random.below(std::size(odds))];
  std::vector<Node> nodes;
  json::Value *table = root.get(name);
  if (!table)
    return nodes;
  // One element of the table, so that all elements have the same odds.
  if (json::Array *elements = table->getAsArray();
      elements && !elements->empty() && !random.oneIn(16)) {
    const size_t i = random.below(elements->size());
    collect((*elements)[i], name.str() + "#", elements, i, nodes);
  } else {
    collect(*table, name.str(), nullptr, 0, nodes);
  }
  return nodes;
}

static std::vector<Node> allNodes(json::Object &root) {
  std::vector<Node> nodes;
  for (llvm::StringRef name :
       {"types", "allocs", "statics", "vtables", "functions", "kernels", "session"})
    if (json::Value *table = root.get(name))
      collect(*table, name.str(), nullptr, 0, nodes);
  return nodes;
}

// ---- Changes of one value

static uint64_t interestingNumber(Random &random) {
  static constexpr uint64_t extremes[] = {0,
                                          1,
                                          2,
                                          3,
                                          7,
                                          8,
                                          15,
                                          16,
                                          31,
                                          32,
                                          63,
                                          64,
                                          127,
                                          128,
                                          255,
                                          256,
                                          1u << 16,
                                          1u << 29,
                                          1u << 31,
                                          UINT32_MAX,
                                          uint64_t(1) << 32,
                                          uint64_t(1) << 40,
                                          uint64_t(1) << 60,
                                          uint64_t(1) << 61,
                                          INT64_MAX,
                                          UINT64_MAX};
  return extremes[random.below(std::size(extremes))];
}

static uint64_t changedNumber(uint64_t number, Random &random) {
  switch (random.below(6)) {
  case 0:
    return number + 1;
  case 1:
    return number - 1;
  case 2:
    return number * 2;
  case 3:
    return number / 2;
  case 4:
    return random.below(16);
  default:
    return interestingNumber(random);
  }
}

/// Another word of an enumeration that has `word`; none if there is none.
static std::optional<std::string> otherWord(llvm::StringRef word, Random &random) {
  namespace names = mir::names;
  static constexpr std::string_view references[] = {"copy", "move"};
  static constexpr std::string_view unwinds[] = {"continue", "unreachable", "terminate"};
  static constexpr std::string_view representations[] = {"scalar", "pair", "vector", "memory"};
  static constexpr std::string_view encodings[] = {"single", "empty", "direct", "niche"};
  const std::span<const std::string_view> sets[] = {
      names::binOps,         names::unOps,       names::castKinds,  names::assertKinds,
      names::rawBorrowKinds, names::borrowKinds, names::paramKinds, names::pointerSafeties,
      names::metadatas,      names::primitives,  references,        unwinds,
      representations,       encodings};
  std::vector<std::span<const std::string_view>> found;
  for (auto set : sets)
    if (llvm::is_contained(set, std::string_view(word)))
      found.push_back(set);
  if (found.empty())
    return std::nullopt;
  auto set = found[random.below(found.size())];
  return std::string(set[random.below(set.size())]);
}

/// Bytes in hexadecimal, names, numbers as text.
static std::string changedText(llvm::StringRef text, Random &random) {
  uint64_t number;
  if (!text.empty() && !text.getAsInteger(10, number))
    return std::to_string(changedNumber(number, random));
  if (auto word = otherWord(text, random))
    return *word;
  std::string changed = text.str();
  if (!changed.empty())
    changed[random.below(changed.size())] = "0123456789abcdef_:<>"[random.below(20)];
  return changed;
}

static bool changeScalar(json::Value &value, Random &random) {
  if (auto number = value.getAsUINT64())
    value = changedNumber(*number, random);
  else if (auto truth = value.getAsBoolean())
    value = !*truth;
  else if (auto text = value.getAsString())
    value = changedText(*text, random);
  else if (value.kind() == json::Value::Null)
    value = uint64_t(random.below(8));
  else
    return false;
  return true;
}

static bool changeElements(const Node &node, Random &random) {
  if (!node.array)
    return false;
  json::Array &array = *node.array;
  switch (random.below(3)) {
  case 0:
    array.erase(array.begin() + static_cast<ptrdiff_t>(node.index));
    return true;
  case 1: {
    json::Value copy = array[node.index];
    array.insert(array.begin() + static_cast<ptrdiff_t>(random.below(array.size() + 1)),
                 std::move(copy));
    return true;
  }
  default:
    std::swap(array[node.index], array[random.below(array.size())]);
    return true;
  }
}

/// Puts a value of the same kind in the place of `node`'s.
static bool takeFrom(const Node &node, std::vector<Node> &others, Random &random) {
  std::vector<const Node *> same;
  for (const Node &other : others)
    if (other.kind == node.kind && *other.value != *node.value)
      same.push_back(&other);
  if (same.empty())
    return false;
  json::Value copy = *same[random.below(same.size())]->value;
  *node.value = std::move(copy);
  return true;
}

static bool mutateOnce(json::Object &root, Random &random) {
  std::vector<Node> nodes = nodesOfATable(root, random);
  if (nodes.empty())
    return false;
  const Node &node = nodes[random.below(nodes.size())];
  switch (random.below(8)) {
  case 0:
    return changeElements(node, random);
  case 1:
  case 2:
  case 3:
    return changeScalar(*node.value, random);
  default: {
    std::vector<Node> others = allNodes(root);
    return takeFrom(node, others, random) || changeScalar(*node.value, random);
  }
  }
}

// ---- Texts

/// LLVM's parser recurses; a program nests far less.
static bool nestsTooDeep(std::string_view text) {
  int depth = 0;
  for (char c : text) {
    depth += c == '[' || c == '{';
    depth -= c == ']' || c == '}';
    if (depth > 200)
      return true;
  }
  return false;
}

static std::optional<json::Value> parseObject(std::string_view text) {
  if (nestsTooDeep(text))
    return std::nullopt;
  auto value = json::parse(text);
  if (value && value->getAsObject())
    return std::move(*value);
  llvm::consumeError(value.takeError());
  return std::nullopt;
}

static std::optional<std::string> printed(const json::Value &value, size_t maxSize) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  if (text.size() > maxSize)
    return std::nullopt;
  return text;
}

std::optional<std::string> mutateJson(std::string_view text, size_t maxSize, unsigned seed) {
  std::optional<json::Value> root = parseObject(text);
  if (!root)
    return std::nullopt;
  Random random(seed);
  size_t changes = random.oneIn(4) ? 1 + random.below(4) : 1;
  for (int tries = 0; changes && tries < 50; ++tries)
    changes -= mutateOnce(*root->getAsObject(), random);
  return printed(*root, maxSize);
}

std::optional<std::string> spliceJson(std::string_view text, std::string_view other, size_t maxSize,
                                      unsigned seed) {
  std::optional<json::Value> root = parseObject(text), from = parseObject(other);
  if (!root || !from)
    return std::nullopt;
  Random random(seed);
  std::vector<Node> others = allNodes(*from->getAsObject());
  for (int tries = 0; tries < 50; ++tries) {
    std::vector<Node> nodes = nodesOfATable(*root->getAsObject(), random);
    if (!nodes.empty() && takeFrom(nodes[random.below(nodes.size())], others, random))
      return printed(*root, maxSize);
  }
  return std::nullopt;
}

} // namespace mirgpu::fuzz
