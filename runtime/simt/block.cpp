// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes meet in groups keyed by (warp, operation, mask); a group is complete when every lane of its
// mask that has not ended is in it, so an ending lane may complete groups and the barrier. Two
// lanes that name each other from different groups can never meet: that is reported at once; any
// other wait without end shows when no lane is runnable.
#include "runtime/simt/block.h"

#include "support/check.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace mirgpu::simt {

using abi::BarrierOp;
using abi::WarpOp;

/// Findings kept of one block; further warnings add nothing.
static constexpr size_t kMaxFindings = 16;

bool isError(FindingKind kind) {
  switch (kind) {
  case FindingKind::CallerNotInMask:
  case FindingKind::MaskMismatch:
  case FindingKind::MixedOperation:
  case FindingKind::MaskNamesExitedLane:
  case FindingKind::LaneNeverArrives:
    return true;
  case FindingKind::DifferentPlaces:
  case FindingKind::DivergentBarrier:
  case FindingKind::SourceOutsideMask:
    return false;
  }
  return true;
}

std::optional<Schedule> parseSchedule(std::string_view text) {
  if (text == "forward")
    return Schedule{};
  if (text == "reverse")
    return Schedule{Schedule::Order::Reverse, 0};
  constexpr std::string_view prefix = "seed:";
  if (!text.starts_with(prefix))
    return std::nullopt;
  text.remove_prefix(prefix.size());
  uint64_t seed = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    return std::nullopt;
  return Schedule{Schedule::Order::Seed, seed};
}

static uint32_t bitOf(uint32_t lane) { return 1u << (lane % kWarpSize); }

void Block::reset(uint32_t threads, Schedule schedule, uint64_t blockIndex) {
  MIRGPU_CHECK(threads > 0 && threads <= kMaxThreads, "a block of 1 to 1024 threads");
  threads_ = live_ = threads;
  inBarrier_ = 0;
  failed_ = false;
  schedule_ = schedule;
  random_.state = schedule.seed ^ (blockIndex * 0xd1342543de82ef95ull);
  lanes_.resize(threads);
  for (Lane &lane : lanes_)
    lane.state = LaneState::Runnable;
  warps_.resize((threads + kWarpSize - 1) / kWarpSize);
  for (uint32_t w = 0; w < warps_.size(); ++w) {
    uint32_t count = std::min(kWarpSize, threads - w * kWarpSize);
    warps_[w].live = count == kWarpSize ? ~0u : (1u << count) - 1;
    warps_[w].panicked = 0;
    warps_[w].groups.clear();
  }
  findings_.clear();
  ready_.resize(threads);
  readyBegin_ = readyEnd_ = readyCount_ = 0;
  scratch_.clear();
  for (uint32_t lane = 0; lane < threads; ++lane)
    scratch_.push_back(lane);
  order(scratch_);
  for (uint32_t lane : scratch_)
    makeReady(lane);
}

/// Puts lanes, given in ascending order, into the order in which they run.
void Block::order(std::span<uint32_t> lanes) {
  switch (schedule_.order) {
  case Schedule::Order::Forward:
    break;
  case Schedule::Order::Reverse:
    std::ranges::reverse(lanes);
    break;
  case Schedule::Order::Seed:
    for (auto i = static_cast<uint32_t>(lanes.size()); i > 1; --i)
      std::swap(lanes[i - 1], lanes[random_.below(i)]);
    break;
  }
}

std::optional<uint32_t> Block::next() {
  if (failed_ || readyCount_ == 0)
    return std::nullopt;
  uint32_t lane = ready_[readyBegin_];
  readyBegin_ = readyBegin_ + 1 == ready_.size() ? 0 : readyBegin_ + 1;
  --readyCount_;
  return lane;
}

Block::Group &Block::join(Warp &warp, uint32_t bit, const WarpRequest &request) {
  for (Group &group : warp.groups)
    if (group.op == request.op && group.mask == request.mask) {
      group.arrived |= bit;
      return group;
    }
  return warp.groups.emplace_back(Group{request.op, request.mask, bit});
}

void Block::arrive(uint32_t lane, const WarpRequest &request) {
  uint32_t warpIndex = lane / kWarpSize;
  Warp &warp = warps_[warpIndex];
  lanes_[lane].state = LaneState::InWarpOp;
  lanes_[lane].warp = request;
  if (!(request.mask & bitOf(lane)))
    return addFinding({FindingKind::CallerNotInMask, {describe(lane)}});
  Group &group = join(warp, bitOf(lane), request);
  if (warp.groups.size() > 1 && findConflict(lane, warp, group))
    return;
  if (group.arrived == (group.mask & warp.live))
    completeGroups(warpIndex);
}

/// Reports a lane of another group that `lane` waits for and that waits for `lane`.
bool Block::findConflict(uint32_t lane, const Warp &warp, const Group &own) {
  for (const Group &other : warp.groups) {
    uint32_t awaited = other.arrived & own.mask;
    if (&other == &own || !(other.mask & bitOf(lane)) || awaited == 0)
      continue;
    uint32_t peer = lane / kWarpSize * kWarpSize + std::countr_zero(awaited);
    auto kind = other.mask == own.mask ? FindingKind::MixedOperation : FindingKind::MaskMismatch;
    addFinding({kind, {describe(lane), describe(peer)}});
    return true;
  }
  return false;
}

/// Releases every group of the warp that is complete.
void Block::completeGroups(uint32_t warpIndex) {
  Warp &warp = warps_[warpIndex];
  for (size_t i = 0; i < warp.groups.size() && !failed_;) {
    Group group = warp.groups[i];
    if (group.arrived != (group.mask & warp.live)) {
      ++i;
      continue;
    }
    warp.groups.erase(warp.groups.begin() + static_cast<ptrdiff_t>(i));
    release(warpIndex, group);
  }
}

void Block::release(uint32_t warpIndex, const Group &group) {
  uint32_t base = warpIndex * kWarpSize;
  const Warp &warp = warps_[warpIndex];
  scratch_.clear();
  WarpInputs in;
  for (uint32_t rest = group.arrived; rest; rest &= rest - 1) {
    auto i = static_cast<uint32_t>(std::countr_zero(rest));
    const WarpRequest &request = lanes_[base + i].warp;
    in.value[i] = request.value;
    in.operand[i] = request.operand;
    in.control[i] = request.control;
    scratch_.push_back(base + i);
  }
  if (group.op == WarpOp::Elect && (group.mask & ~warp.live & ~warp.panicked) != 0)
    return addFinding({FindingKind::MaskNamesExitedLane, {describe(scratch_.front())}});
  reportPlaces(warpIndex, group);
  WarpAnswers answers = evaluate(group.op, group.arrived, in);
  for (uint32_t rest = answers.poisoned; rest; rest &= rest - 1)
    reportPoison(warpIndex, base + static_cast<uint32_t>(std::countr_zero(rest)));
  order(scratch_);
  for (uint32_t lane : scratch_) {
    lanes_[lane].answer = answers.lane[lane % kWarpSize];
    lanes_[lane].state = LaneState::Runnable;
    makeReady(lane);
  }
}

/// The CUDA guide wants one place for shuffles, votes, match and redux; PTX does not.
void Block::reportPlaces(uint32_t warpIndex, const Group &group) {
  if (group.op == WarpOp::Sync || group.op == WarpOp::Elect)
    return;
  uint32_t base = warpIndex * kWarpSize;
  uint32_t first = base + static_cast<uint32_t>(std::countr_zero(group.arrived));
  for (uint32_t rest = group.arrived; rest; rest &= rest - 1) {
    uint32_t lane = base + static_cast<uint32_t>(std::countr_zero(rest));
    if (lanes_[lane].warp.place != lanes_[first].warp.place)
      return addFinding({FindingKind::DifferentPlaces, {describe(first), describe(lane)}});
  }
}

void Block::reportPoison(uint32_t warpIndex, uint32_t lane) {
  const WarpRequest &request = lanes_[lane].warp;
  ShuffleSource from =
      shuffleSource(request.op, lane % kWarpSize, request.operand, request.control);
  // The rule of the semantics' last line: a panic is its own report.
  if (warps_[warpIndex].panicked >> from.lane & 1)
    return;
  addFinding({FindingKind::SourceOutsideMask, {describe(lane)}, from.lane});
}

void Block::arrive(uint32_t lane, const BarrierRequest &request) {
  lanes_[lane].state = LaneState::InBarrier;
  lanes_[lane].barrier = request;
  ++inBarrier_;
  if (inBarrier_ == live_)
    completeBarrier();
}

/// Called when every live lane is in the barrier, and there is one.
void Block::completeBarrier() {
  scratch_.clear();
  uint64_t set = 0;
  for (uint32_t lane = 0; lane < threads_; ++lane) {
    if (lanes_[lane].state != LaneState::InBarrier)
      continue;
    scratch_.push_back(lane);
    set += lanes_[lane].barrier.predicate != 0;
  }
  uint32_t first = scratch_.front(), elsewhere = first;
  for (uint32_t lane : scratch_) {
    if (lanes_[lane].barrier.op != lanes_[first].barrier.op)
      return addFinding({FindingKind::MixedOperation, {describe(lane), describe(first)}});
    if (lanes_[lane].barrier.place != lanes_[first].barrier.place && elsewhere == first)
      elsewhere = lane;
  }
  if (elsewhere != first)
    addFinding({FindingKind::DivergentBarrier, {describe(first), describe(elsewhere)}});
  uint64_t answer = 0;
  switch (lanes_[first].barrier.op) {
  case BarrierOp::Sync:
    break;
  case BarrierOp::RedPopc:
    answer = set;
    break;
  case BarrierOp::RedAnd:
    answer = set == scratch_.size();
    break;
  case BarrierOp::RedOr:
    answer = set != 0;
    break;
  }
  inBarrier_ = 0;
  order(scratch_);
  for (uint32_t lane : scratch_) {
    lanes_[lane].answer = {answer, answer != 0};
    lanes_[lane].state = LaneState::Runnable;
    makeReady(lane);
  }
}

void Block::exit(uint32_t lane, ExitKind kind) {
  uint32_t warpIndex = lane / kWarpSize;
  lanes_[lane].state = LaneState::Exited;
  Warp &warp = warps_[warpIndex];
  warp.live &= ~bitOf(lane);
  if (kind == ExitKind::Panicked)
    warp.panicked |= bitOf(lane);
  --live_;
  if (!warp.groups.empty())
    completeGroups(warpIndex);
  if (!failed_ && inBarrier_ != 0 && inBarrier_ == live_)
    completeBarrier();
}

bool Block::checkFinished() {
  if (live_ == 0)
    return true;
  if (failed_)
    return false;
  Finding finding{FindingKind::LaneNeverArrives, {}};
  for (uint32_t lane = 0; lane < threads_; ++lane)
    if (lanes_[lane].state != LaneState::Exited)
      finding.lanes.push_back(describe(lane));
  addFinding(std::move(finding));
  return false;
}

Waiting Block::describe(uint32_t lane) const {
  const Lane &l = lanes_[lane];
  bool inWarp = l.state == LaneState::InWarpOp;
  return {lane,
          l.state,
          inWarp ? l.warp.op : WarpOp::Sync,
          inWarp ? BarrierOp::Sync : l.barrier.op,
          inWarp ? l.warp.mask : 0,
          inWarp ? l.warp.place : l.barrier.place};
}

/// Keeps an error always, a warning once for each kind and pair of places.
void Block::addFinding(Finding finding) {
  if (isError(finding.kind)) {
    failed_ = true;
  } else {
    if (findings_.size() >= kMaxFindings)
      return;
    auto same = [&](const Finding &f) {
      return f.kind == finding.kind && f.lanes.front().place == finding.lanes.front().place &&
             f.lanes.back().place == finding.lanes.back().place;
    };
    if (std::ranges::any_of(findings_, same))
      return;
  }
  findings_.push_back(std::move(finding));
}

} // namespace mirgpu::simt
