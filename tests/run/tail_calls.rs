// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that becomes itself is a loop: a million rounds need no stack, and each argument is made of the old parameters.
// REFERENCE: compute input=[3000000007,4000000001,12345,1000000] out=6
// RUN: %mirgpu run %mir --kernel work --grid 1 --block 1 --arg input=u32:[3000000007,4000000001,12345,1000000] --arg out=u32[6]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel work -O0 --grid 1 --block 1 --arg input=u32:[3000000007,4000000001,12345,1000000] --arg out=u32[6]:zeros --print out | %FileCheck %s
// RUN: %mirgpu compile %mir --target=sm_75,sm_90,gfx90a,gfx1100 -o %t
// RUN: %mirgpu compile %mir --target=host:x86-64-v3 --emit=llvm-ir -O0 -o - | %FileCheck %s --check-prefix=IR
// IR: define {{.*}}tail_calls$$swap
// IR-NOT: call {{.*}}tail_calls$$swap
// IR: ret i32
// CHECK: out = [3842451443, 3995270496, 247, 1, 50, 1000003]
#![no_std]
#![feature(explicit_tail_calls)]
use mirgpu_device::prelude::*;

/// Scalars that change places.
#[inline(never)]
fn swap(a: u32, b: u32, n: u32) -> u32 {
    if n == 0 {
        return a ^ b;
    }
    become swap(b, a.rotate_left(3) ^ n, n - 1)
}

#[derive(Clone, Copy)]
struct Wide([u32; 6], u8);

/// Values in memory that change places, and a pair.
#[inline(never)]
fn blend(a: Wide, b: Wide, x: &[u32]) -> Wide {
    let Some((first, rest)) = x.split_first() else { return a };
    let mut c = b;
    c.0[*first as usize % 6] ^= *first;
    c.1 = c.1.wrapping_add(a.1);
    become blend(c, a, rest)
}

/// By way of a match, with other calls between, and a result in memory.
#[inline(never)]
fn collatz(n: u64, steps: u32) -> (u64, u32) {
    match (n, n % 2) {
        (0 | 1, _) => (n, steps),
        (_, 0) => become collatz(n / 2, steps + 1),
        _ => become collatz(triple(n), steps + 1),
    }
}
#[inline(never)]
fn triple(n: u64) -> u64 {
    n.wrapping_mul(3) + 1
}

/// Generic: the same instance.
#[inline(never)]
fn last<T: Copy>(x: &[T], otherwise: T) -> T {
    if x.is_empty() {
        return otherwise;
    }
    become last(&x[1..], x[0])
}

pub fn compute(x: &[u32], out: &mut [u32]) {
    out[0] = swap(x[0], x[1], x[3]);
    let wide = blend(Wide([1, 2, 3, 4, 5, 6], 250), Wide([9; 6], 7), x);
    out[1] = wide.0.iter().fold(0, |h, v| h * 31 ^ v);
    out[2] = wide.1.into();
    let (n, steps) = collatz(x[2].into(), 0);
    out[3] = n as u32;
    out[4] = steps;
    out[5] = last(x, 5) + u32::from(last(&[1u8, 2, 3], 9));
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn work(input: &[u32], mut out: DisjointSlice<u32>) {
        let n = out.len();
        if thread::index_1d().get() == 0 {
            // SAFETY: one thread has all of it.
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), n) });
        }
    }
}
