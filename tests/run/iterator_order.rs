// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators backwards, searching, and the largest element.
// REFERENCE: compute input=[5,1,4,2,3,9,8,7] out=3
// RUN: %mirgpu run %mir --kernel iterator_order --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[3]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel iterator_order -O0 --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[3]:zeros --print out | %FileCheck %s
// CHECK: out = [789, 5, 9]
#![no_std]
use mirgpu_device::prelude::*;

pub fn compute(input: &[u32], out: &mut [u32]) {
    out[0] = input.iter().rev().take(3).fold(0, |a, x| a * 10 + x);
    out[1] = input.iter().position(|x| *x == 9).map_or(99, |p| p as u32);
    out[2] = input.iter().copied().max().unwrap_or(0);
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn iterator_order(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
