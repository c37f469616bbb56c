// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The smallest kernel: element-wise addition, one thread for each element.
#![no_std]

use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;

    /// `c[i] = a[i] + b[i]` for each element of `c`. Threads beyond its end do nothing; `a` and `b` that are shorter are a panic.
    #[kernel]
    pub fn vecadd(a: &[f32], b: &[f32], mut c: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let Some(ci) = c.get_mut(i) {
            *ci = a[i.get()] + b[i.get()];
        }
    }
}
