// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of `thread::…`: where the calling thread stands in its block and grid, and the block's
// barrier. Indices and extents count threads and blocks, along x, y, z. They are pure reads, which
// LLVM merges and hoists; the barrier orders memory among the threads of the block.
#include "intrinsics/emitters.h"
#include "intrinsics/signature.h"

namespace mirgpu::intrinsics {

#define SREG(name) llvmCall("llvm.nvvm.read.ptx.sreg." name)
#define WORKGROUP_ID(axis) llvmCall("llvm.amdgcn.workgroup.id." axis)

// clang-format off
static constexpr IntrinsicDef rows[] = {
  // id                       signature      nvptx              amdgpu                        host                       minimums  collective  doc
  {"thread::thread_idx_x",    sig<u32()>(),  SREG("tid.x"),     custom(amdgpu::threadIdxX),   custom(host::threadIdxX),  {}, false, "Index of the calling thread in its block, along x."},
  {"thread::thread_idx_y",    sig<u32()>(),  SREG("tid.y"),     custom(amdgpu::threadIdxY),   custom(host::threadIdxY),  {}, false, "Index of the calling thread in its block, along y."},
  {"thread::thread_idx_z",    sig<u32()>(),  SREG("tid.z"),     custom(amdgpu::threadIdxZ),   custom(host::threadIdxZ),  {}, false, "Index of the calling thread in its block, along z."},
  {"thread::block_idx_x",     sig<u32()>(),  SREG("ctaid.x"),   WORKGROUP_ID("x"),            custom(host::blockIdxX),   {}, false, "Index of the calling thread's block in the grid, along x."},
  {"thread::block_idx_y",     sig<u32()>(),  SREG("ctaid.y"),   WORKGROUP_ID("y"),            custom(host::blockIdxY),   {}, false, "Index of the calling thread's block in the grid, along y."},
  {"thread::block_idx_z",     sig<u32()>(),  SREG("ctaid.z"),   WORKGROUP_ID("z"),            custom(host::blockIdxZ),   {}, false, "Index of the calling thread's block in the grid, along z."},
  {"thread::block_dim_x",     sig<u32()>(),  SREG("ntid.x"),    custom(amdgpu::blockDimX),    custom(host::blockDimX),   {}, false, "Threads of a block along x."},
  {"thread::block_dim_y",     sig<u32()>(),  SREG("ntid.y"),    custom(amdgpu::blockDimY),    custom(host::blockDimY),   {}, false, "Threads of a block along y."},
  {"thread::block_dim_z",     sig<u32()>(),  SREG("ntid.z"),    custom(amdgpu::blockDimZ),    custom(host::blockDimZ),   {}, false, "Threads of a block along z."},
  {"thread::grid_dim_x",      sig<u32()>(),  SREG("nctaid.x"),  custom(amdgpu::gridDimX),     custom(host::gridDimX),    {}, false, "Blocks of the grid along x."},
  {"thread::grid_dim_y",      sig<u32()>(),  SREG("nctaid.y"),  custom(amdgpu::gridDimY),     custom(host::gridDimY),    {}, false, "Blocks of the grid along y."},
  {"thread::grid_dim_z",      sig<u32()>(),  SREG("nctaid.z"),  custom(amdgpu::gridDimZ),     custom(host::gridDimZ),    {}, false, "Blocks of the grid along z."},
  {"thread::sync_threads",    sig<void()>(), custom(nvptx::syncThreads), custom(amdgpu::syncThreads), custom(host::syncThreads), {.sm = 30, .ptx = 60}, true, "Waits for every thread of the block that has not ended; orders memory among them."},
};
// clang-format on

#undef SREG
#undef WORKGROUP_ID

std::span<const IntrinsicDef> threadRows() { return rows; }

} // namespace mirgpu::intrinsics
