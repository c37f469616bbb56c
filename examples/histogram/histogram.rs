// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How often each byte occurs: by atomics on global memory, and by a histogram of each block in shared memory.
#![no_std]

use core::sync::atomic::{AtomicU32, Ordering};

use mirgpu_device::prelude::*;

/// Values of a byte.
const BINS: usize = 256;

#[gpu_module]
mod kernels {
    use super::*;

    /// Adds to `bins[b]` how often the byte `b` occurs. Any number of blocks and threads.
    #[kernel]
    pub fn histogram_global(bytes: &[u8], bins: &[AtomicU32]) {
        for i in (thread::index_1d().get()..bytes.len()).step_by(threads()) {
            bins[bytes[i] as usize].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The same: each block counts for itself, then adds what it has.
    #[kernel]
    pub fn histogram(bytes: &[u8], bins: &[AtomicU32]) {
        static mut COUNTS: SharedArray<u32, BINS> = SharedArray::UNINIT;
        // SAFETY: a static mut of this program.
        let counts = unsafe { SharedArray::as_raw_mut_ptr(&raw mut COUNTS) };

        let mine = (thread::thread_idx_x() as usize..BINS).step_by(thread::block_dim_x() as usize);
        for bin in mine.clone() {
            // SAFETY: in bounds, and the bin is this thread's until the barrier.
            unsafe { *counts.add(bin) = 0 };
        }
        thread::sync_threads();
        for i in (thread::index_1d().get()..bytes.len()).step_by(threads()) {
            // SAFETY: in bounds, since a byte has 256 values; between the barriers the block's threads add by atomics alone.
            unsafe { atomic::block_add(counts.add(bytes[i] as usize), 1) };
        }
        thread::sync_threads();
        for bin in mine {
            // SAFETY: in bounds, and nobody writes after the barrier.
            let count = unsafe { *counts.add(bin) };
            if count > 0 {
                bins[bin].fetch_add(count, Ordering::Relaxed);
            }
        }
    }
}

/// Threads in the launch, which has one dimension.
fn threads() -> usize {
    thread::grid_dim_x() as usize * thread::block_dim_x() as usize
}
