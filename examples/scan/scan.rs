// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Prefix sums in one pass over memory, by decoupled look-back: a block publishes its own sum at once, and its prefix as soon as it has
//! added up what the blocks before it have published.
#![no_std]

use core::hint::spin_loop;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use mirgpu_device::prelude::*;

/// Threads in a block.
const THREADS: usize = 256;
const WARPS: usize = THREADS / warp::SIZE as usize;

/// What a block has published, in the upper half of its word: nothing (0), its own sum, or the sum of all blocks up to it.
const OWN_SUM: u64 = 1 << 32;
const PREFIX: u64 = 2 << 32;

#[gpu_module]
mod kernels {
    use super::*;

    /// `out[i]` is the sum of `x[0..=i]`, which wraps. Blocks of 256 threads, one for each (started) 256 elements; `ticket` is one
    /// zero and `published` one zero a block.
    #[kernel]
    #[launch_bounds(256)]
    pub fn scan(x: &[u32], ticket: &[AtomicU32], published: &[AtomicU64], mut out: DisjointSlice<u32>) {
        static mut BLOCK: SharedArray<u32, 1> = SharedArray::UNINIT;
        static mut BEFORE: SharedArray<u32, 1> = SharedArray::UNINIT;
        static mut SUMS: SharedArray<u32, WARPS> = SharedArray::UNINIT;

        let own = thread::thread_idx_x() as usize;
        let (warp_index, lane) = (own / warp::SIZE as usize, warp::lane_id());
        if own == 0 {
            // Tickets are drawn in the order in which blocks start, so those that a block waits for have started too.
            // SAFETY: this thread alone writes, and the others read after the barrier.
            unsafe { BLOCK[0] = ticket[0].fetch_add(1, Ordering::Relaxed) };
        }
        thread::sync_threads();
        // SAFETY: written before the barrier, and nobody writes after it.
        let block = unsafe { BLOCK[0] } as usize;
        let i = block * THREADS + own;

        let in_warp = warp_prefix(x.get(i).copied().unwrap_or(0), lane);
        if lane == warp::SIZE - 1 {
            // SAFETY: one lane of each warp writes the warp's own element.
            unsafe { SUMS[warp_index] = in_warp };
        }
        thread::sync_threads();
        // SAFETY: written before the barrier, and nobody writes after it.
        let in_block = (0..warp_index).fold(in_warp, |sum, k| sum.wrapping_add(unsafe { SUMS[k] }));
        if own == THREADS - 1 {
            let before = look_back(published, block, in_block);
            // SAFETY: this thread alone writes, and the others read after the barrier.
            unsafe { BEFORE[0] = before };
        }
        thread::sync_threads();
        if i < out.len() {
            // SAFETY: in bounds; no other block has the ticket, so no other thread has `i`. BEFORE was written before the barrier.
            unsafe { *out.get_unchecked_mut(i) = in_block.wrapping_add(BEFORE[0]) };
        }
    }
}

/// The sum over the lanes up to `lane`, the caller's.
fn warp_prefix(mut sum: u32, lane: u32) -> u32 {
    let mut distance = 1;
    while distance < warp::SIZE {
        let below = warp::shuffle_up(sum, distance);
        if lane >= distance {
            sum = sum.wrapping_add(below);
        }
        distance *= 2;
    }
    sum
}

/// Publishes `block`'s own sum and its prefix; the sum of all blocks before it.
fn look_back(published: &[AtomicU64], block: usize, own_sum: u32) -> u32 {
    // The word is all that is published, so no other memory has to be ordered.
    published[block].store(if block == 0 { PREFIX } else { OWN_SUM } | u64::from(own_sum), Ordering::Relaxed);
    let mut before = 0u32;
    let mut other = block;
    while other > 0 {
        let word = published[other - 1].load(Ordering::Relaxed);
        if word < OWN_SUM {
            spin_loop();
            continue;
        }
        before = before.wrapping_add(word as u32);
        if word >= PREFIX {
            break;
        }
        other -= 1;
    }
    published[block].store(PREFIX | u64::from(before.wrapping_add(own_sum)), Ordering::Relaxed);
    before
}
