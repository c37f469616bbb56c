// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of `warp::…`: operations of the 32 lanes of a warp, on every target (DESIGN D8). The
// shuffles take (mask, value, operand, width): `mask` names the lanes that take part, `width` in
// {1, 2, 4, 8, 16, 32} the segments that a source lane stays within; what each gives is PTX ISA
// "shfl.sync" with c = ((32 - width) << 8) | (up ? 0 : 31). None of them orders memory.
#include "intrinsics/emitters.h"
#include "intrinsics/signature.h"

namespace mirgpu::intrinsics {

// clang-format off
static constexpr IntrinsicDef rows[] = {
  // id                     signature                         nvptx                       amdgpu                       host                       minimums  collective  doc
  {"warp::lane_id",         sig<u32()>(),                     llvmCall("llvm.nvvm.read.ptx.sreg.laneid"), custom(amdgpu::laneId), custom(host::laneId), {}, false, "Index of the calling lane within its warp of 32."},
  {"warp::shuffle",         sig<u32(u32, u32, u32, u32)>(),   custom(nvptx::shuffle),     custom(amdgpu::shuffle),     custom(host::shuffle),     {.sm = 30, .ptx = 60}, true, "The value of lane `operand` of the segment."},
  {"warp::shuffle_up",      sig<u32(u32, u32, u32, u32)>(),   custom(nvptx::shuffleUp),   custom(amdgpu::shuffleUp),   custom(host::shuffleUp),   {.sm = 30, .ptx = 60}, true, "The value of the lane `operand` below, or the own one at the segment's start."},
  {"warp::shuffle_down",    sig<u32(u32, u32, u32, u32)>(),   custom(nvptx::shuffleDown), custom(amdgpu::shuffleDown), custom(host::shuffleDown), {.sm = 30, .ptx = 60}, true, "The value of the lane `operand` above, or the own one at the segment's end."},
  {"warp::shuffle_xor",     sig<u32(u32, u32, u32, u32)>(),   custom(nvptx::shuffleXor),  custom(amdgpu::shuffleXor),  custom(host::shuffleXor),  {.sm = 30, .ptx = 60}, true, "The value of the lane whose index differs in the bits of `operand`."},
};
// clang-format on

std::span<const IntrinsicDef> warpRows() { return rows; }

llvm::Value *shuffleControl(llvm::IRBuilder<> &builder, llvm::Value *width, bool up) {
  llvm::Value *segment = builder.CreateShl(builder.CreateSub(builder.getInt32(32), width), 8);
  return up ? segment : builder.CreateOr(segment, builder.getInt32(31));
}

} // namespace mirgpu::intrinsics
