// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a warp operation gives each of its participants once all have arrived: the value rules of
// PTX ISA "shfl.sync", "vote.sync", "match.sync", "redux.sync", "elect.sync", as pure functions of
// what the participants brought. Who waits for whom is block.h's matter.
#pragma once

#include "support/cpu_abi.h"

#include <array>
#include <cstdint>

namespace mirgpu::simt {

inline constexpr uint32_t kWarpSize = 32;
/// What a shuffle gives whose source lane takes no part; the bytes that poison shared memory too.
inline constexpr uint64_t kPoison = 0xcbcbcbcbcbcbcbcbull;

/// Where one lane of a shuffle reads: `inRange` is PTX's predicate `p`; when it is false `lane` is
/// the reading lane itself.
struct ShuffleSource {
  uint32_t lane;
  bool inRange;
};

/// The source of `lane` for `b` (delta, index or lane mask) and `c` (clamp and segment mask).
/// `mode` is one of the four Shuffle operations.
ShuffleSource shuffleSource(abi::WarpOp mode, uint32_t lane, uint32_t b, uint32_t c);

/// What each lane of a warp brought; entries of lanes that take no part are not read.
struct WarpInputs {
  std::array<uint64_t, kWarpSize> value;
  std::array<uint32_t, kWarpSize> operand;
  std::array<uint32_t, kWarpSize> control;
};

struct WarpAnswers {
  std::array<abi::WarpResult, kWarpSize> lane; ///< of participants alone
  uint32_t poisoned = 0;                       ///< lanes whose shuffle source takes no part
};

/// The answers of `op` over the participants in `lanes`, which is not empty.
WarpAnswers evaluate(abi::WarpOp op, uint32_t lanes, const WarpInputs &in);

bool isShuffle(abi::WarpOp op);
/// As the Rust API names it: `warp::shuffle_xor`.
const char *opName(abi::WarpOp op);

} // namespace mirgpu::simt
