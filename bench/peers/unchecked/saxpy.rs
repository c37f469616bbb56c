// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! examples/saxpy without bounds checks, to measure.
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn saxpy(a: f32, x: &[f32], mut y: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let Some(y) = y.get_mut(i) {
            // SAFETY: the host gives two slices of one length.
            *y += a * unsafe { x.get_unchecked(i.get()) };
        }
    }
}
