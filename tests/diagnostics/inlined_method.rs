// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a method of the standard library needs is reported with the user's line, also where rustc inlined the method into the kernel.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 -o %t 2>&1 | %FileCheck %s
// CHECK: error[MG0103]: `f128` is not available on any target
// CHECK: required by kernel `inlined_method::kernels::grow`, through `<f128>::sqrt` ({{.*}}inlined_method.rs:16:32)
#![feature(f128)]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn grow(mut out: DisjointSlice<f32>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            // rustc inlines the method
            *o = ((*o as f128).sqrt()) as f32;
        }
    }
}
