// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators over two slices and over chunks.
// REFERENCE: compute input=[5,1,4,2,3,9,8,7] out=2
// RUN: %mirgpu run %mir --kernel iterator_pairs --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[2]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel iterator_pairs -O0 --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[2]:zeros --print out | %FileCheck %s
// CHECK: out = [14, 15]
#![no_std]
use mirgpu_device::prelude::*;

pub fn compute(input: &[u32], out: &mut [u32]) {
    out[0] = input[1..].iter().zip(&input[2..]).map(|(a, b)| a.abs_diff(*b)).sum();
    out[1] = input.chunks(3).map(|c| c[0]).sum();
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn iterator_pairs(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
