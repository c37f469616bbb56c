// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rendezvous core driven by small scripts instead of code: who meets whom, what each schedule
// does to the order, and one positive control for each kind of finding.
#include "runtime/simt/block.h"
#include "runtime/simt/report.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <variant>

using namespace mirgpu;
using namespace mirgpu::simt;
using abi::BarrierOp;
using abi::WarpOp;

namespace {

struct Panic {};
struct Yield {};
using Step = std::variant<WarpRequest, BarrierRequest, Panic, Yield>;
using Script = std::vector<Step>;

/// Runs lanes that each follow a script; keeps the answers and the order of steps.
struct Runner {
  Block block;
  std::vector<Script> scripts;
  std::vector<size_t> at;
  std::vector<std::vector<abi::WarpResult>> answers;
  std::vector<uint32_t> order;
  bool finished = false;

  explicit Runner(uint32_t threads, std::function<Script(uint32_t)> script,
                  Schedule schedule = {}) {
    block.reset(threads, schedule, 0);
    at.resize(threads);
    answers.resize(threads);
    for (uint32_t lane = 0; lane < threads; ++lane)
      scripts.push_back(script(lane));
    while (auto lane = block.next())
      step(*lane);
    finished = block.checkFinished();
  }

  void step(uint32_t lane) {
    order.push_back(lane);
    size_t index = at[lane]++;
    if (index > 0 && !std::holds_alternative<Yield>(scripts[lane][index - 1]))
      answers[lane].push_back(block.answer(lane));
    if (index == scripts[lane].size())
      return block.exit(lane, ExitKind::Returned);
    const Step &step = scripts[lane][index];
    if (auto *warp = std::get_if<WarpRequest>(&step))
      block.arrive(lane, *warp);
    else if (auto *barrier = std::get_if<BarrierRequest>(&step))
      block.arrive(lane, *barrier);
    else if (std::holds_alternative<Panic>(step))
      block.exit(lane, ExitKind::Panicked);
    else
      block.yield(lane);
  }

  std::string report(size_t index = 0) const {
    BlockPlace place{{2, 0, 0}, {block.threads(), 1, 1}, [](uint32_t id) {
                       return id ? "src/lib.rs:" + std::to_string(id) + ":5" : std::string();
                     }};
    return describe(block.findings()[index], place);
  }
};

WarpRequest ballot(uint32_t mask, bool value, uint32_t place = 10) {
  return {WarpOp::VoteBallot, mask, value, 0, 0, place};
}
BarrierRequest barrier(uint32_t place = 20) { return {BarrierOp::Sync, 0, place}; }

} // namespace

TEST_CASE("a full warp meets, exited and absent lanes are not awaited") {
  for (uint32_t threads : {1u, 5u, 31u, 32u, 48u, 64u}) {
    Runner run(threads, [](uint32_t lane) {
      return lane % 3 == 2 ? Script{} : Script{ballot(~0u, lane % 2 == 0)};
    });
    REQUIRE(run.finished);
    CHECK(run.block.findings().empty());
    for (uint32_t lane = 0; lane < threads; ++lane) {
      if (lane % 3 == 2)
        continue;
      uint32_t expected = 0;
      for (uint32_t i = 0; i < 32; ++i) {
        uint32_t other = lane / 32 * 32 + i;
        if (other < threads && other % 3 != 2 && other % 2 == 0)
          expected |= 1u << i;
      }
      REQUIRE(run.answers[lane].size() == 1);
      CHECK(run.answers[lane][0].value == expected);
    }
  }
}

TEST_CASE("disjoint masks are in flight at once, and a sub-warp may sync before all do") {
  Runner run(32, [](uint32_t lane) {
    uint32_t half = lane < 16 ? 0xffffu : 0xffff0000u;
    Script script{ballot(half, true, lane < 16 ? 11 : 12)};
    if (lane >= 1)
      script.push_back(WarpRequest{WarpOp::Sync, 0xfffffffe, 0, 0, 0, 13});
    script.push_back(ballot(~0u, lane == 7, 14));
    return script;
  });
  REQUIRE(run.finished);
  CHECK(run.block.findings().empty());
  CHECK(run.answers[3][0].value == 0xffff);
  CHECK(run.answers[20][0].value == 0xffff0000u);
  CHECK(run.answers[0].back().value == 1u << 7);
}

TEST_CASE("block barriers count lanes that have not ended, and reduce") {
  for (BarrierOp op : {BarrierOp::RedPopc, BarrierOp::RedAnd, BarrierOp::RedOr}) {
    Runner run(100, [op](uint32_t lane) {
      if (lane >= 90)
        return Script{};
      return Script{BarrierRequest{op, lane % 2, 20}, BarrierRequest{op, 1, 21},
                    BarrierRequest{op, 0, 22}};
    });
    REQUIRE(run.finished);
    CHECK(run.block.findings().empty());
    uint64_t expected[3] = {op == BarrierOp::RedPopc ? 45u : op == BarrierOp::RedOr,
                            op == BarrierOp::RedPopc ? 90u : 1u, 0};
    for (uint32_t lane = 0; lane < 90; ++lane)
      for (size_t i = 0; i < 3; ++i)
        CHECK(run.answers[lane][i].value == expected[i]);
  }
}

TEST_CASE("an ending lane completes a barrier and a warp operation that waited for it") {
  Runner run(64, [](uint32_t lane) {
    if (lane == 63)
      return Script{Yield{}, Yield{}};
    if (lane >= 32)
      return Script{ballot(~0u, true), barrier()};
    return Script{barrier()};
  });
  REQUIRE(run.finished);
  CHECK(run.answers[40][0].value == 0x7fffffff);
}

TEST_CASE("schedules permute the order and nothing else") {
  auto script = [](uint32_t lane) { return Script{barrier(), ballot(~0u, lane & 1), barrier()}; };
  Runner forward(64, script), reverse(64, script, {Schedule::Order::Reverse, 0});
  Runner seed(64, script, {Schedule::Order::Seed, 7}),
      again(64, script, {Schedule::Order::Seed, 7});
  Runner other(64, script, {Schedule::Order::Seed, 8});
  for (uint32_t lane = 0; lane < 64; ++lane) {
    CHECK(forward.order[lane] == lane);
    CHECK(forward.order[64 + lane] == lane);
    CHECK(reverse.order[lane] == 63 - lane);
    CHECK(reverse.order[64 + lane] == 63 - lane);
    CHECK(seed.answers[lane][1].value == forward.answers[lane][1].value);
  }
  CHECK(seed.order == again.order);
  CHECK(seed.order != other.order);
  CHECK(seed.order != forward.order);
  for (auto *run : {&forward, &reverse, &seed, &other})
    CHECK(run->finished);
}

TEST_CASE("schedules are parsed whole") {
  CHECK(parseSchedule("forward") == Schedule{});
  CHECK(parseSchedule("reverse") == Schedule{Schedule::Order::Reverse, 0});
  CHECK(parseSchedule("seed:42") == Schedule{Schedule::Order::Seed, 42});
  for (auto text : {"", "seed", "seed:", "seed:x", "seed:1 ", "backward", "seed:-1"})
    CHECK(!parseSchedule(text));
}

TEST_CASE("finding: caller not in mask") {
  Runner run(32, [](uint32_t lane) { return Script{ballot(lane == 5 ? 0xf : ~0u, true)}; });
  REQUIRE(run.block.failed());
  CHECK(run.block.findings()[0].kind == FindingKind::CallerNotInMask);
  CHECK(run.report() == "thread (5,0,0) of block (2,0,0) calls `warp::ballot` with mask 0x0000000f "
                        "at src/lib.rs:10:5, but that mask does not name its own lane 5");
}

TEST_CASE("finding: mask mismatch") {
  Runner run(32, [](uint32_t lane) { return Script{ballot(lane < 16 ? ~0u : 0xfffffff0, true)}; });
  REQUIRE(run.block.failed());
  CHECK(run.block.findings()[0].kind == FindingKind::MaskMismatch);
}

TEST_CASE("finding: mixed operations in a warp and in a barrier") {
  Runner warp(32, [](uint32_t lane) {
    return Script{WarpRequest{lane == 9 ? WarpOp::VoteAll : WarpOp::VoteAny, ~0u, 1, 0, 0, 10}};
  });
  REQUIRE(warp.block.failed());
  CHECK(warp.block.findings()[0].kind == FindingKind::MixedOperation);
  Runner block(32, [](uint32_t lane) {
    return Script{BarrierRequest{lane == 9 ? BarrierOp::RedOr : BarrierOp::Sync, 1, 10}};
  });
  REQUIRE(block.block.failed());
  CHECK(block.block.findings()[0].kind == FindingKind::MixedOperation);
}

TEST_CASE("finding: elect with a lane that has ended, but not after a panic") {
  auto run = [](Script first) {
    return Runner(32, [first](uint32_t lane) {
      return lane == 0 ? first : Script{WarpRequest{WarpOp::Elect, ~0u, 0, 0, 0, 10}};
    });
  };
  Runner returned = run({});
  REQUIRE(returned.block.failed());
  CHECK(returned.block.findings()[0].kind == FindingKind::MaskNamesExitedLane);
  Runner panicked = run({Panic{}});
  CHECK(panicked.finished);
  CHECK(panicked.block.findings().empty());
  CHECK(panicked.answers[4][0].value == 1);
}

TEST_CASE("finding: a lane never arrives") {
  Runner run(34, [](uint32_t lane) {
    return lane < 16 ? Script{ballot(0x1ffff, true, 10)} : Script{barrier(20)};
  });
  CHECK(!run.finished);
  REQUIRE(run.block.findings().size() == 1);
  CHECK(run.block.findings()[0].kind == FindingKind::LaneNeverArrives);
  CHECK(run.report() ==
        "deadlock in block (2,0,0): no thread can go on\n"
        "  threads (0,0,0) to (15,0,0) wait in `warp::ballot` with mask 0x0001ffff at "
        "src/lib.rs:10:5, where lanes 16 of the mask never arrive\n"
        "  threads (16,0,0) to (33,0,0) wait in `thread::sync_threads` at src/lib.rs:20:5");
}

TEST_CASE("finding: meeting from different places is a warning, and the values are right") {
  Runner run(32, [](uint32_t lane) { return Script{ballot(~0u, true, lane < 4 ? 10 : 11)}; });
  CHECK(run.finished);
  REQUIRE(run.block.findings().size() == 1);
  CHECK(run.block.findings()[0].kind == FindingKind::DifferentPlaces);
  CHECK(run.answers[31][0].value == ~0u);
  Runner sync(32, [](uint32_t lane) {
    return Script{WarpRequest{WarpOp::Sync, ~0u, 0, 0, 0, lane < 4 ? 10u : 11u}};
  });
  CHECK(sync.block.findings().empty());
}

TEST_CASE("finding: a divergent block barrier is a warning") {
  Runner run(64, [](uint32_t lane) { return Script{barrier(lane < 32 ? 20 : 21)}; });
  CHECK(run.finished);
  REQUIRE(run.block.findings().size() == 1);
  CHECK(run.block.findings()[0].kind == FindingKind::DivergentBarrier);
}

TEST_CASE("finding: a shuffle from outside the mask gives poison and a warning") {
  Runner run(32, [](uint32_t lane) {
    if (lane >= 16)
      return Script{};
    return Script{WarpRequest{WarpOp::ShuffleXor, 0xffff, lane, 16, 31, 10}};
  });
  CHECK(run.finished);
  REQUIRE(!run.block.findings().empty());
  CHECK(run.block.findings()[0].kind == FindingKind::SourceOutsideMask);
  CHECK(run.answers[3][0].value == kPoison);
  CHECK(run.answers[3][0].predicate == 1);
  CHECK(run.report() ==
        "thread (0,0,0) of block (2,0,0) reads lane 16 in `warp::shuffle_xor` with "
        "mask 0x0000ffff at src/lib.rs:10:5, but that lane takes no part: the value "
        "read is undefined (poison here)");
}

TEST_CASE("random scripts give the same answers under every schedule") {
  Random random{3};
  for (int round = 0; round < 200; ++round) {
    uint32_t threads = 1 + random.below(130);
    uint64_t seed = random.next();
    auto script = [=](uint32_t lane) {
      Random own{seed}; // the same operations for all lanes
      Script steps;
      uint32_t ends = static_cast<uint32_t>(Random{seed ^ (lane * 977)}.next() % 8);
      for (uint32_t i = 0; i < 6 && i < ends; ++i) {
        if (own.below(2)) {
          steps.push_back(BarrierRequest{BarrierOp::RedPopc, lane % 3 == 0, i});
          continue;
        }
        uint32_t split = static_cast<uint32_t>(own.next());
        uint32_t mask = split >> (lane % 32) & 1 ? split : ~split;
        steps.push_back(WarpRequest{WarpOp::MatchAny, mask, lane / (1 + i), 0, 0, i});
      }
      return steps;
    };
    Runner forward(threads, script);
    CHECK(forward.finished);
    for (Schedule s :
         {Schedule{Schedule::Order::Reverse, 0}, Schedule{Schedule::Order::Seed, seed}}) {
      Runner run(threads, script, s);
      REQUIRE(run.finished);
      for (uint32_t lane = 0; lane < threads; ++lane)
        for (size_t i = 0; i < run.answers[lane].size(); ++i)
          REQUIRE(run.answers[lane][i].value == forward.answers[lane][i].value);
    }
  }
}
