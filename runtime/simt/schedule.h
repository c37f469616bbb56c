// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which the lanes of a block run. A correct kernel gives the same result under each;
// `reverse` and `seed:N` show what the forward order hides. The same schedule gives the same run.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mirgpu::simt {

struct Schedule {
  enum class Order : uint8_t { Forward, Reverse, Seed };
  Order order = Order::Forward;
  uint64_t seed = 0;
  friend bool operator==(const Schedule &, const Schedule &) = default;
};

/// `forward`, `reverse` or `seed:N`; nothing for any other text.
std::optional<Schedule> parseSchedule(std::string_view text);

/// SplitMix64: a small generator whose sequence is the same everywhere.
struct Random {
  uint64_t state = 0;
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// A number below `bound`, which is not 0.
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(next() % bound); }
};

} // namespace mirgpu::simt
