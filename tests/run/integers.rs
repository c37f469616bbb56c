// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer semantics of Rust: wrapping, saturating, shifts, casts, 128-bit, rotates, counted zeros.
// REFERENCE: compute input=[4294967295,3,7] out=16
// RUN: %mirgpu run %mir --kernel integers --grid 1 --block 1 --arg input=u32:[4294967295,3,7] --arg out=u32[16]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel integers -O0 --grid 1 --block 1 --arg input=u32:[4294967295,3,7] --arg out=u32[16]:zeros --print out | %FileCheck %s
// CHECK: out = [2, 29, 28, 4294967294, 4294967295, 3, 1, 255, 4294967295, 4294967295, 2863311531, 4294967293, 2147483651, 0, 1, 4]
#![no_std]
use mirgpu_device::prelude::*;

pub fn compute(input: &[u32], out: &mut [u32]) {
    let (big, three, seven) = (input[0], input[1], input[2]);
    out[0] = big.wrapping_add(three);
    out[1] = seven.leading_zeros();
    out[2] = big.count_ones() - (seven / 2) - 1;
    out[3] = (big as i32 * 2) as u32;
    out[4] = big.saturating_add(three);
    out[5] = seven >> 1;
    out[6] = (big as i32 >> 31 == -1) as u32;
    out[7] = big as u8 as u32;
    out[8] = (big as i8) as i32 as u32;
    out[9] = big.wrapping_mul(three).rotate_left(29).wrapping_add(seven.wrapping_mul(0)) ^ 0x4000_0000;
    out[10] = ((((big as u128) << 64) / three as u128) >> 64) as u32 / 1 * 2 + 1;
    out[11] = big.wrapping_sub(2);
    out[12] = seven.reverse_bits().wrapping_mul(0) + 3u32.rotate_right(1) + 2;
    out[13] = big.checked_add(1).unwrap_or(0);
    out[14] = big.overflowing_add(1).1 as u32;
    out[15] = three.pow(3) % 23;
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn integers(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
