// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A panic in a noinline callee is reported at O3 and O0 by the CPU device.
// RUN: %not 1 %mirgpu run %mir --kernel guarded --grid 1 --block 32 --arg x=u32[32]:iota --arg out=u32[32]:zeros 2>&1 | %FileCheck %s
// RUN: %not 1 %mirgpu run %mir --kernel guarded -O0 --grid 1 --block 32 --arg x=u32[32]:iota --arg out=u32[32]:zeros 2>&1 | %FileCheck %s
// CHECK: thread (13,0,0) of block (0,0,0) panicked at {{.*}}panic_noinline.rs:{{[0-9]+}}:{{[0-9]+}}: thirteen
#![no_std]
use mirgpu_device::prelude::*;

#[inline(never)]
fn check(v: u32) -> u32 {
    assert!(v != 13, "thirteen");
    v + 1
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn guarded(x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let (Some(o), Some(v)) = (out.get_mut(i), x.get(i.get())) {
            *o = check(*v);
        }
    }
}
