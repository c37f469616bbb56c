// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A foreign function that a kernel reaches: the Rust line, the name, and the call chain from the kernel.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 -o %t 2>&1 | %FileCheck %s
// RUN: %not 1 %mirgpu compile %mir --target=host -o %t 2>&1 | %FileCheck %s
// CHECK: error[MG0102]: the foreign function `foreign_function::host_only`
// CHECK: --> {{.*}}foreign_function.rs:15:
// CHECK: required by kernel `foreign_function::kernels::calls`, through `foreign_function::middle` ({{.*}}foreign_function.rs:24:18)
#![no_std]
use mirgpu_device::prelude::*;
unsafe extern "C" {
    fn host_only(x: u32) -> u32;
}
#[inline(never)]
fn middle(x: u32) -> u32 {
    unsafe { host_only(x) }
}
#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn calls(mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = middle(*o);
        }
    }
}
