// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds checks whose index counts are made once, before the loop: the loop that runs then has none and is unrolled, sixteen times here.
// The loop with the checks stays for when one of them fails. A loop with a barrier is never copied.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - --kernel dot_rows | %FileCheck %s
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - --kernel steps | %FileCheck %s --check-prefix=STEPS
// CHECK-LABEL: .entry dot_rows(
// CHECK: and.pred
// CHECK-NEXT: and.pred [[HOLDS:%p[0-9]+]],
// CHECK: @[[HOLDS]] bra [[START:\$L__BB0_[0-9]+]];
// CHECK: [[START]]:
// CHECK: [[FAST:\$L__BB0_[0-9]+]]:
// CHECK-NEXT: .loc
// CHECK-NEXT: ld.global.nc
// CHECK-NOT: {{setp|bra|pragma}}
// CHECK-COUNT-16: add.rn.f32
// CHECK-NOT: {{add.rn|pragma}}
// CHECK: bra.uni [[FAST]];
// CHECK: setp.ge.u64
// STEPS-LABEL: .entry steps(
// STEPS: barrier.sync
// STEPS-NOT: barrier.sync
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    /// `y[i]` is row `i` of `a`, which has `n` columns, times `x`.
    #[kernel]
    pub fn dot_rows(a: &[f32], x: &[f32], n: usize, mut y: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let Some(y) = y.get_mut(i) {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i.get() * n + k] * x[k];
            }
            *y = sum;
        }
    }

    #[kernel]
    pub fn steps(a: &[u32], n: usize, mut y: DisjointSlice<u32>) {
        let mut sum = 0u32;
        for k in 0..n {
            sum = sum.wrapping_add(a[k]);
            thread::sync_threads();
        }
        if let Some(y) = y.get_mut(thread::index_1d()) {
            *y = sum;
        }
    }
}
