// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: structs and small arrays by value, pairs, closures, function pointers, drop.
// REFERENCE: compute input=[5,1,4,2,3,9,8,7] out=6
// RUN: %mirgpu run %mir --kernel functions --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[6]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel functions -O0 --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[6]:zeros --print out | %FileCheck %s
// CHECK: out = [1416, 6, 9, 5, 18, 6]
#![no_std]
use mirgpu_device::prelude::*;

#[derive(Clone, Copy)]
struct Padded {
    a: u8,
    b: u64,
    c: u16,
}

#[inline(never)]
fn padded(p: Padded) -> Padded {
    Padded { a: p.a + 1, b: p.b * 2, c: p.c ^ 3 }
}

#[inline(never)]
fn three(x: u32) -> [u8; 3] {
    [x as u8, (x + 1) as u8, (x + 2) as u8]
}

#[inline(never)]
fn apply<F: Fn(u32) -> u32>(f: F, x: u32) -> u32 {
    f(f(x))
}

#[inline(never)]
fn pair(x: u32) -> (u32, f32) {
    (x + 1, x as f32)
}

struct Guard<'a>(&'a mut u32);
impl Drop for Guard<'_> {
    fn drop(&mut self) {
        *self.0 += 10;
    }
}

pub fn compute(input: &[u32], out: &mut [u32]) {
    let p = padded(Padded { a: input[0] as u8, b: 7, c: 9 });
    out[0] = p.a as u32 + p.b as u32 * 100 + p.c as u32;
    out[1] = three(input[1]).iter().map(|b| *b as u32).sum();
    let k = input[2];
    out[2] = apply(|x| x + k, 1);
    let (a, b) = pair(input[3]);
    out[3] = a + b as u32;
    let mut n = 0;
    {
        let g = Guard(&mut n);
        *g.0 += input[6];
    }
    out[4] = n;
    let f: fn(u32) -> u32 = if input[0] > 3 { |x| x + 1 } else { |x| x + 2 };
    out[5] = f(input[0]);
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn functions(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
