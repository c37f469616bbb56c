// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Litmus tests of the memory model between blocks: what it forbids does not happen. Blocks of 256 threads, and at most 31 of
// them, so that the CPU device gives them to its workers one by one; block 0 lasts until those have started. Of store_buffering
// is known that Relaxed in place of SeqCst is seen on x86-64, as long as two workers run.
// RUN: %mirgpu run %mir --kernel message_passing --grid 31 --block 256 --arg cells=u32[64]:zeros --arg seen=u32[64]:zeros --check seen=u32[64]:zeros
// RUN: %mirgpu run %mir --kernel message_passing_fences --grid 31 --block 256 --arg cells=u32[64]:zeros --arg seen=u32[64]:zeros --check seen=u32[64]:zeros
// RUN: %mirgpu run %mir --kernel store_buffering --grid 31 --block 256 --arg cells=u32[153600]:zeros --arg done=u32[15]:zeros --arg seen=u32[15]:zeros --check seen=u32[15]:zeros
// RUN: %mirgpu run %mir --kernel coherence --grid 31 --block 256 --arg cells=u32[64]:zeros --arg seen=u32[64]:zeros --check seen=u32[64]:zeros
// RUN: %mirgpu run %mir --kernel no_lost_update --grid 31 --block 256 --arg cells=u32[2]:zeros --check cells=u32:[620000,620000]
#![no_std]
use core::sync::atomic::{AtomicU32, Ordering::*, fence};
use mirgpu_device::prelude::*;

const ROUNDS: u32 = 20_000;

/// The pair of a block's first thread, and whether the block is the pair's second; the other threads and block 0 play no part.
fn role() -> Option<(usize, bool)> {
    let block = thread::block_idx_x() as usize;
    if thread::thread_idx_x() > 0 {
        return None;
    }
    if block == 0 {
        let idle = AtomicU32::new(0);
        while idle.fetch_add(1, Relaxed) < ROUNDS {}
        return None;
    }
    Some(((block - 1) / 2, block % 2 == 0))
}

#[gpu_module]
mod kernels {
    use super::*;

    /// Whoever sees the flag sees the data that was written before it.
    #[kernel]
    pub fn message_passing(cells: &[AtomicU32], seen: &[AtomicU32]) {
        let Some((pair, reads)) = role() else { return };
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
        let Some((pair, reads)) = role() else { return };
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
    /// two for what was read, which the pair's last block judges, and one where the two meet, though not for ever: the second
    /// block need not run before the first has ended.
    #[kernel]
    pub fn store_buffering(cells: &[AtomicU32], done: &[AtomicU32], seen: &[AtomicU32]) {
        let Some((pair, second)) = role() else { return };
        let at = |round: u32, cell: usize| &cells[pair * 10240 + round as usize * 5 + cell];
        let (own, other) = (second as usize, !second as usize);
        let mut round = 0;
        while round < 2048 {
            let mut patience = 1000;
            at(round, 4).fetch_add(1, Relaxed);
            while patience > 0 && at(round, 4).load(Relaxed) < 2 {
                patience -= 1;
            }
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
        let Some((pair, reads)) = role() else { return };
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
        if thread::thread_idx_x() > 0 {
            return;
        }
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
