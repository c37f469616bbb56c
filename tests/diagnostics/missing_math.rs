// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A float of 128 bits has no math function on any target: the diagnostic names the intrinsic, the Rust line and the kernel.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 -o %t 2>&1 | %FileCheck %s
// CHECK: error[MG0103]: {{.*}}`f128` is not available on any target
// CHECK: missing_math.rs:
#![feature(core_intrinsics, f128)]
#![allow(internal_features)]
#![no_std]
use mirgpu_device::prelude::*;
#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn wave(mut out: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = core::intrinsics::sinf128(*o as f128) as f32;
        }
    }
}
