// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What users of other GPU compilers met and what more than one thread shows: panics that were optimised away, views of shared memory taken
// for disjoint, atomics through a chosen pointer, shared memory that leaks from block to block.
// cuda-oxide 407, 408: `unwrap` of None on one lane went on with wrong data.
// RUN: %not 1 %mirgpu run %mir --kernel unwraps --grid 2 --block 64 --arg x=u32[128]:iota --arg out=u32[128]:zeros 2>&1 | %FileCheck %s --check-prefix=UNWRAP
// UNWRAP: thread (37,0,0) of block (1,0,0) panicked at known_bugs_threads.rs:{{[0-9:]+}}: called `Option::unwrap()` on a `None` value
// cuda-oxide 396, 405: the bounds check of an index from memory was optimised away.
// RUN: %not 1 %mirgpu run %mir --kernel indexes --grid 1 --block 32 --arg x=u32[32]:iota --arg at=u32:[3,31,32,5] --arg out=u32[32]:zeros 2>&1 | %FileCheck %s --check-prefix=INDEX
// INDEX: thread (2,0,0) of block (0,0,0) panicked at known_bugs_threads.rs:{{[0-9:]+}}: index out of bounds: the len is 32 but the index is 32
// cuda-oxide 623, Rust-CUDA 402: a write through a raw pointer and a read by index, two arrays of one type.
// RUN: %mirgpu run %mir --kernel views --grid 1 --block 8 --arg out=u32[16]:zeros --print out | %FileCheck %s --check-prefix=VIEWS
// VIEWS: out = [107, 7, 106, 6, 105, 5, 104, 4, 103, 3, 102, 2, 101, 1, 100, 0]
// CUDA.jl 558: an atomic on a shared pointer that was computed in another block of the function.
// RUN: %mirgpu run %mir --kernel chosen --grid 1 --block 64 --arg out=u32[2]:zeros --print out | %FileCheck %s --check-prefix=CHOSEN
// CHOSEN: out = [22, 42]
// CubeCL 1575: shared memory of a block that came before. It is poisoned, so no block reads another's.
// RUN: %mirgpu run %mir --kernel leftover --grid 4 --block 1 --arg out=u32[4]:zeros --print out | %FileCheck %s --check-prefix=LEFT
// LEFT-NOT: 4242
// LEFT: out = [
// RUN: %mirgpu compile %mir --target=sm_75,sm_90,gfx90a,gfx1100 -o %t
#![no_std]
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;

    #[kernel]
    pub fn unwraps(x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let v = x[i.get()].checked_sub(u32::from(i.get() == 101) * 500).unwrap();
        if let Some(o) = out.get_mut(i) {
            *o = v;
        }
    }

    #[kernel]
    pub fn indexes(x: &[u32], at: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let v = x[at[i.get() % 4] as usize];
        if let Some(o) = out.get_mut(i) {
            *o = v;
        }
    }

    #[kernel]
    pub fn views(mut out: DisjointSlice<u32>) {
        static mut FIRST: SharedArray<u32, 8> = SharedArray::UNINIT;
        static mut SECOND: SharedArray<u32, 8> = SharedArray::UNINIT;
        let (i, own) = (thread::index_1d().get(), thread::thread_idx_x());
        // SAFETY: each thread writes its own elements and reads others behind the barrier.
        unsafe {
            let raw = SharedArray::as_raw_mut_ptr(&raw mut FIRST);
            *raw.add(i) = own;
            if own % 2 == 0 {
                *SharedArray::as_raw_mut_ptr(&raw mut SECOND).add(i) = own + 100;
            } else {
                SECOND[i] = own + 100;
            }
            thread::sync_threads();
            *out.as_mut_ptr().add(2 * i) = SECOND[7 - i];
            *out.as_mut_ptr().add(2 * i + 1) = FIRST[7 - i];
        }
    }

    #[kernel]
    pub fn chosen(mut out: DisjointSlice<u32>) {
        static mut COUNTS: SharedArray<u32, 2> = SharedArray::UNINIT;
        let own = thread::thread_idx_x();
        // SAFETY: the first thread writes alone, before the barrier.
        unsafe {
            let counts = SharedArray::as_raw_mut_ptr(&raw mut COUNTS);
            if own == 0 {
                *counts = 0;
                *counts.add(1) = 0;
            }
            thread::sync_threads();
            let which = if own % 3 == 0 { counts } else { counts.add(1) };
            AtomicU32::from_ptr(which).fetch_add(1, Relaxed);
            thread::sync_threads();
            if own < 2 {
                *out.as_mut_ptr().add(own as usize) = *counts.add(own as usize);
            }
        }
    }

    #[kernel]
    pub fn leftover(mut out: DisjointSlice<u32>) {
        static mut ONE: SharedArray<u32, 1> = SharedArray::UNINIT;
        // SAFETY: one thread in the block; any bits are a number.
        unsafe {
            let one = SharedArray::as_raw_mut_ptr(&raw mut ONE);
            if let Some(o) = out.get_mut(thread::index_1d()) {
                *o = one.read_volatile();
            }
            one.write_volatile(4242);
        }
    }
}
