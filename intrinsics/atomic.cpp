// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of `atomic::…`: read-modify-write operations with the scope in their name (`block_`: the
// threads of the block, `device_`: all threads of the device), relaxed, on a generic address of
// shared or global memory. Each gives the old value.
#include "intrinsics/emitters.h"
#include "intrinsics/signature.h"

namespace mirgpu::intrinsics {

#define ADD(scope, suffix, type, emitter, where)                                                   \
  {"atomic::" scope "_add_" suffix,                                                                \
   sig<type(ptr, type)>(),                                                                         \
   custom(nvptx::emitter),                                                                         \
   custom(amdgpu::emitter),                                                                        \
   custom(host::atomicAdd),                                                                        \
   {.sm = 70, .ptx = 60},                                                                          \
   false,                                                                                          \
   "Adds to the `" suffix "` at the address, atomically for the threads of the " where             \
   "; gives the old value."}

static constexpr IntrinsicDef rows[] = {
    ADD("block", "u32", u32, blockAdd, "block"),    ADD("block", "i32", i32, blockAdd, "block"),
    ADD("block", "u64", u64, blockAdd, "block"),    ADD("block", "f32", f32, blockAdd, "block"),
    ADD("block", "f64", f64, blockAdd, "block"),    ADD("device", "u32", u32, deviceAdd, "device"),
    ADD("device", "i32", i32, deviceAdd, "device"), ADD("device", "u64", u64, deviceAdd, "device"),
    ADD("device", "f32", f32, deviceAdd, "device"), ADD("device", "f64", f64, deviceAdd, "device"),
};

#undef ADD

std::span<const IntrinsicDef> atomicRows() { return rows; }

} // namespace mirgpu::intrinsics
