// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp shuffles on the CPU device, every schedule gives the same: idx, up, down and xor of the lane number.
// RUN: %mirgpu run %mir --kernel shuffles --grid 1 --block 32 --arg out=u32[128]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel shuffles --schedule=reverse --grid 1 --block 32 --arg out=u32[128]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel shuffles --schedule=seed:7 --grid 1 --block 32 --arg out=u32[128]:zeros --print out | %FileCheck %s
// CHECK: out = [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
// CHECK-SAME: 0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
// CHECK-SAME: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 30, 31,
// CHECK-SAME: 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 17, 16, 19, 18, 21, 20, 23, 22, 25, 24, 27, 26, 29, 28, 31, 30]
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub unsafe fn shuffles(out: &mut [u32]) {
        let lane = warp::lane_id();
        let l = lane as usize;
        let idx = warp::shuffle(lane, 5);
        let up = warp::shuffle_up(lane, 3);
        let down = warp::shuffle_down(lane, 2);
        let xor = warp::shuffle_xor(lane, 1);
        out[l] = idx;
        out[32 + l] = up;
        out[64 + l] = down;
        out[96 + l] = xor;
    }
}
