// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations of core in small functions, none inlined: compare-exchange, every fetch_*, fences. Each is a seed of the fuzz targets.
// REFERENCE: compute input=[7,3] out=3
// RUN: %mirgpu run %mir --kernel small --grid 1 --block 1 --arg input=u32:[7,3] --arg out=u32[3]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel small -O0 --grid 1 --block 1 --arg input=u32:[7,3] --arg out=u32[3]:zeros --print out | %FileCheck %s
// RUN: %mirgpu compile %mir --target=sm_90,gfx1100 -o %t.mgpu
// CHECK: out = [7, 23, 25]
#![no_std]
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::*, fence};
use mirgpu_device::prelude::*;

#[inline(never)]
fn exchange(x: &AtomicU32) -> u32 {
    let failed = x.compare_exchange(1, 2, AcqRel, Acquire).unwrap_or_else(|old| old);
    let _ = x.compare_exchange_weak(failed, failed + 1, SeqCst, Relaxed);
    x.swap(9, Release) + failed
}
#[inline(never)]
fn modify(x: &AtomicU32) -> u32 {
    x.fetch_sub(1, Relaxed) + x.fetch_and(14, Acquire) + x.fetch_nand(6, Release) + x.fetch_or(8, AcqRel) + x.fetch_xor(3, SeqCst)
}
#[inline(never)]
fn most_and_least(x: &AtomicU64) -> u32 {
    fence(SeqCst);
    core::sync::atomic::compiler_fence(Acquire);
    (x.fetch_max(12, Relaxed) + x.fetch_min(5, Relaxed) + x.load(Acquire)) as u32
}

pub fn compute(input: &[u32], out: &mut [u32]) {
    let counter = AtomicU32::new(input[1]);
    let long = AtomicU64::new(input[0] as u64 + 1);
    out[0] = exchange(&counter);
    out[1] = modify(&counter);
    out[2] = most_and_least(&long);
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn small(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
