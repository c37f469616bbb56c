// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words for findings. Threads that wait in the same operation at the same place share a line, with
// runs of thread indices shortened, so that a deadlock of 1024 threads stays readable.
#include "runtime/simt/report.h"

#include <bit>
#include <cstdio>

namespace mirgpu::simt {

std::string tuple(const std::array<uint32_t, 3> &v) {
  return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
}

std::array<uint32_t, 3> threadIndex(uint32_t linear, const std::array<uint32_t, 3> &dim) {
  uint32_t row = linear / dim[0];
  return {linear % dim[0], row % dim[1], row / dim[1]};
}

static std::string hex(uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

static const char *barrierName(abi::BarrierOp op) {
  switch (op) {
  case abi::BarrierOp::Sync:
    return "thread::sync_threads";
  case abi::BarrierOp::RedPopc:
    return "thread::sync_threads_count";
  case abi::BarrierOp::RedAnd:
    return "thread::sync_threads_and";
  case abi::BarrierOp::RedOr:
    return "thread::sync_threads_or";
  }
  return "a block barrier";
}

/// Bits of a lane mask as `0-3, 7`.
static std::string laneList(uint32_t mask) {
  std::string out;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    uint32_t last = lane;
    while (last + 1 < kWarpSize && (mask >> (last + 1) & 1))
      ++last;
    out += (out.empty() ? "" : ", ") + std::to_string(lane);
    if (last > lane)
      out += "-" + std::to_string(last);
    lane = last;
  }
  return out;
}

static std::string at(uint32_t place, const BlockPlace &block) {
  std::string where = block.place ? block.place(place) : std::string();
  return where.empty() ? "an unknown place" : where;
}

static std::string thread(const Waiting &w, const BlockPlace &block) {
  return "thread " + tuple(threadIndex(w.linear, block.dim));
}

/// `` `warp::ballot` with mask 0x0000000f at src/lib.rs:10:5 ``
static std::string operation(const Waiting &w, const BlockPlace &block) {
  if (w.state == LaneState::InBarrier)
    return std::string("`") + barrierName(w.barrier) + "` at " + at(w.place, block);
  return std::string("`") + opName(w.op) + "` with mask " + hex(w.mask) + " at " +
         at(w.place, block);
}

static bool sameWait(const Waiting &a, const Waiting &b) {
  if (a.state != b.state || a.place != b.place)
    return false;
  if (a.state == LaneState::InBarrier)
    return a.barrier == b.barrier;
  return a.op == b.op && a.mask == b.mask && a.linear / kWarpSize == b.linear / kWarpSize;
}

/// Lanes of the mask that have not ended and wait elsewhere.
static uint32_t missing(const Waiting &w, const std::vector<Waiting> &live) {
  uint32_t elsewhere = 0;
  for (const Waiting &other : live)
    if (other.linear / kWarpSize == w.linear / kWarpSize &&
        (other.state != LaneState::InWarpOp || other.op != w.op || other.mask != w.mask))
      elsewhere |= 1u << (other.linear % kWarpSize);
  return elsewhere & w.mask;
}

static std::string threadList(const std::vector<uint32_t> &linear, const BlockPlace &block) {
  std::string out = linear.size() == 1 ? "thread " : "threads ";
  for (size_t i = 0; i < linear.size();) {
    size_t last = i;
    while (last + 1 < linear.size() && linear[last + 1] == linear[last] + 1)
      ++last;
    out += (i == 0 ? "" : ", ") + tuple(threadIndex(linear[i], block.dim));
    if (last > i)
      out += (last == i + 1 ? ", " : " to ") + tuple(threadIndex(linear[last], block.dim));
    i = last + 1;
  }
  return out;
}

static std::string deadlock(const Finding &finding, const BlockPlace &block) {
  std::string out = "deadlock in block " + tuple(block.index) + ": no thread can go on";
  std::vector<bool> told(finding.lanes.size());
  for (size_t i = 0; i < finding.lanes.size(); ++i) {
    if (told[i])
      continue;
    const Waiting &w = finding.lanes[i];
    std::vector<uint32_t> threads;
    for (size_t j = i; j < finding.lanes.size(); ++j)
      if (!told[j] && sameWait(w, finding.lanes[j])) {
        told[j] = true;
        threads.push_back(finding.lanes[j].linear);
      }
    out += "\n  " + threadList(threads, block) + (threads.size() == 1 ? " waits" : " wait") +
           " in " + operation(w, block);
    if (w.state == LaneState::InWarpOp)
      out += ", where lanes " + laneList(missing(w, finding.lanes)) + " of the mask never arrive";
  }
  return out;
}

static std::string pair(const char *what, const Finding &finding, const BlockPlace &block,
                        const char *why) {
  return std::string(what) + " in block " + tuple(block.index) + ": " +
         thread(finding.lanes.front(), block) + " is in " +
         operation(finding.lanes.front(), block) + ", " + thread(finding.lanes.back(), block) +
         " in " + operation(finding.lanes.back(), block) + why;
}

std::string describe(const Finding &finding, const BlockPlace &block) {
  const Waiting &first = finding.lanes.front();
  std::string lane = std::to_string(first.linear % kWarpSize);
  std::string who = thread(first, block) + " of block " + tuple(block.index);
  switch (finding.kind) {
  case FindingKind::CallerNotInMask:
    return who + " calls " + operation(first, block) +
           ", but that mask does not name its own lane " + lane;
  case FindingKind::MaskMismatch:
    return pair("mask mismatch", finding, block,
                "; each mask names the other lane, so neither can go on");
  case FindingKind::MixedOperation:
    return pair("mixed operations", finding, block,
                "; each waits for the other to arrive where it is");
  case FindingKind::MaskNamesExitedLane:
    return who + " calls " + operation(first, block) +
           ", but a lane that the mask names has ended, so no leader is defined";
  case FindingKind::LaneNeverArrives:
    return deadlock(finding, block);
  case FindingKind::DifferentPlaces:
    return pair("meeting from different places", finding, block,
                "; they met, but the CUDA guide wants one place");
  case FindingKind::DivergentBarrier:
    return pair("divergent barrier", finding, block,
                "; they met, but not every target lets threads meet from different places");
  case FindingKind::SourceOutsideMask:
    return who + " reads lane " + std::to_string(finding.source) + " in " +
           operation(first, block) +
           ", but that lane takes no part: the value read is undefined (poison here)";
  }
  return "unknown finding";
}

} // namespace mirgpu::simt
