// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A `&[T]` of frozen T is read through the read-only path; a DisjointSlice is not.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - | %FileCheck %s
// CHECK-LABEL: .entry scale(
// CHECK: .loc
// CHECK: ld.global.nc.{{f32|b32}}
// CHECK: ld.global.{{f32|b32}}
// CHECK: st.global.{{f32|b32}}
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn scale(x: &[f32], mut y: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let (Some(y), Some(x)) = (y.get_mut(i), x.get(i.get())) {
            *y *= *x;
        }
    }
}
