// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each kind of panic is reported with its message, Rust line, block and thread, and exit code 1.
// RUN: %not 1 %mirgpu run %mir --kernel index --grid 2 --block 4 --arg x=u32[6]:iota --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=INDEX
// RUN: %not 1 %mirgpu run %mir --kernel unwrap --grid 1 --block 4 --arg x=u32[4]:iota --arg out=u32[4]:zeros 2>&1 | %FileCheck %s --check-prefix=UNWRAP
// RUN: %not 1 %mirgpu run %mir --kernel divide --grid 1 --block 4 --arg x=u32[4]:iota --arg out=u32[4]:zeros 2>&1 | %FileCheck %s --check-prefix=DIV
// RUN: %not 1 %mirgpu run %mir --kernel message --grid 1 --block 4 --arg x=u32[4]:iota --arg out=u32[4]:zeros 2>&1 | %FileCheck %s --check-prefix=MSG
// RUN: %not 1 %mirgpu run %mir --kernel expect --grid 1 --block 4 --arg x=u32[4]:iota --arg out=u32[4]:zeros 2>&1 | %FileCheck %s --check-prefix=EXPECT
// RUN: %not 1 %mirgpu run %mir --kernel caller --grid 1 --block 4 --arg x=u32[4]:iota --arg out=u32[4]:zeros 2>&1 | %FileCheck %s --check-prefix=CALLER
// RUN: %mirgpu compile %mir --target=sm_75,sm_90,gfx90a,gfx1100 -o %t.mgpu
// CALLER: thread (3,0,0) of block (0,0,0) panicked at {{.*}}panics.rs:[[#]]:18: index out of bounds: the len is 4 but the index is 6
// INDEX: thread (2,0,0) of block (1,0,0) panicked at {{.*}}panics.rs:[[#]]:{{[0-9]+}}: index out of bounds: the len is 6 but the index is 6
// UNWRAP: thread (0,0,0) of block (0,0,0) panicked at {{.*}}panics.rs:[[#]]:{{[0-9]+}}: called `Option::unwrap()` on a `None` value
// DIV: thread (0,0,0) of block (0,0,0) panicked at {{.*}}panics.rs:[[#]]:{{[0-9]+}}: attempt to divide by zero
// MSG: thread (3,0,0) of block (0,0,0) panicked at {{.*}}panics.rs:[[#]]:{{[0-9]+}}: value {} is too large
// EXPECT: thread (0,0,0) of block (0,0,0) panicked at {{.*}}panics.rs:[[#]]:{{[0-9]+}}: a value was expected
#![no_std]
use mirgpu_device::prelude::*;

#[inline(never)]
fn odd(x: u32) -> Option<u32> {
    if x % 2 == 1 { Some(x) } else { None }
}

#[track_caller]
#[inline(never)]
fn twice(x: &[u32], i: usize) -> u32 {
    if i < 3 { i as u32 } else { x[i * 2] }
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn index(x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let v = x[i.get()];
        if let Some(o) = out.get_mut(i) {
            *o = v;
        }
    }
    #[kernel]
    pub fn unwrap(x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = odd(x[i.get()]).unwrap();
        }
    }
    #[kernel]
    pub fn divide(x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = 12 / x[i.get()];
        }
    }
    #[kernel]
    pub fn message(x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let v = x[i.get()];
        if v > 2 {
            panic!("value {} is too large", v);
        }
        if let Some(o) = out.get_mut(i) {
            *o = v;
        }
    }
    #[kernel]
    pub fn expect(x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = odd(x[i.get()]).expect("a value was expected");
        }
    }
    #[kernel]
    pub fn caller(x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = twice(x, i.get());
        }
    }
}
