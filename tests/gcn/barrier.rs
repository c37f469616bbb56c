// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sync_threads on AMD: LDS stores are waited for before the barrier.
// RUN: %mirgpu compile %mir --target=gfx942 --emit=asm -o - | %FileCheck %s
// RUN: %mirgpu compile %mir --target=gfx1100 --emit=asm -o - | %FileCheck %s
// CHECK-LABEL: reverse:
// CHECK: ds_{{write|store}}_b32
// CHECK: s_waitcnt lgkmcnt(0)
// CHECK: s_barrier
// CHECK: ds_{{read|load}}_b32
#![no_std]
use mirgpu_device::prelude::*;

static mut TILE: SharedArray<u32, 256> = SharedArray::UNINIT;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn reverse(x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let t = thread::thread_idx_x() as usize;
        if t < 256 {
            unsafe { TILE[t] = x.get(i.get()).copied().unwrap_or(0) };
        }
        thread::sync_threads();
        if let Some(o) = out.get_mut(i) {
            *o = unsafe { TILE[255 - t % 256] };
        }
    }
}
