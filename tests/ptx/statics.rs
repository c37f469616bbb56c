// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statics in PTX: what the host may set is visible, tables are not; addresses in initialisers; constant memory is `.const`.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - | %FileCheck %s
// CHECK-DAG: .visible .global .align 4 .b8 statics$$COUNTER[4] = {100
// CHECK-DAG: .visible .global .align 8 .b8 statics$$TOTALS[2400];
// CHECK-DAG: .visible .const .align 4 .b8 statics$$COEFFS[12]
// CHECK-DAG: {{^}}.const .align 4 .b8 statics$$LEVELS[1024]
// CHECK-DAG: {{^}}.global .align 2 .b8 statics$$TABLE[24]
// CHECK-DAG: .global .align 8 .u64 statics$$STEPS[4] = {statics$$triple, generic(statics$$TABLE), statics$$less, generic(statics$$TABLE)};
// CHECK-DAG: atom.relaxed.sys.global.add.u32
// CHECK-DAG: ld.const.b32 {{.*}}[statics$$COEFFS+4]
// CHECK-DAG: ld.global.nc.b16
// CHECK-DAG: ld.relaxed.sys.global.b32 {{.*}}[statics$$COUNTER]
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
