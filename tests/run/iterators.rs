// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators over slices: sum, map, filter, zip, windows, chunks, rev, fold, position.
// REFERENCE: compute input=[5,1,4,2,3,9,8,7] out=8
// RUN: %mirgpu run %mir --kernel iterators --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[8]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel iterators -O0 --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[8]:zeros --print out | %FileCheck %s
// CHECK: out = [39, 3, 9, 14, 15, 789, 3, 5]
#![no_std]
use mirgpu_device::prelude::*;

pub fn compute(input: &[u32], out: &mut [u32]) {
    out[0] = input.iter().sum();
    out[1] = input.iter().map(|x| x * 2).filter(|x| x % 4 == 0).count() as u32;
    out[2] = input.iter().copied().max().unwrap_or(0);
    out[3] = input[1..].iter().zip(&input[2..]).map(|(a, b)| a.abs_diff(*b)).sum();
    out[4] = input.chunks(3).map(|c| c[0]).sum();
    out[5] = input.iter().rev().take(3).fold(0, |a, x| a * 10 + x);
    out[6] = input.windows(2).filter(|w| w[0] < w[1]).count() as u32;
    out[7] = input.iter().position(|x| *x == 9).map_or(99, |p| p as u32);
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn iterators(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
