// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of 128 bits are refused with their Rust line.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90,gfx1100,host -o %t 2>&1 | %FileCheck %s
// CHECK: error[MG0103]: {{.*}}an atomic access to a value of type `u128`
// CHECK: {{.*}}atomic_u128.rs:[[#@LINE+14]]:
#![feature(core_intrinsics)]
#![allow(internal_features)]
#![no_std]
use core::intrinsics::{AtomicOrdering, atomic_xadd};
use mirgpu_device::prelude::*;
#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn wide(mut out: DisjointSlice<u128>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            // SAFETY: the element is the thread's own.
            unsafe { atomic_xadd::<u128, u128, { AtomicOrdering::Relaxed }>(o, 1) };
        }
    }
}
