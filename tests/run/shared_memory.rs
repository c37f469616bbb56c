// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory belongs to the block: each block reverses its own elements; two equal arrays are two objects.
// RUN: %mirgpu run %mir --kernel reverse --grid 2 --block 8 --arg x=u32[16]:iota --arg out=u32[16]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel reverse -O0 --schedule=seed:3 --grid 2 --block 8 --arg x=u32[16]:iota --arg out=u32[16]:zeros --print out | %FileCheck %s
// CHECK: out = [107, 106, 105, 104, 103, 102, 101, 100, 115, 114, 113, 112, 111, 110, 109, 108]
#![no_std]
use mirgpu_device::prelude::*;

static mut A: SharedArray<u32, 8> = SharedArray::UNINIT;
static mut B: SharedArray<u32, 8> = SharedArray::UNINIT;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn reverse(x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let t = thread::thread_idx_x() as usize;
        unsafe {
            A[t] = x[i.get()];
            B[7 - t] = 100;
        }
        thread::sync_threads();
        if let Some(o) = out.get_mut(i) {
            *o = unsafe { A[7 - t] + B[t] };
        }
    }
}
