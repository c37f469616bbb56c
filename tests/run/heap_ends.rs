// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A heap that is too small is a panic, and what is not freed is counted: allocations, not bytes.
// REQUIRES: exporter
// RUN: %mirgpu export %s -o %t.mir.json
// RUN: %not 1 %mirgpu run %t.mir.json --kernel large --grid 1 --block 1 --arg n=3000000 --arg out=u32[1]:zeros 2>&1 | %FileCheck %s --check-prefix=SMALL
// RUN: %mirgpu run %t.mir.json --kernel large --grid 1 --block 1 --arg n=3000000 --heap 20000000 --arg out=u32[1]:zeros --print out 2>&1 | %FileCheck %s --check-prefix=ROOM
// RUN: %not 1 %mirgpu run %t.mir.json --kernel many --grid 1 --block 32 --arg n=1000 --heap 100000 --arg out=u32[32]:zeros 2>&1 | %FileCheck %s --check-prefix=SMALL
// RUN: %not 1 %mirgpu run %t.mir.json --kernel large --grid 1 --block 1 --arg n=1 --heap 1 --arg out=u32[1]:zeros 2>&1 | %FileCheck %s --check-prefix=SMALL
// RUN: %mirgpu run %t.mir.json --kernel leaks --grid 2 --block 64 --arg n=3 --arg out=u32[128]:zeros 2>&1 | %FileCheck %s --check-prefix=LEAKS
// RUN: %mirgpu run %t.mir.json --kernel leaks --grid 1 --block 1 --arg n=9999 --arg out=u32[1]:zeros 2>&1 | %FileCheck %s --check-prefix=ONE
// RUN: %mirgpu run %t.mir.json --kernel leaks --grid 1 --block 1 --arg n=0 --arg out=u32[1]:zeros --print out 2>&1 | %FileCheck %s --check-prefix=NONE
// SMALL: panicked at <mirgpu>/mirgpu-device/src/heap.rs:{{[0-9:]+}}: memory allocation of {{.*}} bytes failed
// ROOM-NOT: freed
// ROOM: out = [7]
// LEAKS: warning: kernel `leaks` (launch 1): 384 allocations were not freed when the launch ended
// ONE: warning: kernel `leaks` (launch 1): 1 allocation was not freed when the launch ended
// NONE-NOT: freed
// NONE: out = [0]
#![no_std]
extern crate alloc;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use mirgpu_device::prelude::*;

#[gpu_module(heap)]
mod kernels {
    use super::*;
    #[kernel]
    pub fn large(n: u64, mut out: DisjointSlice<u32>) {
        let v = vec![7u32; n as usize];
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = v[n as usize / 2];
        }
    }
    #[kernel]
    pub fn many(n: u64, mut out: DisjointSlice<u32>) {
        let all: Vec<Box<[u64; 20]>> = (0..n).map(|i| Box::new([i; 20])).collect();
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = all.len() as u32;
        }
    }
    #[kernel]
    pub fn leaks(n: u64, mut out: DisjointSlice<u32>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            if n > 100 {
                // One run of chunks is one allocation.
                *o = vec![1u8; n as usize].leak().len() as u32;
                return;
            }
            for i in 0..n {
                *o += *Box::leak(Box::new(i as u32));
            }
        }
    }
}
