// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface between host code that codegen/host generates and runtime/cpu, which maps and calls
// it (DESIGN §2, D15). A kernel's entry is `void k(const void *const *args, BlockContext *block)`:
// `args[i]` points to the i-th parameter's bytes in the order of the parameter table. The code asks
// for collectives, fibers and panics through `block->services`. Tier T0's code has the same form
// and the name `k.t0`: it runs the block's threads one after the other from `block->firstThread`
// on, and then the blocks after it, `block->blocks` in all, keeping `block->blockIdx` up to date;
// it is called again with the next thread where one panicked. Generated code addresses the fields
// by offset: the static_asserts below are the contract.
#pragma once

#include "support/launch_abi.h"

#include <cstddef>
#include <cstdint>

namespace mirgpu::abi {

inline constexpr uint32_t kCpuAbiVersion = 3;

/// What follows a kernel's entry name in the host object: its tier T0 code, if it has any, else the
/// reason as a zero-terminated text. Neither is there where only T3 was asked for.
inline constexpr char kT0Suffix[] = ".t0", kT0WhySuffix[] = ".t0.why";

/// Alignment of a block's shared memory and of its dynamic part: the largest that a kernel can ask
/// for.
inline constexpr uint64_t kSharedAlign = 1024;

struct BlockContext;
struct LaneContext;

/// The body of one thread; generated code makes one for each kernel.
using LaneFunction = void (*)(const void *const *args, LaneContext *lane);

/// Warp-wide operations as the simt core names them; operands as in PTX ISA "shfl.sync",
/// "vote.sync", "match.sync", "redux.sync".
enum class WarpOp : uint32_t {
  ShuffleIdx,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  VoteAll,
  VoteAny,
  VoteUni,
  VoteBallot,
  MatchAny,
  MatchAll,
  ReduxAdd,
  ReduxUMin,
  ReduxUMax,
  ReduxSMin,
  ReduxSMax,
  ReduxAnd,
  ReduxOr,
  ReduxXor,
  Elect,
  Sync,
};

/// What a block barrier gives back to each thread, as in PTX ISA "barrier".
enum class BarrierOp : uint32_t { Sync, RedPopc, RedAnd, RedOr };

struct WarpResult {
  uint64_t value;
  uint32_t predicate;
};

/// The runtime's entry points. `place` indexes the module's place table (0: unknown).
struct HostServices {
  uint32_t version; ///< kCpuAbiVersion
  uint32_t size;    ///< sizeof(HostServices) of the runtime
  /// Tier T3: runs `lane` once for each thread of the block, each on a fiber of its own, and
  /// returns when all have ended.
  void (*runFibers)(BlockContext *block, LaneFunction lane, const void *const *args);
  /// A barrier of the whole block; `predicate` and the result matter for the Red forms alone.
  uint32_t (*blockBarrier)(LaneContext *lane, BarrierOp op, uint32_t predicate, uint32_t place);
  /// A `.sync` operation of the lanes in `mask`. `control` is the `c` operand of shfl.sync (clamp
  /// and segment mask).
  void (*warpCollective)(LaneContext *lane, WarpOp op, uint32_t mask, uint64_t value,
                         uint32_t operand, uint32_t control, uint32_t place, WarpResult *result);
  /// Records a panic with its place and ends the thread; does not return.
  void (*panic)(LaneContext *lane, uint32_t place, uint64_t operand0, uint64_t operand1);
  /// As `panic`, with `location` a `core::panic::Location` {file pointer, file length, line,
  /// column} and a text, both may be null.
  void (*panicDynamic)(LaneContext *lane, uint32_t place, const void *location, const char *text,
                       uint64_t textLength, uint64_t operand0, uint64_t operand1);
  /// A lane that goes round a loop that waits for memory lets the others of its block run first.
  void (*yield)(LaneContext *lane);
};
static_assert(offsetof(HostServices, runFibers) == 8 && offsetof(HostServices, blockBarrier) == 16);
static_assert(offsetof(HostServices, warpCollective) == 24 && offsetof(HostServices, panic) == 32);
static_assert(offsetof(HostServices, panicDynamic) == 40 && offsetof(HostServices, yield) == 48);

/// One block in flight. `shared` is the block's shared memory (static objects first, then the
/// dynamic bytes), poisoned at start.
struct BlockContext {
  const HostServices *services;
  std::byte *shared;
  uint64_t sharedBytes;
  const LaunchContext *launch;
  uint32_t blockIdx[3];
  uint32_t blockDim[3];
  uint32_t gridDim[3];
  uint32_t staticSharedBytes; ///< where dynamic shared memory starts in `shared`
  void *runtime;              ///< the executor's own
  LaneContext *lanes;         ///< one for each thread, in linear order
  uint32_t firstThread;       ///< tier T0: the linear index to begin with
  uint32_t blocks;            ///< tier T0: how many to run from this one on, x innermost
};
static_assert(offsetof(BlockContext, lanes) == 80 && offsetof(BlockContext, firstThread) == 88 &&
              offsetof(BlockContext, blocks) == 92 && sizeof(BlockContext) == 96);
static_assert(offsetof(BlockContext, shared) == 8 && offsetof(BlockContext, launch) == 24);
static_assert(offsetof(BlockContext, blockIdx) == 32 && offsetof(BlockContext, blockDim) == 44);
static_assert(offsetof(BlockContext, gridDim) == 56 &&
              offsetof(BlockContext, staticSharedBytes) == 68);

/// One thread in flight: what the hidden context parameter of every lowered function points to on
/// the host.
struct LaneContext {
  BlockContext *block;
  uint32_t threadIdx[3];
  uint32_t laneId; ///< linear thread index modulo 32
  void *runtime;   ///< the executor's own
};
static_assert(offsetof(LaneContext, threadIdx) == 8 && offsetof(LaneContext, laneId) == 20 &&
              sizeof(LaneContext) == 32);

} // namespace mirgpu::abi
