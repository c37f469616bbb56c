// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statics that the host sets before a launch and reads after it; constant memory; counters that parallel blocks share.
// RUN: %mirgpu run %mir --kernel count --grid 64 --block 128 --arg steps=u32:[3] --print TOTAL --print LAST | %FileCheck --check-prefix=COUNT %s
// RUN: %mirgpu run %mir --kernel count -O0 --grid 7 --block 32 --arg steps=u32:[2] --set TOTAL=100 --set host_statics::LAST=u32:[9,9] --print TOTAL --print LAST | %FileCheck --check-prefix=SET %s
// RUN: %mirgpu run %mir --kernel polynomial --grid 1 --block 4 --arg x=f32[4]:iota --arg y=f32[4]:zeros --print y | %FileCheck --check-prefix=INITIAL %s
// RUN: %mirgpu run %mir --kernel polynomial --grid 1 --block 4 --arg x=f32[4]:iota --arg y=f32[4]:zeros --set COEFFS=f32:[1,2,3] --print y --check COEFFS=f32:[1,2,3] | %FileCheck --check-prefix=CHANGED %s
// RUN: %not 2 %mirgpu run %mir --kernel polynomial --grid 1 --block 4 --arg x=f32[4]:iota --arg y=f32[4]:zeros --set COEFFS=f32:[1,2] 2>&1 | %FileCheck --check-prefix=SHORT %s
// RUN: %not 2 %mirgpu run %mir --kernel polynomial --grid 1 --block 4 --arg x=f32[4]:iota --arg y=f32[4]:zeros --set COEFFS=u32:[1,2,3] 2>&1 | %FileCheck --check-prefix=KIND %s
// RUN: %not 2 %mirgpu run %mir --kernel polynomial --grid 1 --block 4 --arg x=f32[4]:iota --arg y=f32[4]:zeros --set TABLE=f32:[1,2,3] 2>&1 | %FileCheck --check-prefix=NOTHERE %s
// COUNT: TOTAL = [24576]
// COUNT: LAST = [8191, 3]
// SET: TOTAL = [548]
// SET: LAST = [223, 2]
// INITIAL: y = [10.5, 12.5, 14.5, 16.5]
// CHANGED: y = [11.0, 16.0, 27.0, 44.0]
// SHORT: `--set COEFFS`: 8 bytes where `{{.*}}ConstantMemory<[f32;3]>` has 12
// KIND: `--set COEFFS`: elements are u32, and the static holds f32
// NOTHERE: has no static `TABLE` that the host can reach; it has `host_statics::COEFFS`
#![no_std]
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use mirgpu_device::prelude::*;

static TOTAL: AtomicU64 = AtomicU64::new(0);
static mut LAST: [u32; 2] = [0; 2];
static DONE: AtomicU32 = AtomicU32::new(0);
#[constant]
static COEFFS: ConstantMemory<[f32; 3]> = ConstantMemory::new([0.5, 2.0, 0.0]);
#[constant]
static TABLE: [f32; 4] = [10.0; 4];

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn count(steps: &[u32]) {
        TOTAL.fetch_add(steps[0] as u64, Relaxed);
        let threads = thread::grid_dim_x() * thread::block_dim_x();
        let before = DONE.fetch_add(1, Relaxed);
        if before == threads - 1 {
            unsafe { LAST = [before, steps[0]] };
        }
    }

    #[kernel]
    pub fn polynomial(x: &[f32], mut y: DisjointSlice<f32>) {
        let (i, c) = (thread::index_1d(), COEFFS.get_ref());
        if let Some(yi) = y.get_mut(i) {
            let v = x[i.get()];
            *yi = TABLE[i.get() % 4] + c[0] + v * (c[1] + v * c[2]);
        }
    }
}
