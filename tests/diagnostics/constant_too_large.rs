// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA targets have 64 KiB of constant memory for a module: the static with which there is more is named, with its size; AMD and the CPU have no such limit.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 -o %t 2>&1 | %FileCheck %s
// RUN: %mirgpu compile %mir --target=gfx1100 -o %t
// CHECK: error[MG0202]: with the 4096 bytes of `constant_too_large::SMALL` this module needs 69536 bytes of constant memory; sm_90 has 65536
// CHECK: --> {{.*}}constant_too_large.rs:17:
// CHECK: required by kernel `constant_too_large::kernels::lookup`, through `constant_too_large::small`
// CHECK: help: leave out `#[constant]`
#![no_std]
use mirgpu_device::prelude::*;

#[constant]
static LARGE: [[u8; 1 << 12]; 15] = [[1; 1 << 12]; 15];
#[constant]
static MIDDLE: [u8; 4000] = [2; 4000];
#[constant]
static SMALL: ConstantMemory<[u32; 1024]> = ConstantMemory::UNINIT;

#[inline(never)]
fn small(i: usize) -> u32 {
    SMALL.get_ref()[i % 1024]
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn lookup(mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = LARGE[3][i.get() % 4096] as u32 + MIDDLE[i.get() % 4000] as u32 + small(i.get());
        }
    }
}
