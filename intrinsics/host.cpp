// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emitters for the CPU (support/cpu_abi.h): indices are loads from the LaneContext and
// BlockContext, which do not change while a lane runs; collectives are calls through the block's
// HostServices with the place of the call. Such a call reaches unknown code, so memory is
// clobbered, and is convergent and noduplicate, so that LLVM neither clones it nor makes it depend
// on more conditions.
#include "intrinsics/emitters.h"

#include "support/cpu_abi.h"

#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace mirgpu::intrinsics::host {

using abi::BlockContext;
using abi::HostServices;
using abi::LaneContext;

Value *emitField(IRBuilder<> &builder, Type *type, Value *base, uint64_t offset) {
  Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  uint64_t align = type->isPointerTy() ? alignof(void *) : type->getScalarSizeInBits() / 8;
  LoadInst *load = builder.CreateAlignedLoad(type, address, Align(align));
  MDNode *none = MDNode::get(builder.getContext(), {});
  load->setMetadata(LLVMContext::MD_invariant_load, none);
  load->setMetadata(LLVMContext::MD_noundef, none);
  return load;
}

Value *emitBlock(IRBuilder<> &builder, Value *lane) {
  return emitField(builder, builder.getPtrTy(), lane, offsetof(LaneContext, block));
}

Value *emitService(IRBuilder<> &builder, Value *block, uint64_t offset) {
  Value *services = emitField(builder, builder.getPtrTy(), block, offsetof(BlockContext, services));
  return emitField(builder, builder.getPtrTy(), services, offset);
}

/// A u32 of the contexts that is known to lie in [low, high); high 0: no bound.
static Value *emitIndex(IRBuilder<> &builder, Value *base, uint64_t offset, uint32_t low,
                        uint32_t high) {
  auto *load = cast<LoadInst>(emitField(builder, builder.getInt32Ty(), base, offset));
  if (high)
    load->setMetadata(LLVMContext::MD_range,
                      MDBuilder(builder.getContext()).createRange(APInt(32, low), APInt(32, high)));
  return load;
}

static Value *emitThreadIdx(EmitContext &cx, unsigned axis) {
  return emitIndex(cx.builder, cx.context, offsetof(LaneContext, threadIdx) + 4 * axis, 0,
                   kMaxBlockThreads);
}
static Value *emitBlockIdx(EmitContext &cx, unsigned axis) {
  return emitIndex(cx.builder, emitBlock(cx.builder, cx.context),
                   offsetof(BlockContext, blockIdx) + 4 * axis, 0, 0);
}
static Value *emitBlockDim(EmitContext &cx, unsigned axis) {
  return emitIndex(cx.builder, emitBlock(cx.builder, cx.context),
                   offsetof(BlockContext, blockDim) + 4 * axis, 1, kMaxBlockThreads + 1);
}
static Value *emitGridDim(EmitContext &cx, unsigned axis) {
  return emitIndex(cx.builder, emitBlock(cx.builder, cx.context),
                   offsetof(BlockContext, gridDim) + 4 * axis, 0, 0);
}

Value *threadIdxX(EmitContext &cx, CallBase &) { return emitThreadIdx(cx, 0); }
Value *threadIdxY(EmitContext &cx, CallBase &) { return emitThreadIdx(cx, 1); }
Value *threadIdxZ(EmitContext &cx, CallBase &) { return emitThreadIdx(cx, 2); }
Value *blockIdxX(EmitContext &cx, CallBase &) { return emitBlockIdx(cx, 0); }
Value *blockIdxY(EmitContext &cx, CallBase &) { return emitBlockIdx(cx, 1); }
Value *blockIdxZ(EmitContext &cx, CallBase &) { return emitBlockIdx(cx, 2); }
Value *blockDimX(EmitContext &cx, CallBase &) { return emitBlockDim(cx, 0); }
Value *blockDimY(EmitContext &cx, CallBase &) { return emitBlockDim(cx, 1); }
Value *blockDimZ(EmitContext &cx, CallBase &) { return emitBlockDim(cx, 2); }
Value *gridDimX(EmitContext &cx, CallBase &) { return emitGridDim(cx, 0); }
Value *gridDimY(EmitContext &cx, CallBase &) { return emitGridDim(cx, 1); }
Value *gridDimZ(EmitContext &cx, CallBase &) { return emitGridDim(cx, 2); }

Value *laneId(EmitContext &cx, CallBase &) {
  return emitIndex(cx.builder, cx.context, offsetof(LaneContext, laneId), 0, 32);
}

/// Calls the service at `offset` so that LLVM keeps its hands off the call.
static CallInst *callCollective(EmitContext &cx, uint64_t offset, Type *result,
                                ArrayRef<Value *> args) {
  SmallVector<Type *, 8> types;
  for (Value *arg : args)
    types.push_back(arg->getType());
  Value *service = emitService(cx.builder, emitBlock(cx.builder, cx.context), offset);
  CallInst *call = cx.builder.CreateCall(FunctionType::get(result, types, false), service, args);
  call->addFnAttr(Attribute::Convergent);
  call->addFnAttr(Attribute::NoDuplicate);
  call->addFnAttr(Attribute::NoUnwind);
  return call;
}

Value *syncThreads(EmitContext &cx, CallBase &) {
  IRBuilder<> &b = cx.builder;
  callCollective(cx, offsetof(HostServices, blockBarrier), b.getInt32Ty(),
                 {cx.context, b.getInt32(static_cast<uint32_t>(abi::BarrierOp::Sync)),
                  b.getInt32(0), cx.place});
  return nullptr;
}

static Value *emitShuffle(EmitContext &cx, CallBase &call, abi::WarpOp op) {
  IRBuilder<> &b = cx.builder;
  auto *resultType = ArrayType::get(b.getInt64Ty(), sizeof(abi::WarpResult) / 8);
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  AllocaInst *result =
      IRBuilder<>(&entry, entry.begin()).CreateAlloca(resultType, nullptr, "warp.result");
  Value *control = shuffleControl(b, call.getArgOperand(3), op == abi::WarpOp::ShuffleUp);
  callCollective(cx, offsetof(HostServices, warpCollective), b.getVoidTy(),
                 {cx.context, b.getInt32(static_cast<uint32_t>(op)), call.getArgOperand(0),
                  b.CreateZExt(call.getArgOperand(1), b.getInt64Ty()), call.getArgOperand(2),
                  control, cx.place, result});
  return b.CreateTrunc(b.CreateAlignedLoad(b.getInt64Ty(), result, Align(8)), b.getInt32Ty());
}

Value *shuffle(EmitContext &cx, CallBase &call) {
  return emitShuffle(cx, call, abi::WarpOp::ShuffleIdx);
}
Value *shuffleUp(EmitContext &cx, CallBase &call) {
  return emitShuffle(cx, call, abi::WarpOp::ShuffleUp);
}
Value *shuffleDown(EmitContext &cx, CallBase &call) {
  return emitShuffle(cx, call, abi::WarpOp::ShuffleDown);
}
Value *shuffleXor(EmitContext &cx, CallBase &call) {
  return emitShuffle(cx, call, abi::WarpOp::ShuffleXor);
}

/// Where dynamic shared memory starts in the block's.
static Value *emitStaticBytes(EmitContext &cx, Value *block) {
  return cx.builder.CreateZExt(emitField(cx.builder, cx.builder.getInt32Ty(), block,
                                         offsetof(BlockContext, staticSharedBytes)),
                               cx.builder.getInt64Ty());
}

Value *dynamicSharedBase(EmitContext &cx, CallBase &) {
  IRBuilder<> &b = cx.builder;
  Value *block = emitBlock(b, cx.context);
  Value *shared = emitField(b, b.getPtrTy(), block, offsetof(BlockContext, shared));
  return b.CreateInBoundsPtrAdd(shared, emitStaticBytes(cx, block));
}

Value *dynamicSharedSize(EmitContext &cx, CallBase &) {
  IRBuilder<> &b = cx.builder;
  Value *block = emitBlock(b, cx.context);
  Value *all = emitField(b, b.getInt64Ty(), block, offsetof(BlockContext, sharedBytes));
  return b.CreateTrunc(b.CreateNUWSub(all, emitStaticBytes(cx, block)), b.getInt32Ty());
}

} // namespace mirgpu::intrinsics::host
