// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emitters for AMD GPUs. A warp is 32 lanes: the wave itself on wave32 targets, each half of the
// wave on wave64 ones, where lane ids and shuffles stay within the half of the calling lane.
// Extents come from the implicit kernel arguments of code object v5 (LLVM AMDGPU usage, "Code
// Object V5 Metadata": block counts at 0, 4, 8, block sizes at 12, 14, 16, dynamic LDS at 120).
// Every launch is of whole blocks (the entries carry `uniform-work-group-size`), so the remainders
// at 18, 20, 22 are zero and not read.
#include "intrinsics/emitters.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace mirgpu::intrinsics::amdgpu {

static constexpr uint64_t kBlockCountOffset = 0, kBlockSizeOffset = 12, kDynamicSharedOffset = 120;

/// States that the result of `call` lies in [low, high).
static void addRange(CallInst *call, uint32_t low, uint32_t high) {
  unsigned bits = call->getType()->getIntegerBitWidth();
  call->addRangeRetAttr(ConstantRange(APInt(bits, low), APInt(bits, high)));
}

Value *emitThreadIdx(IRBuilder<> &builder, Axis axis) {
  static constexpr Intrinsic::ID ids[] = {Intrinsic::amdgcn_workitem_id_x,
                                          Intrinsic::amdgcn_workitem_id_y,
                                          Intrinsic::amdgcn_workitem_id_z};
  CallInst *id = builder.CreateIntrinsic(ids[static_cast<unsigned>(axis)], ArrayRef<Value *>());
  addRange(id, 0, kMaxBlockThreads);
  return id;
}

Value *emitBlockIdx(IRBuilder<> &builder, Axis axis) {
  static constexpr Intrinsic::ID ids[] = {Intrinsic::amdgcn_workgroup_id_x,
                                          Intrinsic::amdgcn_workgroup_id_y,
                                          Intrinsic::amdgcn_workgroup_id_z};
  return builder.CreateIntrinsic(ids[static_cast<unsigned>(axis)], ArrayRef<Value *>());
}

static LoadInst *loadImplicit(IRBuilder<> &builder, Type *type, uint64_t offset) {
  Value *base = builder.CreateIntrinsic(Intrinsic::amdgcn_implicitarg_ptr, ArrayRef<Value *>());
  Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  LoadInst *load = builder.CreateAlignedLoad(type, address, Align(type->getScalarSizeInBits() / 8));
  MDNode *none = MDNode::get(builder.getContext(), {});
  load->setMetadata(LLVMContext::MD_invariant_load, none);
  load->setMetadata(LLVMContext::MD_noundef, none);
  return load;
}

static Value *emitBlockDim(IRBuilder<> &builder, Axis axis) {
  LoadInst *size = loadImplicit(builder, builder.getInt16Ty(),
                                kBlockSizeOffset + 2 * static_cast<unsigned>(axis));
  size->setMetadata(
      LLVMContext::MD_range,
      MDBuilder(builder.getContext()).createRange(APInt(16, 1), APInt(16, kMaxBlockThreads + 1)));
  return builder.CreateZExt(size, builder.getInt32Ty());
}

static Value *emitGridDim(IRBuilder<> &builder, Axis axis) {
  return loadImplicit(builder, builder.getInt32Ty(),
                      kBlockCountOffset + 4 * static_cast<unsigned>(axis));
}

Value *threadIdxX(EmitContext &cx, CallBase &) { return emitThreadIdx(cx.builder, Axis::X); }
Value *threadIdxY(EmitContext &cx, CallBase &) { return emitThreadIdx(cx.builder, Axis::Y); }
Value *threadIdxZ(EmitContext &cx, CallBase &) { return emitThreadIdx(cx.builder, Axis::Z); }
Value *blockDimX(EmitContext &cx, CallBase &) { return emitBlockDim(cx.builder, Axis::X); }
Value *blockDimY(EmitContext &cx, CallBase &) { return emitBlockDim(cx.builder, Axis::Y); }
Value *blockDimZ(EmitContext &cx, CallBase &) { return emitBlockDim(cx.builder, Axis::Z); }
Value *gridDimX(EmitContext &cx, CallBase &) { return emitGridDim(cx.builder, Axis::X); }
Value *gridDimY(EmitContext &cx, CallBase &) { return emitGridDim(cx.builder, Axis::Y); }
Value *gridDimZ(EmitContext &cx, CallBase &) { return emitGridDim(cx.builder, Axis::Z); }

Value *dynamicSharedSize(EmitContext &cx, CallBase &) {
  IRBuilder<> &b = cx.builder;
  Value *size = loadImplicit(b, b.getInt32Ty(), kDynamicSharedOffset);
  // LLVM tells the loader of this argument only where code names the object. The empty asm does, at
  // the cost of one scalar move.
  Value *object = gpu::dynamicSharedObject(cx.module, Align(16));
  auto *type = FunctionType::get(b.getInt32Ty(), {b.getInt32Ty(), object->getType()}, false);
  return b.CreateCall(InlineAsm::get(type, "", "=s,0,s", /*hasSideEffects=*/false), {size, object});
}

Value *syncThreads(EmitContext &cx, CallBase &) {
  // s_barrier itself waits for no memory.
  SyncScope::ID scope = cx.builder.getContext().getOrInsertSyncScopeID("workgroup");
  cx.builder.CreateFence(AtomicOrdering::Release, scope);
  cx.builder.CreateIntrinsic(Intrinsic::amdgcn_s_barrier, ArrayRef<Value *>());
  cx.builder.CreateFence(AtomicOrdering::Acquire, scope);
  return nullptr;
}

/// Index of the lane within the hardware's wave.
static Value *waveLane(EmitContext &cx) {
  Value *all = cx.builder.getInt32(~0u), *zero = cx.builder.getInt32(0);
  CallInst *lane = cx.builder.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_lo, {}, {all, zero});
  if (cx.target.waveSize == 64)
    lane = cx.builder.CreateIntrinsic(Intrinsic::amdgcn_mbcnt_hi, {}, {all, lane});
  addRange(lane, 0, cx.target.waveSize);
  return lane;
}

/// Index of the lane within its warp of 32.
static Value *warpLane(EmitContext &cx, Value *wave) {
  return cx.target.waveSize == 64 ? cx.builder.CreateAnd(wave, 31) : wave;
}

Value *laneId(EmitContext &cx, CallBase &) { return warpLane(cx, waveLane(cx)); }

/// The value of lane `source` of the calling lane's warp. The source never leaves the half of a
/// wave64, so that the 32-lane form of ds_bpermute that gfx10 and gfx11 have on wave64 would do
/// too. A source that does not take part gives 0; PTX leaves it open.
static Value *permute(EmitContext &cx, Value *wave, Value *source, Value *value) {
  if (cx.target.waveSize == 64)
    source = cx.builder.CreateOr(cx.builder.CreateAnd(wave, 32), source);
  return cx.builder.CreateIntrinsic(Intrinsic::amdgcn_ds_bpermute, {},
                                    {cx.builder.CreateShl(source, 2), value});
}

// PTX ISA "shfl.sync", on lanes 0…31: j is the source lane, and the own lane where j leaves the
// segment. All lanes of the mask are active here: lanes of one wave have no program counters of
// their own, so the mask selects nothing.

Value *shuffle(EmitContext &cx, CallBase &call) {
  IRBuilder<> &b = cx.builder;
  Value *wave = waveLane(cx), *lane = warpLane(cx, wave);
  Value *inSegment = b.CreateSub(call.getArgOperand(3),
                                 b.getInt32(1)); // width - 1, as a mask of the lane's low bits
  Value *base = b.CreateAnd(lane, b.CreateNot(inSegment));
  Value *source = b.CreateOr(base, b.CreateAnd(call.getArgOperand(2), inSegment));
  return permute(cx, wave, source, call.getArgOperand(1));
}

Value *shuffleUp(EmitContext &cx, CallBase &call) {
  IRBuilder<> &b = cx.builder;
  Value *wave = waveLane(cx), *lane = warpLane(cx, wave);
  Value *inSegment = b.CreateSub(call.getArgOperand(3), b.getInt32(1));
  Value *delta = b.CreateAnd(call.getArgOperand(2), 31);
  Value *inRange = b.CreateICmpUGE(b.CreateAnd(lane, inSegment), delta); // lane - base >= delta
  Value *source = b.CreateSelect(inRange, b.CreateSub(lane, delta), lane);
  return permute(cx, wave, source, call.getArgOperand(1));
}

/// `last`: the last lane of the segment.
static Value *lastOfSegment(IRBuilder<> &b, Value *lane, Value *width) {
  return b.CreateOr(lane, b.CreateSub(width, b.getInt32(1)));
}

Value *shuffleDown(EmitContext &cx, CallBase &call) {
  IRBuilder<> &b = cx.builder;
  Value *wave = waveLane(cx), *lane = warpLane(cx, wave);
  Value *from = b.CreateAdd(lane, b.CreateAnd(call.getArgOperand(2), 31));
  Value *inRange = b.CreateICmpULE(from, lastOfSegment(b, lane, call.getArgOperand(3)));
  return permute(cx, wave, b.CreateSelect(inRange, from, lane), call.getArgOperand(1));
}

Value *shuffleXor(EmitContext &cx, CallBase &call) {
  IRBuilder<> &b = cx.builder;
  Value *wave = waveLane(cx), *lane = warpLane(cx, wave);
  Value *from =
      b.CreateXor(lane, b.CreateAnd(call.getArgOperand(2),
                                    31)); // an earlier segment may be read, a later one not
  Value *inRange = b.CreateICmpULE(from, lastOfSegment(b, lane, call.getArgOperand(3)));
  return permute(cx, wave, b.CreateSelect(inRange, from, lane), call.getArgOperand(1));
}

} // namespace mirgpu::intrinsics::amdgpu
