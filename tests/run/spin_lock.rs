// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of one block that wait for one another in loops make progress: a spin lock, and a flag that the last lane sets.
// RUN: %mirgpu run %mir --kernel lock --grid 2 --block 64 --arg lock=u32[1]:zeros --arg total=u32[1]:zeros --print total | %FileCheck %s --check-prefix=LOCK
// RUN: %mirgpu run %mir --kernel lock --schedule=seed:5 -O0 --grid 2 --block 64 --arg lock=u32[1]:zeros --arg total=u32[1]:zeros --print total | %FileCheck %s --check-prefix=LOCK
// RUN: %mirgpu run %mir --kernel flag --grid 1 --block 64 --arg flag=u32[1]:zeros --arg out=u32[64]:zeros --print flag | %FileCheck %s --check-prefix=FLAG
// RUN: %mirgpu run %mir --kernel test_and_set --grid 2 --block 64 --arg lock=u32:[3] --arg total=u32[1]:zeros --print total | %FileCheck %s --check-prefix=LOCK
// LOCK: total = [128]
// FLAG: flag = [1]
#![no_std]
use core::sync::atomic::{AtomicU32, Ordering};
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn lock(lock: &[AtomicU32], mut total: DisjointSlice<u32>) {
        while lock[0].compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {}
        unsafe {
            let t = total.as_mut_ptr();
            t.write_volatile(t.read_volatile() + 1);
        }
        lock[0].store(0, Ordering::Release);
    }
    /// Locks by operations that write each time they look. Both locks are taken until the last lane comes.
    #[kernel]
    pub fn test_and_set(lock: &[AtomicU32], mut total: DisjointSlice<u32>) {
        if thread::index_1d().get() == 63 {
            lock[0].store(0, Ordering::Release);
        }
        while lock[0].swap(1, Ordering::Acquire) != 0 {}
        while lock[0].fetch_or(2, Ordering::Acquire) & 2 != 0 {}
        unsafe {
            let t = total.as_mut_ptr();
            t.write_volatile(t.read_volatile() + 1);
        }
        lock[0].store(0, Ordering::Release);
    }
    #[kernel]
    pub fn flag(flag: &[AtomicU32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if i.get() == 63 {
            flag[0].store(1, Ordering::Release);
        }
        while flag[0].load(Ordering::Acquire) == 0 {}
        if let Some(o) = out.get_mut(i) {
            *o = 1;
        }
    }
}
