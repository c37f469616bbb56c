// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads before, within and after the range that passes a kernel's guards and checks: tiers agree, also where an index wraps or threads panic.
// RUN: %mirgpu compile %mir --target=host -o %t.mgpu
// RUN: %mirgpu run %t.mgpu --kernel inner --tier=T0 --grid 2 --block 32 --arg base=0 --arg n=40 --arg x=u32[40]:iota --arg out=u32[64]:zeros --print out | %FileCheck %s --check-prefix=INNER
// RUN: %mirgpu run %t.mgpu --kernel inner --tier=T3 --grid 2 --block 32 --arg base=0 --arg n=40 --arg x=u32[40]:iota --arg out=u32[64]:zeros --print out | %FileCheck %s --check-prefix=INNER
// INNER: out = [0, 210, 321, 432, 543, 654, 765, 876, 987, 1098, 1209, 1320, 1431, 1542, 1653, 1764, 1875, 1986, 2097, 2208, 2319, 2430, 2541, 2652, 2763, 2874, 2985, 3096, 3207, 3318, 3429, 3540, 3651, 3762, 3873, 3984, 4095, 4206, 4317, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// RUN: %mirgpu run %t.mgpu --kernel inner --tier=T0 --grid 1 --block 40 --arg base=4294967290 --arg n=20 --arg x=u32[20]:iota --arg out=u32[40]:zeros --print out | %FileCheck %s --check-prefix=WRAPS
// RUN: %mirgpu run %t.mgpu --kernel inner --tier=T3 --grid 1 --block 40 --arg base=4294967290 --arg n=20 --arg x=u32[20]:iota --arg out=u32[40]:zeros --print out | %FileCheck %s --check-prefix=WRAPS
// WRAPS: out = [0, 0, 0, 0, 0, 0, 0, 210, 321, 432, 543, 654, 765, 876, 987, 1098, 1209, 1320, 1431, 1542, 1653, 1764, 1875, 1986, 2097, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// RUN: %mirgpu run %t.mgpu --kernel two --tier=T0 --grid 1 --block 10,3 --arg base=4294967293 --arg x=u32[20]:iota --arg out=u32[30]:zeros --print out | %FileCheck %s --check-prefix=TWO
// RUN: %mirgpu run %t.mgpu --kernel two --tier=T3 --grid 1 --block 10,3 --arg base=4294967293 --arg x=u32[20]:iota --arg out=u32[30]:zeros --print out | %FileCheck %s --check-prefix=TWO
// TWO: out = [7, 7, 7, 18, 19, 20, 21, 22, 23, 24, 17, 17, 17, 38, 39, 40, 41, 42, 43, 44, 27, 27, 27, 58, 59, 60, 61, 62, 63, 64]
// RUN: %mirgpu run %t.mgpu --kernel strides --tier=T0 --grid 2 --block 16 --arg step=3 --arg x=u32[60]:iota --arg out=u32[32]:zeros --print out | %FileCheck %s --check-prefix=STRIDES
// RUN: %mirgpu run %t.mgpu --kernel strides --tier=T3 --grid 2 --block 16 --arg step=3 --arg x=u32[60]:iota --arg out=u32[32]:zeros --print out | %FileCheck %s --check-prefix=STRIDES
// STRIDES: out = [59, 61, 63, 65, 67, 69, 71, 73, 75, 77, 79, 81, 83, 85, 87, 89, 91, 93, 95, 97, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// RUN: %mirgpu run %t.mgpu --kernel wide --tier=T0 --grid 1 --block 8 --arg base=4294967293 --arg out=u64[8]:zeros --print out | %FileCheck %s --check-prefix=WIDE
// RUN: %mirgpu run %t.mgpu --kernel wide --tier=T3 --grid 1 --block 8 --arg base=4294967293 --arg out=u64[8]:zeros --print out | %FileCheck %s --check-prefix=WIDE
// WIDE: out = [8589934586, 8589934588, 8589934590, 0, 2, 4, 6, 8]
// RUN: %mirgpu run %t.mgpu --kernel behind --tier=T0 --grid 1 --block 8 --arg out=u32[8]:zeros --print out | %FileCheck %s --check-prefix=BEHIND
// RUN: %mirgpu run %t.mgpu --kernel behind --tier=T3 --grid 1 --block 8 --arg out=u32[8]:zeros --print out | %FileCheck %s --check-prefix=BEHIND
// BEHIND: out = [0, 0, 0, 4, 5, 6, 7, 8]
// RUN: %mirgpu run %t.mgpu --kernel but_one --tier=T0 --grid 2 --block 4 --arg one=2 --arg out=u32[8]:zeros --print out | %FileCheck %s --check-prefix=BUT
// RUN: %mirgpu run %t.mgpu --kernel but_one --tier=T3 --grid 2 --block 4 --arg one=2 --arg out=u32[8]:zeros --print out | %FileCheck %s --check-prefix=BUT
// BUT: out = [1, 2, 0, 4, 5, 6, 7, 8]
// RUN: %not 1 %mirgpu run %t.mgpu --kernel late --tier=T0 --grid 1 --block 40 --arg x=u32[30]:iota --arg out=u32[40]:zeros 2>&1 | %FileCheck %s --check-prefix=LATE
// RUN: %not 1 %mirgpu run %t.mgpu --kernel late --tier=T3 --grid 1 --block 40 --arg x=u32[30]:iota --arg out=u32[40]:zeros 2>&1 | %FileCheck %s --check-prefix=LATE
// LATE: thread (25,0,0) of block (0,0,0) panicked at thread_ranges.rs:{{[0-9]+}}:27: index out of bounds: the len is 30 but the index is 30
// LATE-NEXT: 15 threads of this launch panicked
// RUN: %not 1 %mirgpu run %t.mgpu --kernel early --tier=T0 --grid 1 --block 40 --arg x=u32[30]:iota --arg out=u32[40]:zeros 2>&1 | %FileCheck %s --check-prefix=EARLY
// RUN: %not 1 %mirgpu run %t.mgpu --kernel early --tier=T3 --grid 1 --block 40 --arg x=u32[30]:iota --arg out=u32[40]:zeros 2>&1 | %FileCheck %s --check-prefix=EARLY
// EARLY: thread (0,0,0) of block (0,0,0) panicked at thread_ranges.rs:{{[0-9]+}}:22: index out of bounds: the len is 30 but the index is 18446744073709551614
// EARLY-NEXT: 10 threads of this launch panicked
// RUN: %not 1 %mirgpu run %t.mgpu --kernel wraps_late --tier=T0 --grid 1 --block 40 --arg base=4294967286 --arg x=u32[20]:iota --arg out=u32[40]:zeros 2>&1 | %FileCheck %s --check-prefix=MIDDLE
// RUN: %not 1 %mirgpu run %t.mgpu --kernel wraps_late --tier=T3 --grid 1 --block 40 --arg base=4294967286 --arg x=u32[20]:iota --arg out=u32[40]:zeros 2>&1 | %FileCheck %s --check-prefix=MIDDLE
// MIDDLE: thread (0,0,0) of block (0,0,0) panicked at thread_ranges.rs:{{[0-9]+}}:23: index out of bounds: the len is 20 but the index is 4294967286
// MIDDLE-NEXT: 20 threads of this launch panicked
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;

    /// Nothing to do at the edges.
    #[kernel]
    pub unsafe fn inner(base: u32, n: u32, x: &[u32], out: &mut [u32]) {
        let t = thread::block_idx_x() * thread::block_dim_x() + thread::thread_idx_x();
        let i = base.wrapping_add(t);
        if i == 0 || i >= n - 1 {
            return;
        }
        let i = i as usize;
        out[t as usize] = x[i - 1] + 10 * x[i] + 100 * x[i + 1];
    }

    /// Other things to do at the edges, and several rows.
    #[kernel]
    pub unsafe fn two(base: u32, x: &[u32], out: &mut [u32]) {
        let (column, row) = (thread::thread_idx_x(), thread::thread_idx_y());
        let at = (row * thread::block_dim_x() + column) as usize;
        let i = base.wrapping_add(column) as usize;
        out[at] = 10 * row + 7;
        if i < x.len() {
            out[at] += 11 + x[i] + 10 * row;
        }
    }

    /// An index that goes by `step`, and one that falls.
    #[kernel]
    pub unsafe fn strides(step: u32, x: &[u32], out: &mut [u32]) {
        let t = thread::block_idx_x() * thread::block_dim_x() + thread::thread_idx_x();
        let i = (t * step) as usize;
        if i < x.len() {
            out[t as usize] = x[i] + x[x.len() - 1 - t as usize];
        }
    }

    /// A wrapped index that no comparison keeps from being counted on.
    #[kernel]
    pub unsafe fn wide(base: u32, out: &mut [u64]) {
        let t = thread::thread_idx_x();
        out[t as usize] = 2 * base.wrapping_add(t) as u64;
    }

    #[kernel]
    pub unsafe fn behind(out: &mut [u32]) {
        let t = thread::thread_idx_x();
        if t > 2 {
            out[t as usize] = t + 1;
        }
    }

    /// Threads behind the one that has nothing to do have something to do.
    #[kernel]
    pub unsafe fn but_one(one: u32, out: &mut [u32]) {
        let t = thread::block_idx_x() * thread::block_dim_x() + thread::thread_idx_x();
        if t != one {
            out[t as usize] = t + 1;
        }
    }

    #[kernel]
    pub unsafe fn late(x: &[u32], out: &mut [u32]) {
        let t = thread::thread_idx_x() as usize;
        if t != 3 {
            out[t] += 1 + x[t + 5];
        }
    }

    #[kernel]
    pub unsafe fn early(x: &[u32], out: &mut [u32]) {
        let t = thread::thread_idx_x() as usize;
        out[t] = 5 + x[t.wrapping_sub(2)];
    }

    #[kernel]
    pub unsafe fn wraps_late(base: u32, x: &[u32], out: &mut [u32]) {
        let t = thread::thread_idx_x();
        let at = t as usize;
        out[at] = 5 + x[base.wrapping_add(t) as usize];
    }
}
