// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory belongs to a static: a SharedArray in a local variable is refused, with the Rust line.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 -o %t 2>&1 | %FileCheck %s
// CHECK: error[MG0101]: {{.*}}a `SharedArray` in a local variable
// CHECK: local_shared_array.rs:16:
// CHECK: help: {{.*}}static mut
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn local(mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let mut tile: SharedArray<u32, 32> = SharedArray::UNINIT;
        tile[i.get() % 32] = 1;
        thread::sync_threads();
        if let Some(o) = out.get_mut(i) {
            *o = tile[0];
        }
    }
}
