// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value rules of warp operations, each a few lines from the PTX ISA's pseudocode. Values are 64
// bits wide: shuffles and match use all of them, redux the low 32, votes whether they are 0.
#include "runtime/simt/collective.h"

#include "support/check.h"

#include <bit>

namespace mirgpu::simt {

using abi::WarpOp;

static bool has(uint32_t lanes, uint32_t lane) { return (lanes >> lane) & 1; }

template <class F> static void forEachLane(uint32_t lanes, F f) {
  for (; lanes; lanes &= lanes - 1)
    f(static_cast<uint32_t>(std::countr_zero(lanes)));
}

bool isShuffle(WarpOp op) {
  return op == WarpOp::ShuffleIdx || op == WarpOp::ShuffleUp || op == WarpOp::ShuffleDown ||
         op == WarpOp::ShuffleXor;
}

/// PTX ISA, "shfl.sync": five bits of b count, c holds the clamp in bits 0-4 and the segment mask
/// in bits 8-12.
ShuffleSource shuffleSource(WarpOp mode, uint32_t lane, uint32_t b, uint32_t c) {
  uint32_t delta = b & 31, clamp = c & 31, segment = (c >> 8) & 31;
  uint32_t least = lane & segment;
  int32_t most = static_cast<int32_t>(least | (clamp & ~segment & 31));
  int32_t self = static_cast<int32_t>(lane), from = self;
  bool inRange = false;
  if (mode == WarpOp::ShuffleUp) {
    from = self - static_cast<int32_t>(delta);
    inRange = from >= most;
  } else if (mode == WarpOp::ShuffleDown) {
    from = self + static_cast<int32_t>(delta);
    inRange = from <= most;
  } else if (mode == WarpOp::ShuffleXor) {
    from = static_cast<int32_t>(lane ^ delta);
    inRange = from <= most;
  } else {
    from = static_cast<int32_t>(least | (delta & ~segment & 31));
    inRange = from <= most;
  }
  return inRange ? ShuffleSource{static_cast<uint32_t>(from), true} : ShuffleSource{lane, false};
}

static void shuffle(WarpOp op, uint32_t lanes, const WarpInputs &in, WarpAnswers &out) {
  forEachLane(lanes, [&](uint32_t lane) {
    ShuffleSource from = shuffleSource(op, lane, in.operand[lane], in.control[lane]);
    bool takesPart = has(lanes, from.lane);
    out.lane[lane] = {takesPart ? in.value[from.lane] : kPoison, from.inRange};
    if (!takesPart)
      out.poisoned |= 1u << lane;
  });
}

static uint32_t ballot(uint32_t lanes, const WarpInputs &in) {
  uint32_t set = 0;
  forEachLane(lanes, [&](uint32_t lane) { set |= uint32_t(in.value[lane] != 0) << lane; });
  return set;
}

static uint32_t equalTo(uint32_t lanes, const WarpInputs &in, uint64_t value) {
  uint32_t set = 0;
  forEachLane(lanes, [&](uint32_t lane) { set |= uint32_t(in.value[lane] == value) << lane; });
  return set;
}

static void broadcast(uint32_t lanes, abi::WarpResult result, WarpAnswers &out) {
  forEachLane(lanes, [&](uint32_t lane) { out.lane[lane] = result; });
}

/// One step of a reduction.
static uint32_t combine(WarpOp op, uint32_t a, uint32_t b) {
  const auto sa = static_cast<int32_t>(a), sb = static_cast<int32_t>(b);
  if (op == WarpOp::ReduxUMin)
    return a < b ? a : b;
  if (op == WarpOp::ReduxUMax)
    return a > b ? a : b;
  if (op == WarpOp::ReduxSMin)
    return sa < sb ? a : b;
  if (op == WarpOp::ReduxSMax)
    return sa > sb ? a : b;
  if (op == WarpOp::ReduxAnd)
    return a & b;
  if (op == WarpOp::ReduxOr)
    return a | b;
  if (op == WarpOp::ReduxXor)
    return a ^ b;
  return a + b;
}

static void redux(WarpOp op, uint32_t lanes, const WarpInputs &in, WarpAnswers &out) {
  auto first = static_cast<uint32_t>(std::countr_zero(lanes));
  auto total = static_cast<uint32_t>(in.value[first]);
  forEachLane(lanes & (lanes - 1), [&](uint32_t lane) {
    total = combine(op, total, static_cast<uint32_t>(in.value[lane]));
  });
  broadcast(lanes, {total, 1}, out);
}

WarpAnswers evaluate(WarpOp op, uint32_t lanes, const WarpInputs &in) {
  MIRGPU_CHECK(lanes != 0, "a warp operation without participants");
  WarpAnswers out;
  auto truth = [&](bool b) { broadcast(lanes, {b, b}, out); };
  auto first = static_cast<uint32_t>(std::countr_zero(lanes));
  using U = uint32_t;
  switch (op) {
  case WarpOp::ShuffleIdx:
  case WarpOp::ShuffleUp:
  case WarpOp::ShuffleDown:
  case WarpOp::ShuffleXor:
    shuffle(op, lanes, in, out);
    break;
  case WarpOp::VoteAll:
    truth(ballot(lanes, in) == lanes);
    break;
  case WarpOp::VoteAny:
    truth(ballot(lanes, in) != 0);
    break;
  case WarpOp::VoteUni: {
    uint32_t set = ballot(lanes, in);
    truth(set == 0 || set == lanes);
    break;
  }
  case WarpOp::VoteBallot:
    broadcast(lanes, {ballot(lanes, in), 1}, out);
    break;
  case WarpOp::MatchAny:
    forEachLane(lanes, [&](U l) { out.lane[l] = {equalTo(lanes, in, in.value[l]), 1}; });
    break;
  case WarpOp::MatchAll: {
    bool all = equalTo(lanes, in, in.value[first]) == lanes;
    broadcast(lanes, {all ? lanes : 0, all}, out);
    break;
  }
  case WarpOp::ReduxAdd:
  case WarpOp::ReduxUMin:
  case WarpOp::ReduxUMax:
  case WarpOp::ReduxSMin:
  case WarpOp::ReduxSMax:
  case WarpOp::ReduxAnd:
  case WarpOp::ReduxOr:
  case WarpOp::ReduxXor:
    redux(op, lanes, in, out);
    break;
  case WarpOp::Elect:
    forEachLane(lanes, [&](U lane) { out.lane[lane] = {first, lane == first}; });
    break;
  case WarpOp::Sync:
    broadcast(lanes, {0, 1}, out);
    break;
  }
  return out;
}

const char *opName(WarpOp op) {
  switch (op) {
  case WarpOp::ShuffleIdx:
    return "warp::shuffle";
  case WarpOp::ShuffleUp:
    return "warp::shuffle_up";
  case WarpOp::ShuffleDown:
    return "warp::shuffle_down";
  case WarpOp::ShuffleXor:
    return "warp::shuffle_xor";
  case WarpOp::VoteAll:
    return "warp::all";
  case WarpOp::VoteAny:
    return "warp::any";
  case WarpOp::VoteUni:
    return "warp::uniform";
  case WarpOp::VoteBallot:
    return "warp::ballot";
  case WarpOp::MatchAny:
    return "warp::match_any";
  case WarpOp::MatchAll:
    return "warp::match_all";
  case WarpOp::ReduxAdd:
  case WarpOp::ReduxUMin:
  case WarpOp::ReduxUMax:
  case WarpOp::ReduxSMin:
  case WarpOp::ReduxSMax:
  case WarpOp::ReduxAnd:
  case WarpOp::ReduxOr:
  case WarpOp::ReduxXor:
    return "warp::reduce";
  case WarpOp::Elect:
    return "warp::elect";
  case WarpOp::Sync:
    return "warp::sync";
  }
  return "unknown warp operation";
}

} // namespace mirgpu::simt
