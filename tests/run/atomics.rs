// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scoped atomic adds return the old value and lose no update, over blocks too.
// RUN: %mirgpu run %mir --kernel count --grid 16 --block 64 --arg total=u32[1]:zeros --arg seen=u32[1024]:zeros --print total | %FileCheck %s
// CHECK: total = [1024]
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn count(mut total: DisjointSlice<u32>, mut seen: DisjointSlice<u32>) {
        let old = unsafe { atomic::device_add(total.as_mut_ptr(), 1) };
        // Each old value is met once: a second visit would make 2.
        let before = unsafe { atomic::device_add(seen.as_mut_ptr().add(old as usize), 1) };
        assert!(before == 0, "an update was lost");
    }
}
