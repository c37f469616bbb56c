// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statics on AMD: what the host may set is a protected symbol, tables are local; constant memory is read by scalar loads where the address is uniform.
// RUN: %mirgpu compile %mir --target=gfx1100 --emit=hsaco -o %t.hsaco && %readelf --dyn-syms %t.hsaco | %FileCheck --check-prefix=SYMBOLS --implicit-check-not=TABLE --implicit-check-not=LEVELS %s
// RUN: %mirgpu compile %mir --target=gfx942 --emit=asm -o - | %FileCheck %s
// SYMBOLS-DAG: 4 OBJECT GLOBAL PROTECTED {{.*}} statics$$COUNTER
// SYMBOLS-DAG: 2400 OBJECT GLOBAL PROTECTED {{.*}} statics$$TOTALS
// SYMBOLS-DAG: 12 OBJECT GLOBAL PROTECTED {{.*}} statics$$COEFFS
// SYMBOLS-DAG: FUNC GLOBAL PROTECTED {{.*}} first
// CHECK-DAG: global_atomic_add
// CHECK-DAG: .quad statics$$triple
#![no_std]
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use mirgpu_device::prelude::*;

static COUNTER: AtomicU32 = AtomicU32::new(100);
static mut TOTALS: [u64; 300] = [0; 300];
static TABLE: [u16; 12] = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144];
#[constant]
static COEFFS: ConstantMemory<[f32; 3]> = ConstantMemory::new([0.5, 2.0, 0.0]);
#[constant]
static LEVELS: [u32; 256] = {
    let mut levels = [0; 256];
    let mut i = 0;
    while i < 256 {
        levels[i] = (i * i) as u32;
        i += 1;
    }
    levels
};
struct Step {
    run: fn(u32) -> u32,
    table: &'static [u16; 12],
}
static STEPS: [Step; 2] = [Step { run: triple, table: &TABLE }, Step { run: less, table: &TABLE }];

fn triple(x: u32) -> u32 {
    x * 3
}
fn less(x: u32) -> u32 {
    x - 1
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn first(mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            let step = &STEPS[i.get() % 2];
            *o = COUNTER.fetch_add(1, Relaxed) + TABLE[i.get() % 12] as u32 + LEVELS[i.get() % 256] + (step.run)(step.table[5] as u32);
            unsafe { TOTALS[i.get() % 300] += 1 };
        }
    }
    #[kernel]
    pub fn second(mut out: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = COEFFS.get_ref()[i.get() % 3] * COEFFS.get_ref()[1] + COUNTER.load(Relaxed) as f32;
        }
    }
}
