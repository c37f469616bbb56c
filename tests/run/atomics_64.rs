// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of core's 64-bit atomics with every order, in global, shared and the thread's own memory.
// REFERENCE: compute input=[3000000007,4000000001] out=30
// RUN: %mirgpu run %mir --kernel memories --grid 1 --block 1 --arg input=u32:[3000000007,4000000001] --arg cell=u64[1]:zeros --arg out=u32[30]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel memories -O0 --grid 1 --block 1 --arg input=u32:[3000000007,4000000001] --arg cell=u64[1]:zeros --arg out=u32[30]:zeros --print out | %FileCheck %s
// RUN: %mirgpu compile %mir --target=sm_90,gfx90a -o %t
// RUN: %mirgpu compile %mir --target=sm_75,gfx1100 -O0 -o %t
// CHECK: out = [4251697713, 4251667029, 4207284362, 2244891301, 4218664351, 4216503773, 4224063732, 1386081470, 1936252638, 3990376464, 4251697713, 4251667029, 4207284362, 2244891301, 4218664351, 4216503773, 4224063732, 1386081470, 1936252638, 3990376464, 4251697713, 4251667029, 4207284362, 2244891301, 4218664351, 4216503773, 4224063732, 1386081470, 1936252638, 3990376464]
#![no_std]
use core::sync::atomic::{AtomicI64, AtomicU64, Ordering, Ordering::*};
use mirgpu_device::prelude::*;

/// The first three are the orders of loads and of failed exchanges.
#[inline(never)]
fn nth(i: u32) -> Ordering {
    match i {
        0 => Relaxed,
        1 => Acquire,
        2 => SeqCst,
        3 => Release,
        _ => AcqRel,
    }
}

#[inline(never)]
fn digest(h: &mut u32, v: u64) {
    *h = (*h << 5 | *h >> 27) ^ v as u32 ^ (v >> 32) as u32;
}

/// Adds what the operations give to their digests.
#[inline(never)]
fn operations(a: &AtomicU64, seed: u64, h: &mut [u32; 10]) {
    let mut i = 0;
    while i < 5 {
        let order = nth(i);
        a.store(seed ^ i as u64, if i == 1 || i == 4 { Release } else { order });
        digest(&mut h[0], a.swap(seed, order) as u64);
        digest(&mut h[1], a.fetch_add(seed | 1, order) as u64);
        digest(&mut h[2], a.fetch_sub(77, order) as u64);
        digest(&mut h[3], a.fetch_xor(seed >> 1, order) as u64);
        digest(&mut h[4], a.fetch_and(!6, order) as u64);
        digest(&mut h[5], a.fetch_or(9, order) as u64);
        digest(&mut h[6], a.fetch_nand(seed >> 2, order) as u64);
        digest(&mut h[7], a.fetch_max(seed ^ 0x55, order) as u64);
        digest(&mut h[7], a.fetch_min(seed ^ 0x11, order) as u64);
        let mut f = 0;
        while f < 3 {
            let failure = nth(f);
            let old = a.load(failure);
            digest(&mut h[8], a.compare_exchange(old, old ^ 5, order, failure).is_ok() as u64);
            let (Ok(v) | Err(v)) = a.compare_exchange(old, seed, order, failure);
            digest(&mut h[8], v as u64);
            while a.compare_exchange_weak(old ^ 5, old ^ 3, order, failure).is_err() {}
            f += 1;
        }
        i += 1;
    }
    // SAFETY: AtomicI64 is the same bytes, and the reference to the other ends here.
    let s = unsafe { AtomicI64::from_ptr(a.as_ptr().cast()) };
    digest(&mut h[9], s.fetch_max(-9, AcqRel) as u64);
    digest(&mut h[9], s.fetch_min(-99, SeqCst) as u64);
    digest(&mut h[9], a.load(Acquire) as u64);
}

fn seed(input: &[u32]) -> u64 {
    (input[0] as u64 | (input[1] as u64) << 32) as u64
}

pub fn compute(input: &[u32], out: &mut [u32]) {
    // SAFETY: as long as the test says.
    let out = unsafe { &mut *out.as_mut_ptr().cast::<[[u32; 10]; 3]>() };
    operations(&AtomicU64::new(0), seed(input), &mut out[0]);
    operations(&AtomicU64::new(0), seed(input), &mut out[1]);
    operations(&AtomicU64::new(0), seed(input), &mut out[2]);
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn memories(input: &[u32], cell: &AtomicU64, mut out: DisjointSlice<u32>) {
        static mut CELL: SharedArray<AtomicU64, 1> = SharedArray::UNINIT;
        // SAFETY: one thread runs, and the slice is as long as the launch says.
        let (out, shared) =
            unsafe { (&mut *out.as_mut_ptr().cast::<[[u32; 10]; 3]>(), &*SharedArray::as_raw_mut_ptr(&raw mut CELL)) };
        operations(cell, seed(input), &mut out[0]);
        operations(shared, seed(input), &mut out[1]);
        operations(&AtomicU64::new(0), seed(input), &mut out[2]);
    }
}
