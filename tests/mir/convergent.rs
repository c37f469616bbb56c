// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowering leaves collectives as named calls; functions, declarations and call sites are all convergent.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=llvm-ir -O0 -o - | %FileCheck %s
// RUN: %mirgpu compile %mir --target=gfx942 --emit=llvm-ir -O0 -o - | %FileCheck %s
// RUN: %mirgpu compile %mir --target=host --emit=llvm-ir -O0 -o - | %FileCheck %s
// CHECK: define internal void @mirgpu.kernel.meet({{.*}}) #[[KERNEL:[0-9]+]] {
// CHECK: call void @"convergent$$step"({{.*}}) #[[SITE:[0-9]+]], !dbg
// CHECK: define internal void @"convergent$$step"({{.*}}) #[[STEP:[0-9]+]] !dbg
// CHECK: call void @"mirgpu.thread::sync_threads"(ptr %context, i32 {{[1-9][0-9]*}}) #[[SITE]], !dbg
// CHECK: declare void @"mirgpu.thread::sync_threads"(ptr, i32) #[[KERNEL]]
// CHECK-DAG: attributes #[[KERNEL]] = { {{.*}}convergent
// CHECK-DAG: attributes #[[STEP]] = { {{.*}}convergent
// CHECK-DAG: attributes #[[SITE]] = { {{.*}}convergent
#![no_std]
use mirgpu_device::prelude::*;

#[inline(never)]
fn step(x: &mut u32) {
    thread::sync_threads();
    *x += 1;
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn meet(mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let mut x = 0;
        step(&mut x);
        if let Some(o) = out.get_mut(i) {
            *o = x;
        }
    }
}
