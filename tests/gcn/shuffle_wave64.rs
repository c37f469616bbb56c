// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp has 32 lanes on wave64 too: the source lane is taken within the lane's own half, through ds_bpermute.
// RUN: %mirgpu compile %mir --target=gfx942 --emit=asm -o - | %FileCheck %s --check-prefixes=CHECK,W64
// RUN: %mirgpu compile %mir --target=gfx90a --emit=asm -o - | %FileCheck %s --check-prefixes=CHECK,W64
// RUN: %mirgpu compile %mir --target=gfx1100 --emit=asm -o - | %FileCheck %s --check-prefix=CHECK
// RUN: %mirgpu compile %mir --target=gfx1201 --emit=asm -o - | %FileCheck %s --check-prefix=CHECK
// CHECK-LABEL: lane:
// W64: v_mbcnt_hi
// W64: v_and_b32_e32 {{v[0-9]+}}, 31,
// CHECK: s_endpgm
// CHECK-LABEL: swap:
// W64: v_mbcnt_hi
// CHECK: ds_bpermute_b32
// CHECK: s_endpgm
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn lane(mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = warp::lane_id();
        }
    }
    #[kernel]
    pub fn swap(x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let v = x.get(i.get()).copied().unwrap_or(0);
        let w = warp::shuffle_xor(v, 16);
        if let Some(o) = out.get_mut(i) {
            *o = w;
        }
    }
}
