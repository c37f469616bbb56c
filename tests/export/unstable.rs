// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What needs unstable features: tail calls, SIMD, f16, 128-bit integers, unions, unsized tails, thread locals, const traits of enums.
// bootstrap
// has: "tail_call"
// has: "kind":"vector"
// has: "thread_local_ref"
// has: "bits":16
// has: "bits":128
// has: "kind":"union"
// has: "metadata":"length"
// has: "name":"simd_
// has: "packed"
#![no_std]
#![feature(explicit_tail_calls, portable_simd, f16, thread_local)]
#![allow(incomplete_features)]
use core::simd::f32x4;

#[thread_local]
static mut LOCAL: u32 = 5;

pub union Either {
    pub int: u32,
    pub float: f32,
}

#[repr(C, packed(2))]
#[derive(Clone, Copy)]
pub struct Packed {
    a: u8,
    b: u64,
}

pub struct Tail<T: ?Sized> {
    head: u16,
    rest: T,
}

#[inline(never)]
fn count(n: u128, acc: u128) -> u128 {
    if n == 0 { acc } else { become count(n - 1, acc + n) }
}

#[inline(never)]
fn total(tail: &Tail<[u32]>) -> u32 {
    tail.head as u32 + tail.rest.iter().sum::<u32>()
}

#[mirgpu_tool::kernel]
pub unsafe fn unstable(n: u64, v: f32x4, h: f16, e: Either, p: &mut Packed, out: &mut f32) {
    unsafe {
        LOCAL += 1;
        *out = (v * v + v).to_array()[0] + h as f32 + e.float;
        p.b = count(n as u128, 0) as u64 + LOCAL as u64 + p.a as u64;
        *out += total(&Tail { head: 1, rest: [1, 2, 3] }) as f32;
    }
}
