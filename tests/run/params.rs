// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kind of kernel parameter: scalars of each width, bool, char, struct by value, tuple, pointer, slices, zero-sized.
// RUN: %mirgpu run %mir --kernel params --grid 1 --block 1 --arg a=7 --arg b=true --arg c=-3 --arg d=2.5 --arg w=18446744073709551615 --arg s=bytes:@%S/params.bin --arg x=u8:[1,2,3] --arg m=u16:[9,9] --arg out=u64[8]:zeros --print out --print m | %FileCheck %s
// CHECK-DAG: out = [7, 1, 253, 5, 18446744073709551615, 1027, 6, 2]
// CHECK-DAG: m = [10, 9]
#![no_std]
use mirgpu_device::prelude::*;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Settings {
    pub a: u8,
    pub b: u32,
    pub c: [u16; 3],
}
#[derive(Clone, Copy)]
pub struct Marker;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    #[allow(clippy::too_many_arguments)]
    pub unsafe fn params(a: u16, b: bool, c: i8, d: f64, w: u64, s: Settings, marker: Marker, x: &[u8], m: &mut [u16], mut out: DisjointSlice<u64>) {
        let _ = marker;
        let mut put = |i: usize, v: u64| {
            if i < out.len() {
                unsafe { *out.get_unchecked_mut(i) = v }
            }
        };
        put(0, a as u64);
        put(1, b as u64);
        put(2, c as u8 as u64);
        put(3, (d * 2.0) as u64);
        put(4, w);
        put(5, s.a as u64 + s.b as u64 + s.c[2] as u64);
        put(6, x.iter().map(|v| *v as u64).sum());
        put(7, m.len() as u64);
        m[0] += 1;
    }
}
