// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier that half of the block never reaches is a report, not a hang: each waiting lane with its Rust line.
// RUN: %not 1 %mirgpu run %mir --kernel tail --grid 1 --block 64 --arg out=u32[64]:zeros 2>&1 | %FileCheck %s
// CHECK: kernel `tail` (launch 1): deadlock in block (0,0,0)
// CHECK: threads (0,0,0) to (31,0,0) wait in `thread::sync_threads` at deadlock.rs:19:13
// CHECK: wait in `warp::shuffle` with mask 0xffffffff at deadlock.rs:22:25
// CHECK: thread (40,0,0) waits in `thread::sync_threads` at deadlock.rs:24:21
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn tail(mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if thread::thread_idx_x() < 32 {
            // The other warp waits at the shuffle of a lane that waits at the barrier.
            thread::sync_threads();
        } else {
            loop {
                let v = warp::shuffle(thread::thread_idx_x(), 0);
                if thread::thread_idx_x() == 40 {
                    thread::sync_threads();
                }
                if v == 1 {
                    break;
                }
            }
        }
        if let Some(o) = out.get_mut(i) {
            *o = 1;
        }
    }
}
