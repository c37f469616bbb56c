// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that allocates where no module asks for a heap: one diagnostic, though it allocates, frees and fails in several places.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 -o %t 2>&1 | %FileCheck %s
// RUN: %not 1 %mirgpu compile %mir --target=host -o %t 2>&1 | %FileCheck %s
// RUN: %not 1 %mirgpu compile %mir --target=host --keep-going -o %t 2>&1 | %FileCheck %s --check-prefix=KEPT
// CHECK: error[MG0106]: a kernel allocates memory, and its module has no heap
// CHECK: required by kernel `no_heap::kernels::allocates`
// CHECK: help: ask for one where the kernels stand: `#[gpu_module(heap)]`
// CHECK-NOT: error[
// CHECK: error: aborting due to 1 error
// KEPT: kernels without errors are emitted
#![no_std]
extern crate alloc;
use alloc::boxed::Box;
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn allocates(mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let v = Box::new(Some(Box::new(i.get() as u32)));
        if let Some(o) = out.get_mut(i) {
            *o = *v.unwrap();
        }
    }
    #[kernel]
    pub fn does_not(mut out: DisjointSlice<u32>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = 1;
        }
    }
}
