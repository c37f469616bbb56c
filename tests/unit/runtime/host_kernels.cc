// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for tests of the CPU device, written by hand against support/cpu_abi.h as codegen/host
// would generate them: an entry that asks for fibers, a lane function that calls services. Built as
// a shared object of its own, which the tests put into a `.mgpu`.
#include "support/cpu_abi.h"

#include <cstdint>

using namespace mirgpu::abi;

#define KERNEL(name)                                                                               \
  static void name##Lane(const void *const *args, LaneContext *lane);                              \
  extern "C" __attribute__((visibility("default"))) void name(const void *const *args,             \
                                                              BlockContext *block) {               \
    block->services->runFibers(block, name##Lane, args);                                           \
  }                                                                                                \
  static void name##Lane([[maybe_unused]] const void *const *args,                                 \
                         [[maybe_unused]] LaneContext *lane)

namespace {
template <class T> struct Slice {
  T *data;
  uint64_t length;
};
template <class T> const T &arg(const void *const *args, int i) {
  return *static_cast<const T *>(args[i]);
}
template <class T> Slice<T> slice(const void *const *args, int i) { return arg<Slice<T>>(args, i); }

uint64_t globalIndex(const LaneContext *lane) {
  const BlockContext *b = lane->block;
  return uint64_t(b->blockIdx[0]) * b->blockDim[0] + lane->threadIdx[0];
}
uint32_t linear(const LaneContext *lane) {
  const uint32_t *dim = lane->block->blockDim, *t = lane->threadIdx;
  return t[0] + dim[0] * (t[1] + dim[1] * t[2]);
}
void sync(LaneContext *lane, uint32_t place) {
  lane->block->services->blockBarrier(lane, BarrierOp::Sync, 0, place);
}
uint64_t warp(LaneContext *lane, WarpOp op, uint32_t mask, uint64_t value, uint32_t operand,
              uint32_t place) {
  WarpResult result;
  lane->block->services->warpCollective(lane, op, mask, value, operand, 31, place, &result);
  return result.value;
}
float bitsToFloat(uint64_t bits) { return __builtin_bit_cast(float, static_cast<uint32_t>(bits)); }
uint32_t floatToBits(float f) { return __builtin_bit_cast(uint32_t, f); }
} // namespace

// Places as launch_test.cpp writes them: 1 bounds check, 2 static panic, 3 and 4 collectives.

KERNEL(saxpy) {
  auto x = slice<const float>(args, 1), y = slice<const float>(args, 2);
  uint64_t i = globalIndex(lane);
  if (i >= y.length)
    return;
  if (i >= x.length)
    lane->block->services->panic(lane, 1, i, x.length);
  const_cast<float *>(y.data)[i] += arg<float>(args, 0) * x.data[i];
}

static void stepBlock(BlockContext *block) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (++block->blockIdx[axis] < block->gridDim[axis])
      return;
    block->blockIdx[axis] = 0;
  }
}

/// Tier T0: a plain loop over the threads of some blocks, without fibers.
extern "C" __attribute__((visibility("default"))) void saxpy_t0(const void *const *args,
                                                                BlockContext *block) {
  auto x = slice<const float>(args, 1);
  auto y = slice<float>(args, 2);
  float a = arg<float>(args, 0);
  for (uint32_t left = block->blocks; left != 0; --left) {
    for (uint32_t t = 0; t < block->blockDim[0]; ++t) {
      uint64_t i = uint64_t(block->blockIdx[0]) * block->blockDim[0] + t;
      if (i >= y.length)
        continue;
      if (i >= x.length) {
        LaneContext lane{block, {t, 0, 0}, t % 32, nullptr};
        block->services->panic(&lane, 1, i, x.length);
      }
      y.data[i] += a * x.data[i];
    }
    if (left != 1)
      stepBlock(block);
  }
}

KERNEL(block_sum) {
  auto x = slice<const float>(args, 0);
  auto out = slice<float>(args, 1);
  auto *partial = reinterpret_cast<float *>(lane->block->shared);
  uint64_t i = globalIndex(lane);
  float v = i < x.length ? x.data[i] : 0.0f;
  for (uint32_t d = 16; d > 0; d /= 2)
    v += bitsToFloat(warp(lane, WarpOp::ShuffleDown, ~0u, floatToBits(v), d, 3));
  if (lane->laneId == 0)
    partial[lane->threadIdx[0] / 32] = v;
  sync(lane, 4);
  if (lane->threadIdx[0] != 0)
    return;
  float sum = 0;
  for (uint32_t w = 0; w < lane->block->blockDim[0] / 32; ++w)
    sum += partial[w];
  out.data[lane->block->blockIdx[0]] = sum;
}

KERNEL(panics) { // threads whose index is a multiple of `every` and at least `from`
  uint64_t i = globalIndex(lane);
  if (i >= arg<uint32_t>(args, 1) && i % arg<uint32_t>(args, 0) == 0)
    lane->block->services->panic(lane, 2, 0, 0);
  sync(lane, 4); // the others still meet
}

KERNEL(panics_dynamic) {
  struct {
    const char *file;
    uint64_t length;
    uint32_t line, column;
  } location = {"src/other.rs", 12, 3, 4};
  if (linear(lane) == 1)
    lane->block->services->panicDynamic(lane, 0, &location, "called `unwrap` on `None`", 25, 0, 0);
}

KERNEL(deadlock) {
  if (lane->laneId < 16)
    warp(lane, WarpOp::ShuffleXor, ~0u, 1, 1, 3);
  sync(lane, 4);
}

KERNEL(wrong_mask) { warp(lane, WarpOp::VoteBallot, 1, 1, 0, 3); }

KERNEL(two_places) {
  uint32_t place = lane->laneId < 8 ? 3 : 4;
  slice<uint32_t>(args, 0).data[lane->laneId] =
      static_cast<uint32_t>(warp(lane, WarpOp::VoteBallot, ~0u, lane->laneId & 1, 0, place));
}

static uint64_t recurse(LaneContext *lane, uint64_t depth) {
  volatile char frame[512];
  frame[depth % 512] = static_cast<char>(depth);
  if (depth == 0)
    return frame[0];
  return recurse(lane, depth - 1) + static_cast<uint64_t>(frame[depth % 512]) + 1;
}
KERNEL(recursion) { // `depth` frames of 512 bytes in thread `thread`
  sync(lane, 4);
  if (linear(lane) == arg<uint32_t>(args, 0))
    slice<uint64_t>(args, 2).data[0] = recurse(lane, arg<uint32_t>(args, 1));
  sync(lane, 4);
}
static uint64_t recurseWithBarrier(LaneContext *lane, uint64_t depth) {
  volatile char frame[64];
  frame[depth % 64] = 1;
  sync(lane, 4);
  if (depth == UINT64_MAX)
    return 0;
  return recurseWithBarrier(lane, depth + 1) + static_cast<uint64_t>(frame[depth % 64]);
}
KERNEL(recursion_with_barrier) { slice<uint64_t>(args, 0).data[0] = recurseWithBarrier(lane, 0); }

KERNEL(order) { // the threads in the order in which they ran, before and after a barrier
  auto out = slice<uint32_t>(args, 0);
  auto *count = reinterpret_cast<uint32_t *>(lane->block->shared);
  if (*count == 0xcbcbcbcb) // poisoned at block start
    *count = 0;
  out.data[(*count)++] = linear(lane);
  sync(lane, 4);
  out.data[(*count)++] = linear(lane);
}

KERNEL(count_threads) { // 3-D: every thread of every block once
  const BlockContext *b = lane->block;
  auto out = slice<uint32_t>(args, 0);
  uint64_t block =
      b->blockIdx[0] + b->gridDim[0] * (b->blockIdx[1] + uint64_t(b->gridDim[1]) * b->blockIdx[2]);
  uint64_t threads = uint64_t(b->blockDim[0]) * b->blockDim[1] * b->blockDim[2];
  out.data[block * threads + linear(lane)] += 1 + (lane->laneId != linear(lane) % 32);
}

struct Pair {
  uint8_t tag;
  uint64_t value;
};
KERNEL(values) {
  auto out = slice<uint64_t>(args, 3);
  const auto &pair = arg<Pair>(args, 1);
  if (linear(lane) != 0)
    return;
  out.data[0] = arg<bool>(args, 0);
  out.data[1] = pair.tag + pair.value;
  out.data[2] = static_cast<uint64_t>(arg<unsigned __int128>(args, 2) >> 64);
  out.data[3] = reinterpret_cast<uint64_t>(args[2]) % 16;
  auto *context = reinterpret_cast<const LaunchContext *>(arg<uint64_t>(args, 4));
  out.data[4] = context == lane->block->launch && context->launchId != 0;
  out.data[5] = lane->block->sharedBytes;
  out.data[6] = lane->block->staticSharedBytes;
}

// Statics as codegen/host leaves them: symbols of the object.
#define STATIC extern "C" __attribute__((visibility("default")))
STATIC uint64_t tests_TOTAL;
STATIC float tests_COEFFS[4];
STATIC uint8_t tests_FLAG;
STATIC uint32_t tests_a_TWICE, tests_b_TWICE;
uint64_t tests_TOTAL = 5;
float tests_COEFFS[4] = {1, 2, 3, 4};
uint8_t tests_FLAG = 1;
uint32_t tests_a_TWICE = 1, tests_b_TWICE = 2;

KERNEL(add_to_total) {
  __atomic_fetch_add(&tests_TOTAL, 1, __ATOMIC_RELAXED);
  if (globalIndex(lane) < 4)
    slice<float>(args, 0).data[globalIndex(lane)] = tests_COEFFS[globalIndex(lane)];
}

KERNEL(wait_for_lower_block) { // a chain over blocks: deadlocks unless blocks start in order
  auto done = slice<uint32_t>(args, 0);
  uint32_t b = lane->block->blockIdx[0];
  if (linear(lane) != 0)
    return;
  while (b > 0 && __atomic_load_n(&done.data[b - 1], __ATOMIC_ACQUIRE) == 0) {
  }
  __atomic_store_n(&done.data[b], 1 + (b ? done.data[b - 1] : 0), __ATOMIC_RELEASE);
}

KERNEL(shuffle_storm) { // many rendezvous of partial masks
  auto out = slice<uint32_t>(args, 0);
  uint32_t half = lane->laneId < 16 ? 0xffffu : 0xffff0000u, v = linear(lane) + 1;
  for (uint32_t round = 0; round < 50; ++round) {
    v += static_cast<uint32_t>(warp(lane, WarpOp::ShuffleXor, half, v, 1 + round % 15, 3));
    if (round % 10 == 9)
      sync(lane, 4);
  }
  out.data[globalIndex(lane)] = v;
}
