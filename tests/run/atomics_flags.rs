// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic flags: every operation.
// REFERENCE: compute input=[0] out=4
// RUN: %mirgpu run %mir --kernel flags --grid 1 --block 1 --arg input=u32:[0] --arg out=u32[4]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel flags -O0 --grid 1 --block 1 --arg input=u32:[0] --arg out=u32[4]:zeros --print out | %FileCheck %s
// RUN: %mirgpu compile %mir --target=sm_90,gfx90a -o %t
// RUN: %mirgpu compile %mir --target=sm_75,gfx1100 -O0 -o %t
// CHECK: out = [1, 1, 1, 3]
#![no_std]
use core::sync::atomic::{AtomicBool, Ordering::*};
use mirgpu_device::prelude::*;

pub fn compute(input: &[u32], out: &mut [u32]) {
    let flag = AtomicBool::new(input[0] != 0);
    out[0] = (flag.fetch_or(true, AcqRel) as u32) << 1 | flag.fetch_and(false, SeqCst) as u32;
    out[1] = (flag.fetch_xor(true, Release) as u32) << 1 | flag.fetch_nand(true, Relaxed) as u32;
    out[2] = (flag.fetch_not(Acquire) as u32) << 1 | flag.swap(false, SeqCst) as u32;
    out[3] = flag.compare_exchange(false, true, Acquire, Relaxed).is_ok() as u32 * 2 + flag.load(SeqCst) as u32;
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn flags(input: &[u32], mut out: DisjointSlice<u32>) {
        // SAFETY: one thread runs.
        compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
    }
}
