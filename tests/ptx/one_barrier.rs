// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier between two tests of one condition stays one barrier: no pass may clone it.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -O3 -o - | %FileCheck %s
// CHECK-LABEL: .entry twice(
// CHECK: {{bar|barrier}}
// CHECK-NOT: {{bar\.|barrier\.}}
#![no_std]
use mirgpu_device::prelude::*;

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
}
