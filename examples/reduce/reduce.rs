// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Sums by block: shuffles within a warp, shared memory and one barrier between the warps.
//!
//! Both kernels are launched with blocks of 256 threads and leave one partial sum for each block. The order of the additions is fixed
//! (halves, from lane distance 16 down to 1, then the same over the 8 warps), so the result is the same on every device, bit for bit.
#![no_std]

use mirgpu_device::prelude::*;

/// Threads in a block.
const THREADS: usize = 256;
/// Warps in a block.
const WARPS: usize = THREADS / warp::SIZE as usize;

#[gpu_module]
mod kernels {
    use super::*;

    /// `sums[block]` = sum of the elements of `x` that the block's threads have, 0 where there is none.
    #[kernel]
    #[launch_bounds(256)]
    pub fn block_sum(x: &[f32], mut sums: DisjointSlice<f32>) {
        static mut PARTIAL: SharedArray<f32, WARPS> = SharedArray::UNINIT;

        let own = x.get(thread::index_1d().get()).copied().unwrap_or(0.0);
        let sum = lanes_sum(own, warp::SIZE / 2);
        let (warp_index, lane) = place();
        if lane == 0 {
            // SAFETY: one lane of each warp writes the warp's own element.
            unsafe { PARTIAL[warp_index] = sum };
        }
        thread::sync_threads();
        if warp_index == 0 {
            // SAFETY: written before the barrier, and nobody writes after it.
            let partial = if lane < WARPS {
                unsafe { PARTIAL[lane] }
            } else {
                0.0
            };
            let sum = lanes_sum(partial, WARPS as u32 / 2);
            store_from_first_lane(&mut sums, lane, sum);
        }
    }

    /// The same for integers, which wrap; exchanged with the other kind of shuffle.
    #[kernel]
    #[launch_bounds(256)]
    pub fn block_sum_u32(x: &[u32], mut sums: DisjointSlice<u32>) {
        static mut PARTIAL: SharedArray<u32, WARPS> = SharedArray::UNINIT;

        let own = x.get(thread::index_1d().get()).copied().unwrap_or(0);
        let sum = lanes_sum_u32(own, warp::SIZE / 2);
        let (warp_index, lane) = place();
        if lane == 0 {
            // SAFETY: one lane of each warp writes the warp's own element.
            unsafe { PARTIAL[warp_index] = sum };
        }
        thread::sync_threads();
        if warp_index == 0 {
            // SAFETY: written before the barrier, and nobody writes after it.
            let partial = if lane < WARPS {
                unsafe { PARTIAL[lane] }
            } else {
                0
            };
            let sum = lanes_sum_u32(partial, WARPS as u32 / 2);
            store_from_first_lane(&mut sums, lane, sum);
        }
    }
}

/// Index of the warp in its block, and of the lane in its warp.
fn place() -> (usize, usize) {
    let thread = thread::thread_idx_x() as usize;
    (thread / warp::SIZE as usize, thread % warp::SIZE as usize)
}

/// In lane 0: the sum over the first `2 * distance` lanes.
fn lanes_sum(mut sum: f32, mut distance: u32) -> f32 {
    while distance > 0 {
        sum += warp::shuffle_down(sum, distance);
        distance /= 2;
    }
    sum
}

/// In each of the first `2 * distance` lanes: the sum over them.
fn lanes_sum_u32(mut sum: u32, mut distance: u32) -> u32 {
    while distance > 0 {
        sum = sum.wrapping_add(warp::shuffle_xor(sum, distance));
        distance /= 2;
    }
    sum
}

/// Lane 0 writes the block's result; a block beyond the end of `sums` writes nothing.
fn store_from_first_lane<T>(sums: &mut DisjointSlice<T>, lane: usize, sum: T) {
    let block = thread::block_idx_x() as usize;
    if lane == 0 && block < sums.len() {
        // SAFETY: in bounds, and one thread of each block comes here.
        unsafe { *sums.get_unchecked_mut(block) = sum };
    }
}
