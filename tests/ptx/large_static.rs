// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of more than 64 KiB lies in global memory and is read through the read-only path; nothing of it is constant memory.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - | %FileCheck %s
// RUN: %mirgpu run %mir --grid 1 --block 4 --arg at=u32:[0,1,65999,300] --arg out=u32[4]:zeros --print out | %FileCheck --check-prefix=VALUES %s
// CHECK-NOT: .const
// CHECK: {{^}}.global .align 1 .b8 large_static$$LARGE[66000]
// CHECK: ld.global.nc.b8
// VALUES: out = [3, 10, 172, 55]
#![no_std]
use mirgpu_device::prelude::*;

static LARGE: [u8; 66000] = {
    let mut table = [0; 66000];
    let mut i = 0;
    while i < 66000 {
        table[i] = (i * 7 + 3) as u8;
        i += 1;
    }
    table
};

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn lookup(at: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = LARGE[at[i.get()] as usize] as u32;
        }
    }
}
