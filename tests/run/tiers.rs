// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each tier of the CPU device admits, and that a panic in a loop over threads ends one thread alone.
// RUN: %mirgpu run %mir --kernel plain --tier=T0 --grid 2 --block 3,2,2 --arg out=u32[24]:zeros --print out | %FileCheck %s --check-prefix=PLAIN
// RUN: %mirgpu run %mir --kernel plain --tier=T0 -O0 --grid 2 --block 3,2,2 --arg out=u32[24]:zeros --print out | %FileCheck %s --check-prefix=PLAIN
// RUN: %mirgpu run %mir --kernel plain --tier=T3 --grid 2 --block 3,2,2 --arg out=u32[24]:zeros --print out | %FileCheck %s --check-prefix=PLAIN
// PLAIN: out = [0, 1, 2, 100, 101, 102, 10000, 10001, 10002, 10100, 10101, 10102, 1000000, 1000001, 1000002, 1000100, 1000101, 1000102, 1010000, 1010001, 1010002, 1010100, 1010101, 1010102]
// RUN: %not 1 %mirgpu run %mir --kernel odd --tier=T0 --grid 3 --block 5 --arg count=u32[1]:zeros 2>&1 | %FileCheck %s --check-prefix=ODD
// RUN: %not 1 %mirgpu run %mir --kernel odd --tier=T3 --grid 3 --block 5 --arg count=u32[1]:zeros 2>&1 | %FileCheck %s --check-prefix=ODD
// ODD: thread (1,0,0) of block (0,0,0) panicked at tiers.rs:{{[0-9]+}}:17: odd
// ODD-NEXT: 7 threads of this launch panicked
// RUN: %mirgpu run %mir --kernel blocks --tier=T0 --grid 3,2,2 --block 2 --arg panics=99 --arg out=u32[24]:zeros --print out | %FileCheck %s --check-prefix=BLOCKS
// RUN: %mirgpu run %mir --kernel blocks --tier=T0 -O0 --grid 3,2,2 --block 2 --arg panics=99 --arg out=u32[24]:zeros --print out | %FileCheck %s --check-prefix=BLOCKS
// RUN: %mirgpu run %mir --kernel blocks --tier=T3 --grid 3,2,2 --block 2 --arg panics=99 --arg out=u32[24]:zeros --print out | %FileCheck %s --check-prefix=BLOCKS
// BLOCKS: out = [0, 0, 1001, 1001, 2002, 2002, 10010, 10010, 11011, 11011, 12012, 12012, 100100, 100100, 101101, 101101, 102102, 102102, 110110, 110110, 111111, 111111, 112112, 112112]
// RUN: %not 1 %mirgpu run %mir --kernel blocks --tier=T0 --grid 3,2,2 --block 2 --arg panics=111 --arg out=u32[24]:zeros 2>&1 | %FileCheck %s --check-prefix=BLOCK
// RUN: %not 1 %mirgpu run %mir --kernel blocks --tier=T3 --grid 3,2,2 --block 2 --arg panics=111 --arg out=u32[24]:zeros 2>&1 | %FileCheck %s --check-prefix=BLOCK
// BLOCK: thread (0,0,0) of block (1,1,1) panicked at tiers.rs:{{[0-9]+}}:13: here
// BLOCK-NEXT: 2 threads of this launch panicked
// RUN: %mirgpu compile %mir --target=host -o %t.mgpu
// RUN: %mirgpu run %t.mgpu --kernel plain --tier=T0 --grid 1 --block 1 --arg out=u32[1]:zeros
// RUN: %not 2 %mirgpu run %t.mgpu --kernel plain --tier=T0 --schedule=reverse --grid 1 --block 1 --arg out=u32[1]:zeros 2>&1 | %FileCheck %s --check-prefix=ORDER
// ORDER: tier T0 does not admit kernel `tiers::kernels::plain`: it runs the threads of a block in ascending order, and the launch asks for another
// RUN: %not 2 %mirgpu run %t.mgpu --kernel barrier --tier=T0 --grid 1 --block 1 --arg out=u32[1]:zeros 2>&1 | %FileCheck %s --check-prefix=BARRIER
// RUN: %not 3 %mirgpu run %mir --kernel barrier --tier=T0 --grid 1 --block 1 --arg out=u32[1]:zeros 2>&1 | %FileCheck %s --check-prefix=BARRIER
// RUN: %not 2 %mirgpu run %t.mgpu --kernel waits --tier=T0 --grid 1 --block 1 --arg flag=u32[1]:zeros 2>&1 | %FileCheck %s --check-prefix=WAITS
// RUN: %mirgpu compile %mir --target=host --tier=T3 -o %t.t3.mgpu
// RUN: %not 2 %mirgpu run %t.t3.mgpu --kernel plain --tier=T0 --grid 1 --block 1 --arg out=u32[1]:zeros 2>&1 | %FileCheck %s --check-prefix=ALONE
// ALONE: tier T0 does not admit kernel `tiers::kernels::plain`: it was compiled for T3 alone
#![no_std]
use core::sync::atomic::{AtomicU32, Ordering};
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;

    #[kernel]
    pub unsafe fn plain(out: &mut [u32]) {
        let (x, y, z) = (thread::thread_idx_x(), thread::thread_idx_y(), thread::thread_idx_z());
        let linear = x + thread::block_dim_x() * (y + thread::block_dim_y() * z);
        let block = thread::block_dim_x() * thread::block_dim_y() * thread::block_dim_z();
        out[(thread::block_idx_x() * block + linear) as usize] = x + 100 * y + 10_000 * z + 1_000_000 * thread::block_idx_x();
    }

    /// Where the calling block is: in a function that is not inlined it is read from memory.
    #[inline(never)]
    fn place() -> u32 {
        thread::block_idx_x() + 10 * thread::block_idx_y() + 100 * thread::block_idx_z()
    }

    #[kernel]
    pub unsafe fn blocks(panics: u32, out: &mut [u32]) {
        let (x, y, z) = (thread::block_idx_x(), thread::block_idx_y(), thread::block_idx_z());
        let block = x + thread::grid_dim_x() * (y + thread::grid_dim_y() * z);
        out[(block * thread::block_dim_x() + thread::thread_idx_x()) as usize] = 1000 * place() + x + 10 * y + 100 * z;
        if place() == panics {
            panic!("here");
        }
    }

    #[kernel]
    pub fn odd(count: &[AtomicU32]) {
        let i = thread::index_1d().get();
        count[0].fetch_add(1, Ordering::Relaxed);
        if i % 2 == 1 {
            if count[0].load(Ordering::Relaxed) > 0 {
                panic!("odd");
            }
        }
        count[0].fetch_add(1, Ordering::Relaxed);
    }

    #[kernel]
    pub fn barrier(mut out: DisjointSlice<u32>) {
        // BARRIER: tier T0 does not admit kernel `tiers::kernels::barrier`: it reaches `thread::sync_threads` at tiers.rs:[[@LINE+1]]:9
        thread::sync_threads();
        let _ = out.get_mut(thread::index_1d());
    }

    #[kernel]
    pub fn waits(flag: &[AtomicU32]) {
        let mut rounds = 0;
        // WAITS: tier T0 does not admit kernel `tiers::kernels::waits`: its loop at tiers.rs:[[@LINE+1]]:9 may wait for what another thread stores
        while flag[0].load(Ordering::Relaxed) != 1 {
            rounds += 1;
            if rounds > 3 {
                return;
            }
        }
    }
}
