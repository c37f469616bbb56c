// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slice iterator is a counted loop, also where the slice is known not to be empty: no select on the way from one element to the next,
// four elements a turn.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - | %FileCheck %s
// CHECK-LABEL: .entry nearest(
// CHECK-NOT: selp.b64
// CHECK-COUNT-4: sub.rn.f32
// CHECK-NOT: selp.b64
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn nearest(x: &[f32], mut y: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let Some(y) = y.get_mut(i) {
            let own = x[i.get()];
            let mut sum = 0.0;
            for other in x {
                let distance = other - own;
                sum += distance * distance;
            }
            *y = sum;
        }
    }
}
