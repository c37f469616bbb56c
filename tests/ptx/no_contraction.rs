// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No fused multiply-add by default, as in Rust; `--fp-contract=fast` allows it.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - | %FileCheck %s
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx --fp-contract=fast -o - | %FileCheck %s --check-prefix=FAST
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK-NOT: fma
// FAST: fma.rn.f32
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn axpy(a: f32, x: &[f32], mut y: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let (Some(y), Some(x)) = (y.get_mut(i), x.get(i.get())) {
            *y += a * *x;
        }
    }
}
