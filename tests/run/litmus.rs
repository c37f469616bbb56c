// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Litmus tests of the memory model between blocks: what it forbids does not happen.
// RUN: %mirgpu run %mir --kernel message_passing --grid 64 --block 1 --arg cells=u32[64]:zeros --arg seen=u32[64]:zeros --check seen=u32[64]:zeros
// RUN: %mirgpu run %mir --kernel message_passing_fences --grid 64 --block 1 --arg cells=u32[64]:zeros --arg seen=u32[64]:zeros --check seen=u32[64]:zeros
// RUN: %mirgpu run %mir --kernel store_buffering --grid 16 --block 1 --arg cells=u32[16384]:zeros --arg done=u32[8]:zeros --arg seen=u32[8]:zeros --check seen=u32[8]:zeros
// RUN: %mirgpu run %mir --kernel coherence --grid 64 --block 1 --arg cells=u32[64]:zeros --arg seen=u32[64]:zeros --check seen=u32[64]:zeros
// RUN: %mirgpu run %mir --kernel no_lost_update --grid 64 --block 4 --arg cells=u32[2]:zeros --check cells=u32:[256000,256000]
#![no_std]
use core::sync::atomic::{AtomicU32, Ordering::*, fence};
use mirgpu_device::prelude::*;

const ROUNDS: u32 = 1000;

/// The block's pair, and whether it is the pair's second.
fn role() -> (usize, bool) {
    let block = thread::block_idx_x() as usize;
    (block / 2, block % 2 == 1)
}

#[gpu_module]
mod kernels {
    use super::*;

    /// Whoever sees the flag sees the data that was written before it.
    #[kernel]
    pub fn message_passing(cells: &[AtomicU32], seen: &[AtomicU32]) {
        let (pair, reads) = role();
        let (data, flag) = (&cells[2 * pair], &cells[2 * pair + 1]);
        let mut round = 0;
        while round < ROUNDS {
            round += 1;
            if reads {
                let flag = flag.load(Acquire);
                if data.load(Relaxed) < flag {
                    seen[pair].store(round, Relaxed);
                }
            } else {
                data.store(round, Relaxed);
                flag.store(round, Release);
            }
        }
    }

    #[kernel]
    pub fn message_passing_fences(cells: &[AtomicU32], seen: &[AtomicU32]) {
        let (pair, reads) = role();
        let (data, flag) = (&cells[2 * pair], &cells[2 * pair + 1]);
        let mut round = 0;
        while round < ROUNDS {
            round += 1;
            if reads {
                let flag = flag.load(Relaxed);
                fence(Acquire);
                if data.load(Relaxed) < flag {
                    seen[pair].store(round, Relaxed);
                }
            } else {
                data.store(round, Relaxed);
                fence(Release);
                flag.store(round, Relaxed);
            }
        }
    }

    /// With SeqCst not both read what was there before the other's write. Each round has cells of its own: two that are written,
    /// and two for what was read, which the pair's last block judges.
    #[kernel]
    pub fn store_buffering(cells: &[AtomicU32], done: &[AtomicU32], seen: &[AtomicU32]) {
        let (pair, second) = role();
        let at = |round: u32, cell: usize| &cells[pair * 2048 + round as usize * 4 + cell];
        let (own, other) = (second as usize, !second as usize);
        let mut round = 0;
        while round < 512 {
            at(round, own).store(1, SeqCst);
            let read = at(round, other).load(SeqCst);
            at(round, 2 + own).store(read, Relaxed);
            round += 1;
        }
        if done[pair].fetch_add(1, AcqRel) == 1 {
            while round > 0 {
                round -= 1;
                if at(round, 2).load(Relaxed) == 0 && at(round, 3).load(Relaxed) == 0 {
                    seen[pair].store(1, Relaxed);
                }
            }
        }
    }

    /// One location does not go back.
    #[kernel]
    pub fn coherence(cells: &[AtomicU32], seen: &[AtomicU32]) {
        let (pair, reads) = role();
        let mut round = 0;
        while round < ROUNDS {
            round += 1;
            if reads {
                let first = cells[pair].load(Relaxed);
                if cells[pair].load(Relaxed) < first {
                    seen[pair].store(round, Relaxed);
                }
            } else {
                cells[pair].store(round, Relaxed);
            }
        }
    }

    #[kernel]
    pub fn no_lost_update(cells: &[AtomicU32]) {
        let mut round = 0;
        while round < ROUNDS {
            round += 1;
            cells[0].fetch_add(1, Relaxed);
            let mut old = cells[1].load(Relaxed);
            while let Err(now) = cells[1].compare_exchange_weak(old, old + 1, Relaxed, Relaxed) {
                old = now;
            }
        }
    }
}
