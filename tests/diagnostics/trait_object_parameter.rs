// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel parameter that cannot cross the launch; the other kernel is emitted with --keep-going.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 -o %t 2>&1 | %FileCheck %s
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 --keep-going --emit=ptx -o %t.ptx 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// CHECK: error[MG0401]: {{.*}}`f`
// CHECK: --> {{.*}}trait_object_parameter.rs:
// PTX-NOT: bad
// PTX: .entry good(
#![no_std]
use mirgpu_device::prelude::*;
#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn bad(f: &dyn Fn(u32) -> u32, mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = f(*o);
        }
    }
    #[kernel]
    pub fn good(mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = 1;
        }
    }
}
