// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scoped atomics lose no update, over blocks too: functions on pointers, types in shared and global memory, floating point.
// RUN: %mirgpu run %mir --kernel count --grid 16 --block 64 --arg total=u32[1]:zeros --arg seen=u32[1024]:zeros --print total | %FileCheck %s
// RUN: %mirgpu run %mir --kernel scoped --grid 16 --block 64 --arg sums=u32[4]:zeros --arg real=f32[1]:zeros --print sums --print real | %FileCheck %s --check-prefix=SCOPED
// RUN: %mirgpu run %mir --kernel scoped -O0 --grid 16 --block 64 --arg sums=u32[4]:zeros --arg real=f32[1]:zeros --print sums --print real | %FileCheck %s --check-prefix=SCOPED
// CHECK: total = [1024]
// SCOPED: sums = [1024, 1023, 0, 1]
// SCOPED: real = [512{{(\.0)?}}]
#![no_std]
use core::sync::atomic::Ordering::*;
use mirgpu_device::atomic::{BlockAtomicU32, DeviceAtomicF32, DeviceAtomicU32, fence, scope};
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn count(mut total: DisjointSlice<u32>, mut seen: DisjointSlice<u32>) {
        let old = unsafe { atomic::device_add(total.as_mut_ptr(), 1) };
        // Each old value is met once: a second visit would make 2.
        let before = unsafe { atomic::device_add(seen.as_mut_ptr().add(old as usize), 1) };
        assert!(before == 0, "an update was lost");
    }
    /// sums: threads, the greatest index, the last block's turn of a lock, whether the lock was ever met.
    #[kernel]
    pub fn scoped(sums: &[DeviceAtomicU32], real: &DeviceAtomicF32) {
        static mut OF_BLOCK: SharedArray<BlockAtomicU32, 1> = SharedArray::UNINIT;
        if thread::thread_idx_x() == 0 {
            // SAFETY: the others wait.
            unsafe { OF_BLOCK[0] = BlockAtomicU32::new(0) };
        }
        thread::sync_threads();
        // SAFETY: initialised, and all threads of the block reach it as an atomic.
        unsafe { &OF_BLOCK[0] }.fetch_add(1, Relaxed);
        real.fetch_add(0.5, Relaxed);
        sums[1].fetch_max(thread::index_1d().get() as u32, Relaxed);
        while sums[2].compare_exchange(0, 1, Acquire, Relaxed).is_err() {}
        sums[3].fetch_or(1, SeqCst);
        fence::<scope::Device>(AcqRel);
        sums[2].store(0, Release);
        thread::sync_threads();
        if thread::thread_idx_x() == 0 {
            sums[0].fetch_add(unsafe { &OF_BLOCK[0] }.load(Acquire), AcqRel);
        }
    }
}
