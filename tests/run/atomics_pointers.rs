// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic pointers, fetch_update, and fences of every order.
// REFERENCE: compute input=[6] out=4
// RUN: %mirgpu run %mir --kernel pointers --grid 1 --block 1 --arg input=u32:[6] --arg out=u32[4]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel pointers -O0 --grid 1 --block 1 --arg input=u32:[6] --arg out=u32[4]:zeros --print out | %FileCheck %s
// RUN: %mirgpu compile %mir --target=sm_90,gfx90a -o %t
// RUN: %mirgpu compile %mir --target=sm_75,gfx1100 -O0 -o %t
// CHECK: out = [21, 8, 1, 9]
#![no_std]
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering::*, compiler_fence, fence};
use mirgpu_device::prelude::*;

pub fn compute(input: &[u32], out: &mut [u32]) {
    let mut values = [1u32, 2, 3];
    let p = AtomicPtr::new(&raw mut values[0]);
    let second = &raw mut values[1];
    let first = p.swap(second, AcqRel);
    // SAFETY: both lead into `values`, one access at a time.
    unsafe {
        out[0] = *first + 10 * *p.load(Acquire);
        let _ = p.compare_exchange(second, second.add(1), SeqCst, Acquire);
        *p.load(Relaxed) += 5;
    }
    out[1] = values[2];
    p.store(core::ptr::null_mut(), SeqCst);
    out[2] = p.load(Relaxed).is_null() as u32;

    fence(Acquire);
    fence(Release);
    fence(AcqRel);
    fence(SeqCst);
    compiler_fence(Acquire);
    compiler_fence(Release);
    compiler_fence(AcqRel);
    compiler_fence(SeqCst);
    let a = AtomicU32::new(input[0]);
    while a.fetch_update(AcqRel, Acquire, |v| if v < 9 { Some(v + 1) } else { None }).is_ok() {}
    out[3] = a.load(Relaxed);
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn pointers(input: &[u32], mut out: DisjointSlice<u32>) {
        // SAFETY: one thread runs.
        compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
    }
}
