// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value rules of warp operations against independent models: shuffles against the CUDA guide's
// rules for width segments and against a bit-by-bit reading of the PTX pseudocode, votes, match and
// redux against plain loops over every lane, for random masks and values.
#include "runtime/simt/collective.h"
#include "runtime/simt/schedule.h"

#include <doctest/doctest.h>

#include <bit>
#include <optional>

using namespace mirgpu;
using namespace mirgpu::simt;
using abi::WarpOp;

namespace {

/// The CUDA guide's rule: where `lane` reads for a segment width, nothing if from itself.
std::optional<int> cudaSource(WarpOp op, int lane, int d, int width) {
  int base = lane / width * width;
  int delta = ((d % 32) + 32) % 32;
  switch (op) {
  case WarpOp::ShuffleIdx:
    return base + delta % width;
  case WarpOp::ShuffleUp:
    return lane - base >= delta ? std::optional(lane - delta) : std::nullopt;
  case WarpOp::ShuffleDown:
    return lane - base + delta < width ? std::optional(lane + delta) : std::nullopt;
  default:
    return (lane ^ delta) < base + width ? std::optional(lane ^ delta) : std::nullopt;
  }
}

constexpr WarpOp kShuffles[] = {WarpOp::ShuffleIdx, WarpOp::ShuffleUp, WarpOp::ShuffleDown,
                                WarpOp::ShuffleXor};

uint32_t cudaControl(WarpOp op, uint32_t width) {
  return ((32 - width) << 8) | (op == WarpOp::ShuffleUp ? 0 : 31);
}

/// PTX's rule with every field as an array of bits, so that no expression is shared with the code.
ShuffleSource ptxSource(WarpOp op, uint32_t lane, uint32_t b, uint32_t c) {
  int minLane = 0, maxLane = 0, index = 0;
  for (int bit = 0; bit < 5; ++bit) {
    bool l = lane >> bit & 1, s = c >> (8 + bit) & 1, k = c >> bit & 1, i = b >> bit & 1;
    minLane += (l && s) << bit;
    maxLane += (s ? l : k) << bit;
    index += (s ? l : i) << bit;
  }
  (void)minLane;
  int self = static_cast<int>(lane), d = static_cast<int>(b % 32), j = 0;
  bool p = false;
  if (op == WarpOp::ShuffleUp)
    j = self - d, p = j >= maxLane;
  if (op == WarpOp::ShuffleDown)
    j = self + d, p = j <= maxLane;
  if (op == WarpOp::ShuffleXor)
    j = self ^ d, p = j <= maxLane;
  if (op == WarpOp::ShuffleIdx)
    j = index, p = j <= maxLane;
  return {static_cast<uint32_t>(p ? j : self), p};
}

uint32_t randomMask(Random &random) {
  uint32_t mask = static_cast<uint32_t>(random.next());
  if (random.below(3) == 0)
    mask &= static_cast<uint32_t>(random.next());
  return mask ? mask : 1u << random.below(32);
}

} // namespace

TEST_CASE("shuffles follow the CUDA width rules") {
  for (WarpOp op : kShuffles)
    for (int width : {1, 2, 4, 8, 16, 32})
      for (int d = -64; d <= 64; ++d)
        for (int lane = 0; lane < 32; ++lane) {
          auto expected = cudaSource(op, lane, d, width);
          ShuffleSource got =
              shuffleSource(op, static_cast<uint32_t>(lane), static_cast<uint32_t>(d),
                            cudaControl(op, static_cast<uint32_t>(width)));
          INFO("op ", static_cast<int>(op), " width ", width, " d ", d, " lane ", lane);
          REQUIRE(got.inRange == expected.has_value());
          REQUIRE(static_cast<int>(got.lane) == expected.value_or(lane));
        }
}

TEST_CASE("shuffles follow the PTX rule for every clamp and segment mask") {
  for (WarpOp op : kShuffles)
    for (uint32_t c = 0; c < 0x2000; c += (c & 31) == 31 ? 0xe1 : 1)
      for (uint32_t b = 0; b < 32; ++b)
        for (uint32_t lane = 0; lane < 32; ++lane) {
          ShuffleSource expected = ptxSource(op, lane, b, c), got = shuffleSource(op, lane, b, c);
          if (got.lane != expected.lane || got.inRange != expected.inRange) {
            INFO("op ", static_cast<int>(op), " c ", c, " b ", b, " lane ", lane);
            REQUIRE(got.lane == expected.lane);
            REQUIRE(got.inRange == expected.inRange);
          }
        }
}

TEST_CASE("up with delta 4 gives p false on lanes 0 to 3") {
  for (uint32_t lane = 0; lane < 32; ++lane)
    CHECK(shuffleSource(WarpOp::ShuffleUp, lane, 4, 0).inRange == (lane >= 4));
}

TEST_CASE("a shuffle gives values of participants, own values out of range, poison otherwise") {
  Random random{1};
  for (int round = 0; round < 2000; ++round) {
    WarpOp op = kShuffles[random.below(4)];
    uint32_t lanes = randomMask(random);
    WarpInputs in;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      in.value[lane] = random.next();
      in.operand[lane] = random.below(40);
      in.control[lane] = cudaControl(op, 1u << random.below(6));
    }
    WarpAnswers out = evaluate(op, lanes, in);
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if (!(lanes >> lane & 1))
        continue;
      ShuffleSource from = ptxSource(op, lane, in.operand[lane], in.control[lane]);
      bool takesPart = lanes >> from.lane & 1;
      REQUIRE(out.lane[lane].predicate == from.inRange);
      REQUIRE(out.lane[lane].value == (takesPart ? in.value[from.lane] : kPoison));
      REQUIRE((out.poisoned >> lane & 1) == !takesPart);
    }
  }
}

TEST_CASE("votes, match, redux and elect follow plain loops") {
  Random random{2};
  for (int round = 0; round < 2000; ++round) {
    uint32_t lanes = randomMask(random);
    WarpInputs in{};
    uint64_t distinct = 1 + random.below(4);
    for (uint64_t &value : in.value)
      value = random.next() % distinct * (random.below(2) ? 0x8000000000000001ull : 1);
    auto first = static_cast<uint32_t>(std::countr_zero(lanes));
    uint32_t ballot = 0, sum = 0, all = ~0u, any = 0, parity = 0;
    uint32_t umin = ~0u, umax = 0;
    int32_t smin = INT32_MAX, smax = INT32_MIN;
    bool same = true;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if (!(lanes >> lane & 1))
        continue;
      auto low = static_cast<uint32_t>(in.value[lane]);
      ballot |= in.value[lane] ? 1u << lane : 0;
      sum += low, all &= low, any |= low, parity ^= low;
      umin = std::min(umin, low), umax = std::max(umax, low);
      smin = std::min(smin, static_cast<int32_t>(low));
      smax = std::max(smax, static_cast<int32_t>(low));
      same = same && in.value[lane] == in.value[first];
    }
    auto each = [&](WarpOp op, auto expected) {
      WarpAnswers out = evaluate(op, lanes, in);
      for (uint32_t lane = 0; lane < 32; ++lane)
        if (lanes >> lane & 1)
          REQUIRE(out.lane[lane].value == static_cast<uint64_t>(expected(lane)));
    };
    auto constant = [&](WarpOp op, uint64_t expected) {
      each(op, [&](uint32_t) { return expected; });
    };
    constant(WarpOp::VoteAll, ballot == lanes);
    constant(WarpOp::VoteAny, ballot != 0);
    constant(WarpOp::VoteUni, ballot == lanes || ballot == 0);
    constant(WarpOp::VoteBallot, ballot);
    constant(WarpOp::MatchAll, same ? lanes : 0);
    each(WarpOp::MatchAny, [&](uint32_t lane) {
      uint32_t set = 0;
      for (uint32_t other = 0; other < 32; ++other)
        if ((lanes >> other & 1) && in.value[other] == in.value[lane])
          set |= 1u << other;
      return set;
    });
    constant(WarpOp::ReduxAdd, sum);
    constant(WarpOp::ReduxAnd, all);
    constant(WarpOp::ReduxOr, any);
    constant(WarpOp::ReduxXor, parity);
    constant(WarpOp::ReduxUMin, umin);
    constant(WarpOp::ReduxUMax, umax);
    constant(WarpOp::ReduxSMin, static_cast<uint32_t>(smin));
    constant(WarpOp::ReduxSMax, static_cast<uint32_t>(smax));
    constant(WarpOp::Elect, first);
    WarpAnswers elected = evaluate(WarpOp::Elect, lanes, in);
    WarpAnswers matched = evaluate(WarpOp::MatchAll, lanes, in);
    for (uint32_t lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1) {
        REQUIRE(elected.lane[lane].predicate == (lane == first));
        REQUIRE(matched.lane[lane].predicate == same);
      }
  }
}
