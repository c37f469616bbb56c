// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `y += a * x`, in place: a scalar, a slice that is read and a slice of which each thread writes its own element.
#![no_std]

use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn saxpy(a: f32, x: &[f32], mut y: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let Some(yi) = y.get_mut(i) {
            *yi += a * x[i.get()];
        }
    }
}
