// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterators over windows.
// REFERENCE: compute input=[5,1,4,2,3,9,8,7] out=1
// RUN: %mirgpu run %mir --kernel iterator_windows --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[1]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel iterator_windows -O0 --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[1]:zeros --print out | %FileCheck %s
// CHECK: out = [3]
#![no_std]
use mirgpu_device::prelude::*;

pub fn compute(input: &[u32], out: &mut [u32]) {
    out[0] = input.windows(2).filter(|w| w[0] < w[1]).count() as u32;
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn iterator_windows(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
