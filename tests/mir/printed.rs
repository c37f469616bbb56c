// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `--emit=mir` prints kernels, layouts and bodies to read, each statement with its Rust line.
// RUN: %mirgpu compile %mir --emit=mir -o - | %FileCheck %s
// CHECK: // crate printed,
// CHECK: kernel count = printed::kernels::count(step: aggregate printed::Step, out: disjoint_slice {{.*}})
// CHECK: type printed::Step: size 16, align 8, pair(u64[0..=1], i64? at 8), direct tag u64[0..=1] at 0
// CHECK-NEXT: // Stay = 0 {  }
// CHECK-NEXT: // By = 1 { 0: i64 at 8 }
// CHECK: // item, local, #[kernel], printed.rs:28:5
// CHECK-NEXT: fn printed::kernels::count(_1 step: printed::Step, _2 out: {{.*}}) -> () {
// CHECK: debug n => [[N:_[0-9]+]];
// CHECK: let [[N]]: i64; // n
// CHECK: [[TAG:_[0-9]+]] = discriminant(_1); {{ *}}// printed.rs:30:19
// CHECK-NEXT: switchInt(move [[TAG]]) -> [{{.*}}]; {{ *}}// printed.rs:30:13
// CHECK: [[N]] = copy ((_1 as variant#1).0: i64); {{ *}}// printed.rs:32:26
#![no_std]
use mirgpu_device::prelude::*;

pub enum Step {
    Stay,
    By(i64),
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn count(step: Step, mut out: DisjointSlice<i64>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            match step {
                Step::Stay => {}
                Step::By(n) => *o += n,
            }
        }
    }
}
