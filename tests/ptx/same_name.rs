// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels of one name in two modules: each entry is the shortest path that tells them apart, in letters that PTX takes.
// RUN: %mirgpu compile %mir --target=sm_75 --emit=ptx -o - | %FileCheck %s
// RUN: %mirgpu compile %mir --target=gfx1100,host -o %t.mgpu
// RUN: %mirgpu run %t.mgpu --kernel 'b$$fill' --grid 1 --block 2 --arg out=u32[2]:zeros --print out | %FileCheck %s --check-prefix=HOST
// CHECK-DAG: .entry a$$fill(
// CHECK-DAG: .entry b$$fill(
// HOST: out = [2, 2]
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod a {
    use super::*;
    #[kernel]
    pub fn fill(mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = 1;
        }
    }
}

#[gpu_module]
mod b {
    use super::*;
    #[kernel]
    pub fn fill(mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = 2;
        }
    }
}
