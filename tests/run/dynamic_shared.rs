// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic shared memory: the launch says how much; several arrays carved from it behind the static ones; what reaches beyond it panics; it starts poisoned.
// RUN: %mirgpu run %mir --kernel reverse --shared 32 --grid 2 --block 8 --arg x=u32[16]:iota --arg out=u32[16]:zeros --print out | %FileCheck --check-prefix=REVERSE %s
// RUN: %mirgpu run %mir --kernel reverse -O0 --shared 32 --schedule=seed:3 --grid 2 --block 8 --arg x=u32[16]:iota --arg out=u32[16]:zeros --print out | %FileCheck --check-prefix=REVERSE %s
// RUN: %not 1 %mirgpu run %mir --kernel reverse --shared 31 --grid 1 --block 8 --arg x=u32[16]:iota --arg out=u32[16]:zeros 2>&1 | %FileCheck --check-prefix=SHORT %s
// RUN: %not 1 %mirgpu run %mir --kernel reverse --grid 1 --block 8 --arg x=u32[16]:iota --arg out=u32[16]:zeros 2>&1 | %FileCheck --check-prefix=SHORT %s
// RUN: %not 2 %mirgpu run %mir --kernel carve --shared 232449 --grid 1 --block 4 --arg out=u64[24]:zeros 2>&1 | %FileCheck --check-prefix=REFUSED %s
// RUN: %mirgpu run %mir --kernel carve --shared 48 --grid 2 --block 4 --arg out=u64[24]:zeros --print out | %FileCheck --check-prefix=CARVE %s
// RUN: %mirgpu run %mir --kernel carve -O0 --shared 48 --grid 2 --block 4 --arg out=u64[24]:zeros --print out | %FileCheck --check-prefix=CARVE %s
// RUN: %mirgpu run %mir --kernel sizes --shared 70 --grid 1 --block 1 --arg out=u64[7]:zeros --print out | %FileCheck --check-prefix=SIZES %s
// RUN: %mirgpu run %mir --kernel sizes --grid 1 --block 1 --arg out=u64[7]:zeros --print out | %FileCheck --check-prefix=NONE %s
// RUN: %mirgpu run %mir --kernel leak --shared 64 --grid 3 --block 1 --arg out=u32[3]:zeros --print out | %FileCheck --check-prefix=LEAK %s
// RUN: %not 1 %mirgpu run %mir --kernel misaligned --shared 64 --grid 1 --block 1 --arg out=u32[1]:zeros 2>&1 | %FileCheck --check-prefix=MISALIGNED %s
// REVERSE: out = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]
// SHORT: dynamic_shared.rs:{{[0-9]+}}:{{.*}}slice beyond the launch's dynamic shared memory
// REFUSED: kernel `carve`: 16 bytes of static and 232449 of dynamic shared memory; a block of `cpu` has 232448
// CARVE: out = [1003, 1002, 1001, 1000, 503, 502, 501, 500, 13, 12, 11, 10, 1003, 1002, 1001, 1000, 603, 602, 601, 600, 13, 12, 11, 10]
// SIZES: out = [70, 17, 8, 0, 0, 0, 70]
// NONE: out = [0, 0, 0, 0, 0, 0, 0]
// LEAK: out = [1, 1, 1]
// MISALIGNED: dynamic_shared.rs:{{[0-9]+}}:{{.*}}offset into dynamic shared memory that does not suit the element's alignment
#![no_std]
use mirgpu_device::prelude::*;

static mut STATIC: SharedArray<u32, 4> = SharedArray::UNINIT;

/// Behind a call, the memory is the same.
#[inline(never)]
fn write(byte_offset: usize, index: usize, value: u32) {
    unsafe { DynamicSharedArray::<u32>::offset(byte_offset).add(index).write(value) };
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn reverse(x: &[u32], mut out: DisjointSlice<u32>) {
        let (i, t, n) = (thread::index_1d(), thread::thread_idx_x() as usize, thread::block_dim_x() as usize);
        let mut tile = unsafe { DynamicSharedArray::<u32>::slice(0, n) };
        tile[t] = x[i.get()];
        thread::sync_threads();
        if let Some(o) = out.get_mut(i) {
            *o = tile[n - 1 - t];
        }
    }

    // Static, then 4 u64, then 4 u32: each block's threads read what their opposites wrote.
    #[kernel]
    pub fn carve(mut out: DisjointSlice<u64>) {
        let (b, t) = (thread::block_idx_x() as usize, thread::thread_idx_x() as usize);
        let mut wide = unsafe { DynamicSharedArray::<u64>::slice(0, 4) };
        wide[t] = (500 + 100 * b + t) as u64;
        write(32, t, 10 + t as u32);
        unsafe { STATIC[t] = 1000 + t as u32 };
        thread::sync_threads();
        let narrow = unsafe { DynamicSharedArray::<u32>::slice(32, 4) };
        unsafe {
            *out.get_unchecked_mut(12 * b + t) = STATIC[3 - t] as u64;
            *out.get_unchecked_mut(12 * b + 4 + t) = wide[3 - t];
            *out.get_unchecked_mut(12 * b + 8 + t) = narrow[3 - t] as u64;
        }
    }

    #[kernel]
    pub fn sizes(mut out: DisjointSlice<u64>) {
        let values = [
            DynamicSharedArray::<u8>::size_in_bytes(),
            DynamicSharedArray::<u32>::len(),
            DynamicSharedArray::<u64>::len(),
            DynamicSharedArray::<u8>::get().addr() % 16,
            DynamicSharedArray::<u8, 1024>::get_raw().addr() % 1024,
            DynamicSharedArray::<u128>::is_empty() as usize * (1 - DynamicSharedArray::<u8>::is_empty() as usize),
            DynamicSharedArray::<u8>::offset(DynamicSharedArray::<u8>::len()).addr() - DynamicSharedArray::<u8>::get().addr(),
        ];
        let mut i = 0;
        while i < 7 {
            unsafe { *out.get_unchecked_mut(i) = values[i] as u64 };
            i += 1;
        }
    }

    // What one block leaves is not there for the next: every block finds the same poison.
    #[kernel]
    pub fn leak(mut out: DisjointSlice<u32>) {
        let mut all = unsafe { DynamicSharedArray::<u32>::slice(0, 16) };
        let same = (all[0] == all[15] && all[0] != 12345) as u32;
        all[0] = 12345;
        all[15] = 12345;
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = same;
        }
    }

    #[kernel]
    pub fn misaligned(mut out: DisjointSlice<u32>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = unsafe { *DynamicSharedArray::<u32>::offset(6) };
        }
    }
}
