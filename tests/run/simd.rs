// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Portable SIMD: arithmetic, comparisons, masks, casts, reductions, shuffles, gathers, for every kind of lane and for three lanes.
// REFERENCE: compute input=[3000000007,4000000001,12345,77,9,500000003,1,65536,255,0,4294967295,2147483648,31,7,100,3] out=48
// REQUIRES: exporter
// RUN: env RUSTC_BOOTSTRAP=1 %mirgpu export %s -o %t.mir.json
// RUN: %mirgpu run %t.mir.json --kernel work --grid 1 --block 1 --arg input=u32:[3000000007,4000000001,12345,77,9,500000003,1,65536,255,0,4294967295,2147483648,31,7,100,3] --arg out=u32[48]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %t.mir.json --kernel work -O0 --grid 1 --block 1 --arg input=u32:[3000000007,4000000001,12345,77,9,500000003,1,65536,255,0,4294967295,2147483648,31,7,100,3] --arg out=u32[48]:zeros --print out | %FileCheck %s
// RUN: %mirgpu compile %t.mir.json --target=sm_75,sm_90,gfx90a,gfx1100 -o %t
// RUN: %mirgpu compile %t.mir.json --target=sm_90,gfx1100 -O0 -o %t
// CHECK: out = [921019703, 4047998218, 2495027046, 272732177, 1553802884, 3010274944, 3517820071, 1686095631, 2398175906, 3679178172, 1019016323, 310943232, 2493999910, 2641865638, 2705045134, 2110952963, 4000000076, 3000000007, 2722117644, 1017332763, 2303389371, 0, 200257324, 2903186565, 2818571233, 1086401518, 1326110431, 1473533914, 1080033280, 3766837448, 1761280, 3222142976, 3879398346, 2050, 2493999910, 2493999910, 64250, 3606, 3149920232, 119579144, 5, 536782336, 3852412235, 3847742795, 25266115, 0, 0, 0]
#![no_std]
#![feature(portable_simd)]
use core::simd::cmp::{SimdOrd, SimdPartialEq, SimdPartialOrd};
use core::simd::num::{SimdFloat, SimdInt, SimdUint};
use core::simd::{Mask, Select, Simd, f32x4, f64x4, i8x8, i16x8, i32x4, simd_swizzle, u8x16, u32x4, u64x2};
use mirgpu_device::prelude::*;

struct Out<'a>(&'a mut [u32], usize);
impl Out<'_> {
    fn put(&mut self, v: u64) {
        self.0[self.1] = v as u32 ^ (v >> 32) as u32;
        self.1 += 1;
    }
    fn all(&mut self, bytes: &[u8]) {
        self.put(bytes.iter().fold(5, |h: u64, &b| h.rotate_left(7) ^ u64::from(b)));
    }
}

#[inline(never)]
fn integers(x: &[u32], out: &mut Out) {
    let (a, b) = (u32x4::from_slice(x), u32x4::from_slice(&x[4..]));
    out.all(&bytes32((a + b * a - (b | a) ^ (a & b)).to_array()));
    out.all(&bytes32((a / (b | u32x4::splat(1))).to_array()));
    out.all(&bytes32((a % (b | u32x4::splat(7))).to_array()));
    out.all(&bytes32((a << (b & u32x4::splat(31))).to_array()));
    out.all(&bytes32((a >> (b % u32x4::splat(32))).to_array()));
    let (s, t) = (a.cast::<i32>(), b.cast::<i32>());
    out.all(&bytes32((s >> (t & i32x4::splat(15))).cast::<u32>().to_array()));
    out.all(&bytes32((-s / (t | i32x4::splat(3))).cast::<u32>().to_array()));
    out.all(&bytes32((!s).abs().cast::<u32>().to_array()));
    out.all(&bytes32(s.saturating_add(t).cast::<u32>().to_array()));
    out.all(&bytes32(a.saturating_sub(b).to_array()));
    out.all(&bytes32(a.swap_bytes().reverse_bits().to_array()));
    out.all(&bytes32((a.count_ones() + a.leading_zeros() * b.trailing_zeros()).to_array()));
    out.all(&bytes32(a.simd_min(b).to_array()));
    out.all(&bytes32(s.simd_max(t).cast::<u32>().to_array()));
    out.put(a.reduce_sum().into());
    out.put(a.reduce_product().into());
    out.put(u64::from(a.reduce_min()) << 32 | u64::from(a.reduce_max()));
    out.put(s.reduce_min() as u32 as u64);
    out.put(u64::from(a.reduce_and()) << 32 | u64::from(a.reduce_or() ^ a.reduce_xor()));
    let wide = u64x2::from_array([u64::from(x[0]) << 20 | 5, u64::from(x[1])]) * u64x2::splat(x[2].into());
    out.put(wide.reduce_sum());
    let bytes = u8x16::from_array(core::array::from_fn(|i| x[i] as u8));
    out.all((bytes * bytes + u8x16::splat(3)).as_array());
    let narrow = i16x8::from_array(core::array::from_fn(|i| x[i] as i16));
    out.put(narrow.saturating_sub(narrow.reverse()).cast::<i64>().reduce_sum() as u64);
}

fn bytes32(v: [u32; 4]) -> [u8; 16] {
    core::array::from_fn(|i| v[i / 4].to_le_bytes()[i % 4])
}

#[inline(never)]
fn floats(x: &[u32], out: &mut Out) {
    let a = f32x4::from_array(core::array::from_fn(|i| x[i] as f32 / 3.0 - 1e6));
    let b = u32x4::from_slice(&x[4..]).cast::<f32>() + f32x4::splat(0.5);
    out.all(&bytes32((a * b - a / b).to_bits().to_array()));
    out.all(&bytes32((a % b).to_bits().to_array()));
    out.all(&bytes32((-a).abs().to_bits().to_array()));
    out.all(&bytes32(a.simd_max(b).simd_min(f32x4::splat(1e8)).to_bits().to_array()));
    out.put(a.reduce_sum().to_bits().into());
    out.put(b.reduce_product().to_bits().into());
    out.put(f32x4::from_array([3.5, f32::NAN, -1.0, 2.0]).reduce_max().to_bits().into());
    // Casts saturate, NaN is zero.
    let odd = f32x4::from_array([f32::NAN, 1e20, -1e20, -3.7]);
    out.all(&bytes32(odd.cast::<i32>().cast::<u32>().to_array()));
    out.all(&bytes32(odd.cast::<u8>().cast::<u32>().to_array()));
    let d = f64x4::from_array(core::array::from_fn(|i| f64::from(x[i + 2]) * 1.25));
    out.put((d.cast::<f32>().cast::<f64>() - d).reduce_sum().to_bits());
    out.put(d.recip().to_bits().reduce_xor());
}

#[inline(never)]
fn masks(x: &[u32], out: &mut Out) {
    let (a, b) = (u32x4::from_slice(x), u32x4::from_slice(&x[4..]));
    let less = a.simd_lt(b) | a.simd_eq(u32x4::splat(77));
    out.put(less.to_bitmask() << 8 | u64::from(less.any()) << 1 | u64::from(less.all()));
    out.all(&bytes32(less.select(a, b).to_array()));
    out.all(&bytes32(Mask::<i32, 4>::from_bitmask(u64::from(x[13])).select(b, a).to_array()));
    let s = i8x8::from_array(core::array::from_fn(|i| x[i + 8] as i8));
    out.put(s.simd_ge(i8x8::splat(0)).to_bitmask() << 8 | s.simd_ne(i8x8::splat(-1)).to_bitmask());
    let nan = f32x4::from_array([f32::NAN, 0.0, -0.0, 1.0]);
    out.put(nan.simd_eq(nan).to_bitmask() << 8 | nan.simd_ne(nan).to_bitmask() << 4 | nan.simd_le(f32x4::splat(0.0)).to_bitmask());
}

#[inline(never)]
fn lanes(x: &[u32], out: &mut Out) {
    let (a, b) = (u32x4::from_slice(x), u32x4::from_slice(&x[4..]));
    out.all(&bytes32(simd_swizzle!(a, b, [7, 0, 3, 4]).to_array()));
    out.all(&bytes32(a.interleave(b).1.rotate_elements_left::<1>().to_array()));
    let mut c = a;
    c[x[13] as usize % 4] = 5;
    out.put(u64::from(c[x[12] as usize % 4]));
    let at = Simd::<usize, 4>::from_array([15, 3, 400, 8]);
    out.all(&bytes32(Simd::gather_or(x, at, u32x4::splat(9)).to_array()));
    let mut store = [1u32; 8];
    a.scatter(&mut store, Simd::from_array([7, 0, 99, 2]));
    out.all(&bytes32([store[7], store[0], store[2], store[3]]));
    out.all(&bytes32(u32x4::load_or_default(&x[..3]).to_array()));
    // Three lanes: no power of two, and packed.
    let three = Simd::<u32, 3>::from_array([x[0], x[1], x[2]]);
    let other = three * Simd::splat(3) + Simd::from_slice(&x[5..8]);
    out.put(u64::from(other.reduce_sum()) << 32 | other.simd_gt(three).to_bitmask());
}

pub fn compute(x: &[u32], out: &mut [u32]) {
    let mut out = Out(out, 0);
    integers(x, &mut out);
    floats(x, &mut out);
    masks(x, &mut out);
    lanes(x, &mut out);
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
