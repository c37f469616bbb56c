// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics on a thread's own variables, directly and behind functions, 32 and 64 bits wide.
// REFERENCE: compute input=[5,250,1,0] out=10
// RUN: %mirgpu run %mir --kernel local --grid 1 --block 1 --arg input=u32:[5,250,1,0] --arg out=u32[10]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel local -O0 --grid 1 --block 1 --arg input=u32:[5,250,1,0] --arg out=u32[10]:zeros --print out | %FileCheck %s
// CHECK: out = [5, 7, 17, 7, 4294967292, 4294967292, 1, 1, 4, 1]
#![no_std]
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering::*, fence};
use mirgpu_device::prelude::*;

#[inline(never)]
fn bump(a: &AtomicU32, by: u32) -> u32 {
    a.fetch_add(by, Relaxed)
}

#[inline(never)]
fn raise(a: &AtomicU64, to: u64) -> Result<u64, u64> {
    a.fetch_update(AcqRel, Acquire, |old| (old < to).then_some(to))
}

pub fn compute(input: &[u32], out: &mut [u32]) {
    let a = AtomicU32::new(input[0]);
    out[0] = a.fetch_add(2, Relaxed);
    out[1] = bump(&a, 10);
    out[2] = a.swap(7, SeqCst);
    out[3] = a.fetch_nand(3, Acquire);
    out[4] = a.fetch_max(input[1], Release);
    out[5] = a.load(SeqCst);

    let wide = AtomicU64::new(input[0] as u64);
    out[6] = (raise(&wide, 1 << 40).is_ok() && raise(&wide, 9).is_err()) as u32;
    out[7] = (wide.load(Acquire) >> 40) as u32;

    let mut x = 3u32;
    let p = AtomicPtr::new(&raw mut x);
    fence(SeqCst);
    // SAFETY: the pointer is `x`'s.
    unsafe { *p.load(Acquire) += 1 };
    out[8] = x;
    p.store(core::ptr::null_mut(), SeqCst);
    out[9] = p.load(Relaxed).is_null() as u32;
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn local(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
