// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/conformance/panic_match.h"

#include <cstddef>
#include <vector>

namespace mirgpu::conformance {

namespace {
/// A character of the message, or a hole that stands for any text.
struct Piece {
  char character = 0;
  bool isHole = false;
};

/// What is known of reaching a position of the pattern: not at all, through holes alone, or with a
/// static character matched.
enum class Reached : unsigned char { No, ByHoles, ByText };
} // namespace

static std::vector<Piece> pieces(std::string_view message, bool isCut) {
  std::vector<Piece> all;
  for (size_t i = 0; i < message.size(); ++i) {
    if (message.substr(i, 2) == "{}") {
      all.push_back({0, true});
      ++i;
    } else {
      all.push_back({message[i], false});
    }
  }
  if (isCut)
    all.push_back({0, true});
  return all;
}

static void improve(Reached &slot, Reached value) {
  if (value > slot)
    slot = value;
}

bool panicContains(std::string_view message, std::string_view expected, bool isCut) {
  const std::vector<Piece> pattern = pieces(message, isCut);
  bool hasText = false;
  for (const Piece &piece : pattern)
    hasText |= !piece.isHole && piece.character != ' ';
  // at[i]: the expected text read so far may end before piece i. It may begin before any piece.
  std::vector<Reached> at(pattern.size() + 1, Reached::ByHoles);
  for (char wanted : expected) {
    std::vector<Reached> next(pattern.size() + 1, Reached::No);
    for (size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i].isHole) {
        improve(at[i + 1], at[i]); // an empty value
        improve(next[i], at[i]);   // the value goes on
      } else if (at[i] != Reached::No && pattern[i].character == wanted) {
        improve(next[i + 1], wanted == ' ' ? at[i] : Reached::ByText);
      }
    }
    at = std::move(next);
  }
  for (Reached reached : at)
    if (reached == Reached::ByText || (reached == Reached::ByHoles && (!hasText || expected.empty())))
      return true;
  return false;
}

} // namespace mirgpu::conformance
