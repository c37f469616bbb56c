// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tail calls of another function and through a pointer.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 -o %t 2>&1 | %FileCheck %s
// RUN: %not 1 %mirgpu compile %mir --target=host -o %t 2>&1 | %FileCheck %s
// CHECK-DAG: error[MG0101]: a tail call of `tail_call_of_another::odd`, another function than its caller, is not supported in kernels yet
// CHECK-DAG: error[MG0101]: a tail call of `tail_call_of_another::even`, another function than its caller, is not supported in kernels yet
// CHECK-DAG: error[MG0101]: a tail call through a pointer or a trait object is not supported in kernels yet
// CHECK-DAG: help: a function may `become` itself, which is a loop; no GPU has other tail calls
#![no_std]
#![feature(explicit_tail_calls)]
use mirgpu_device::prelude::*;

#[inline(never)]
fn even(n: u32) -> u32 {
    if n == 0 { 1 } else { become odd(n - 1) }
}
#[inline(never)]
fn odd(n: u32) -> u32 {
    if n == 0 { 0 } else { become even(n - 1) }
}
#[inline(never)]
fn third(n: u32) -> u32 {
    let f: fn(u32) -> u32 = if n % 2 == 0 { even } else { odd };
    become f(n)
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn work(mut out: DisjointSlice<u32>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = even(*o) + third(*o);
        }
    }
}
