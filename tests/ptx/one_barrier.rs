// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier between two tests of one condition stays one barrier, also behind a function: no pass may clone it.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -O3 -o - --kernel twice | %FileCheck %s
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -O3 -o - --kernel wrapped | %FileCheck %s --check-prefix=WRAPPED
// RUN: %mirgpu compile %mir --target=sm_75 --emit=ptx -O3 --no-unroll -o - --kernel wrapped | %FileCheck %s --check-prefix=WRAPPED
// CHECK-LABEL: .entry twice(
// CHECK: {{(bar|barrier)\.(sync|cta)}}
// CHECK-NOT: {{(bar|barrier)\.(sync|cta)}}
// WRAPPED: barrier.sync
// WRAPPED-NOT: {{bar\.sync|barrier\.sync}}
// WRAPPED-LABEL: .entry wrapped(
// WRAPPED: call.uni one_barrier$$meet
// WRAPPED-NOT: call.uni
#![no_std]
use mirgpu_device::prelude::*;

#[inline(never)]
fn meet(x: &mut u32) {
    *x += 1;
    thread::sync_threads();
    *x += 1;
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn twice(c: bool, mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let mut x = i.get() as u32;
        if c {
            x += 1;
        }
        thread::sync_threads();
        if c {
            x *= 2;
        }
        if let Some(o) = out.get_mut(i) {
            *o = x;
        }
    }
    #[kernel]
    pub fn wrapped(c: bool, mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let mut x = i.get() as u32;
        if c && let Some(o) = out.get_mut(i) {
            *o = 5;
        }
        meet(&mut x);
        if c && let Some(o) = out.get_mut(i) {
            *o += x;
        }
    }
}
