// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread-local static has no meaning on a device: the Rust line and the call chain.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 -o %t 2>&1 | %FileCheck %s
// RUN: %not 1 %mirgpu compile %mir --target=host -o %t 2>&1 | %FileCheck %s
// CHECK: error[MG0101]: the thread-local static
// CHECK: --> {{.*}}thread_local.rs:11:
// CHECK: required by kernel `thread_local::kernels::count`, through `thread_local::next`
use core::cell::Cell;
use mirgpu_device::prelude::*;

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
}

#[inline(never)]
fn next() -> u32 {
    COUNT.replace(COUNT.get() + 1)
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn count(mut out: DisjointSlice<u32>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = next();
        }
    }
}
