// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unbounded recursion ends the launch with an error that names the kernel; the process lives.
// RUN: %not 1 %mirgpu run %mir --kernel deep --grid 1 --block 4 --arg out=u32[4]:zeros 2>&1 | %FileCheck %s
// CHECK: kernel `deep`{{.*}} stack overflow in thread (0,0,0) of block (0,0,0)
#![no_std]
use mirgpu_device::prelude::*;

#[inline(never)]
fn recurse(n: u32, buffer: &mut [u32; 64]) -> u32 {
    let mut mine = [n; 64];
    mine[(n % 64) as usize] = buffer[((n + 1) % 64) as usize];
    if n == u32::MAX { mine[0] } else { recurse(n + 1, &mut mine).wrapping_add(mine[(n % 7) as usize]) }
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn deep(mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = recurse(0, &mut [1; 64]);
        }
    }
}
