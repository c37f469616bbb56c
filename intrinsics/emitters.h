// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emitters that rows name, by back end. Each maps one `mirgpu.<id>` call, at which the
// context's builder stands, to code of its target and returns what replaces the call's result (null
// for Void); it leaves the call in place. Several of them serve codegen/ too, which needs thread
// and block indices for panic records.
#pragma once

#include "intrinsics/intrinsics.h"

namespace mirgpu::intrinsics {

/// An axis of a thread, block or grid.
enum class Axis : uint8_t { X, Y, Z };

/// Bounds that every launch keeps: threads of a block in all, hence along one axis.
inline constexpr uint32_t kMaxBlockThreads = 1024;

/// The `c` operand of shfl.sync for segments of `width` lanes: ((32 - width) << 8) | (up ? 0 : 31).
llvm::Value *shuffleControl(llvm::IRBuilder<> &builder, llvm::Value *width, bool up);

/// What NVPTX and AMDGPU do alike.
namespace gpu {
/// The object without a size that stands for the launch's dynamic shared memory; its alignment is
/// the strictest that a use asks for.
llvm::GlobalVariable *dynamicSharedObject(llvm::Module &, llvm::Align);
llvm::Value *dynamicSharedBase(EmitContext &, llvm::CallBase &);
} // namespace gpu

namespace nvptx {
llvm::Value *syncThreads(EmitContext &, llvm::CallBase &);
llvm::Value *shuffle(EmitContext &, llvm::CallBase &);
llvm::Value *shuffleUp(EmitContext &, llvm::CallBase &);
llvm::Value *shuffleDown(EmitContext &, llvm::CallBase &);
llvm::Value *shuffleXor(EmitContext &, llvm::CallBase &);
} // namespace nvptx

namespace amdgpu {
llvm::Value *threadIdxX(EmitContext &, llvm::CallBase &);
llvm::Value *threadIdxY(EmitContext &, llvm::CallBase &);
llvm::Value *threadIdxZ(EmitContext &, llvm::CallBase &);
llvm::Value *blockDimX(EmitContext &, llvm::CallBase &);
llvm::Value *blockDimY(EmitContext &, llvm::CallBase &);
llvm::Value *blockDimZ(EmitContext &, llvm::CallBase &);
llvm::Value *gridDimX(EmitContext &, llvm::CallBase &);
llvm::Value *gridDimY(EmitContext &, llvm::CallBase &);
llvm::Value *gridDimZ(EmitContext &, llvm::CallBase &);
llvm::Value *syncThreads(EmitContext &, llvm::CallBase &);
llvm::Value *laneId(EmitContext &, llvm::CallBase &);
llvm::Value *shuffle(EmitContext &, llvm::CallBase &);
llvm::Value *shuffleUp(EmitContext &, llvm::CallBase &);
llvm::Value *shuffleDown(EmitContext &, llvm::CallBase &);
llvm::Value *shuffleXor(EmitContext &, llvm::CallBase &);
llvm::Value *dynamicSharedSize(EmitContext &, llvm::CallBase &);

llvm::Value *emitThreadIdx(llvm::IRBuilder<> &, Axis);
llvm::Value *emitBlockIdx(llvm::IRBuilder<> &, Axis);
} // namespace amdgpu

namespace host {
llvm::Value *threadIdxX(EmitContext &, llvm::CallBase &);
llvm::Value *threadIdxY(EmitContext &, llvm::CallBase &);
llvm::Value *threadIdxZ(EmitContext &, llvm::CallBase &);
llvm::Value *blockIdxX(EmitContext &, llvm::CallBase &);
llvm::Value *blockIdxY(EmitContext &, llvm::CallBase &);
llvm::Value *blockIdxZ(EmitContext &, llvm::CallBase &);
llvm::Value *blockDimX(EmitContext &, llvm::CallBase &);
llvm::Value *blockDimY(EmitContext &, llvm::CallBase &);
llvm::Value *blockDimZ(EmitContext &, llvm::CallBase &);
llvm::Value *gridDimX(EmitContext &, llvm::CallBase &);
llvm::Value *gridDimY(EmitContext &, llvm::CallBase &);
llvm::Value *gridDimZ(EmitContext &, llvm::CallBase &);
llvm::Value *syncThreads(EmitContext &, llvm::CallBase &);
llvm::Value *laneId(EmitContext &, llvm::CallBase &);
llvm::Value *shuffle(EmitContext &, llvm::CallBase &);
llvm::Value *shuffleUp(EmitContext &, llvm::CallBase &);
llvm::Value *shuffleDown(EmitContext &, llvm::CallBase &);
llvm::Value *shuffleXor(EmitContext &, llvm::CallBase &);
llvm::Value *dynamicSharedBase(EmitContext &, llvm::CallBase &);
llvm::Value *dynamicSharedSize(EmitContext &, llvm::CallBase &);

/// The BlockContext of the LaneContext `lane`.
llvm::Value *emitBlock(llvm::IRBuilder<> &, llvm::Value *lane);
/// The entry point at byte `offset` of the HostServices of `block`.
llvm::Value *emitService(llvm::IRBuilder<> &, llvm::Value *block, uint64_t offset);
/// A field of a context that does not change while the lane runs.
llvm::Value *emitField(llvm::IRBuilder<> &, llvm::Type *, llvm::Value *base, uint64_t offset);
} // namespace host

} // namespace mirgpu::intrinsics
