// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant memory cannot be written by a kernel: an atomic in it is refused, on every target.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 -o %t 2>&1 | %FileCheck %s
// RUN: %not 1 %mirgpu compile %mir --target=host -o %t 2>&1 | %FileCheck %s
// CHECK: error[MG0202]: `written_constant::COUNT` can be written by a kernel, and `#[constant]` memory cannot
// CHECK: --> {{.*}}written_constant.rs:12:
#![no_std]
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use mirgpu_device::prelude::*;

#[constant]
static COUNT: AtomicU32 = AtomicU32::new(0);

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn count() {
        COUNT.fetch_add(1, Relaxed);
    }
}
