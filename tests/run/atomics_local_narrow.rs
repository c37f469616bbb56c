// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics on a thread's own variables of 8 and 16 bits.
// REFERENCE: compute input=[250,0] out=6
// RUN: %mirgpu run %mir --kernel narrow --grid 1 --block 1 --arg input=u32:[250,0] --arg out=u32[6]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel narrow -O0 --grid 1 --block 1 --arg input=u32:[250,0] --arg out=u32[6]:zeros --print out | %FileCheck %s
// CHECK: out = [250, 4, 9, 4294967293, 4294967289, 1]
#![no_std]
use core::sync::atomic::{AtomicBool, AtomicI16, AtomicU8, Ordering::*};
use mirgpu_device::prelude::*;

#[inline(never)]
fn bump(a: &AtomicU8, by: u8) -> u8 {
    a.fetch_add(by, SeqCst)
}

pub fn compute(input: &[u32], out: &mut [u32]) {
    let byte = AtomicU8::new(input[0] as u8);
    out[0] = bump(&byte, 10) as u32;
    out[1] = byte.compare_exchange(4, 9, AcqRel, Relaxed).unwrap_or(99) as u32;
    out[2] = byte.compare_exchange(4, 8, Release, SeqCst).unwrap_err() as u32;

    let half = AtomicI16::new(-3);
    out[3] = half.fetch_min(-7, Relaxed) as u32;
    out[4] = half.fetch_xor(0x55, AcqRel) as u32;

    let flag = AtomicBool::new(input[1] != 0);
    out[5] = (flag.fetch_or(true, AcqRel) as u32) << 1 | flag.load(Relaxed) as u32;
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn narrow(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
