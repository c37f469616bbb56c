// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! examples/vecadd without bounds checks, to measure.
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn vecadd(a: &[f32], b: &[f32], mut c: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let Some(c) = c.get_mut(i) {
            // SAFETY: the host gives three slices of one length.
            *c = unsafe { a.get_unchecked(i.get()) + b.get_unchecked(i.get()) };
        }
    }
}
