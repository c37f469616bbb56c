// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tier T0: the threads of a block are a loop that LLVM vectorises. Bounds are compared once for a block, and no run-time test of
// aliasing is needed: threads that touched the same bytes would race.
// RUN: %mirgpu compile %mir --target=host:x86-64-v3 --emit=llvm-ir -o - | %FileCheck %s
// RUN: %mirgpu compile %mir --target=host:x86-64-v3 --emit=llvm-ir --tier=T3 -o - | %FileCheck %s --check-prefix=FIBERS
// CHECK: @sums.t0.why = {{.*}} c"it reaches `thread::sync_threads` at thread_loop.rs:{{[0-9]+}}:9\00"
// CHECK-LABEL: define void @rows.t0(
// CHECK-NOT: memcheck
// CHECK: add <8 x i32>
// CHECK-LABEL: define void @saxpy.t0(
// CHECK-NOT: memcheck
// CHECK: vector.body:
// CHECK-NOT: masked
// CHECK: fmul <8 x float>
// CHECK: fadd <8 x float>
// CHECK: store <8 x float>
// CHECK-LABEL: define void @scale.t0(
// CHECK-NOT: memcheck
// CHECK: fmul <8 x float>
// An index in 32 bits that may wrap, guards at both edges, loops of three: the threads within are one vector loop.
// CHECK-LABEL: define void @stencil.t0(
// CHECK-NOT: memcheck
// CHECK-NOT: scevcheck
// CHECK: vector.body:
// CHECK-NOT: masked
// CHECK-COUNT-9: fadd <8 x float>
// CHECK-NOT: masked
// CHECK: store <8 x float>
// A loop with atomics is not said to be free of order among its threads.
// CHECK-LABEL: define void @total.t0(
// CHECK-NOT: {{(load|store) .*}}access.group
// CHECK: atomicrmw
// CHECK-NOT: {{(load|store) .*}}access.group
// CHECK: call fastcc void @mirgpu.panic
// FIBERS-NOT: .t0
#![no_std]
use core::sync::atomic::{AtomicU32, Ordering};
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

    /// The CUDA way: leave early.
    #[kernel]
    pub fn scale(n: u32, mut y: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if i.get() >= n as usize {
            return;
        }
        if let Some(yi) = y.get_mut(i) {
            *yi *= 3.0;
        }
    }

    #[kernel]
    pub fn rows(x: &[u32], mut y: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(yi) = y.get_mut(i) {
            *yi = x[i.get()] + x[i.get() + 1];
        }
    }

    #[kernel]
    pub fn stencil(image: &[f32], width: u32, height: u32, mut out: DisjointSlice<f32>) {
        let (x, y) = (thread::block_idx_x() * thread::block_dim_x() + thread::thread_idx_x(), thread::block_idx_y());
        if x == 0 || y == 0 || x + 1 >= width || y + 1 >= height {
            return;
        }
        let (x, y, width) = (x as usize, y as usize, width as usize);
        let mut sum = 0.0;
        for row in y - 1..y + 2 {
            for column in x - 1..x + 2 {
                sum += image[row * width + column];
            }
        }
        let at = y * width + x;
        if at < out.len() {
            // SAFETY: a thread for each pixel, within bounds.
            unsafe { *out.get_unchecked_mut(at) = sum };
        }
    }

    #[kernel]
    pub fn total(x: &[u32], count: &[AtomicU32], mut y: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(yi) = y.get_mut(i) {
            *yi = x[i.get()];
            count[0].fetch_add(1, Ordering::AcqRel);
        }
    }

    #[kernel]
    pub fn sums(mut y: DisjointSlice<u32>) {
        thread::sync_threads();
        if let Some(yi) = y.get_mut(thread::index_1d()) {
            *yi += 1;
        }
    }
}
