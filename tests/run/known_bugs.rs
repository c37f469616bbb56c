// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What users of other GPU compilers for Rust and Julia met as a wrong value or a refusal: a function for each, with stock rustc's answer.
// REFERENCE: compute input=[3,1,4,1,5,9,2,6,5,3,5,8,9,7,9,3] out=24
// REQUIRES: exporter
// RUN: %mirgpu export %s -o %t.mir.json
// RUN: %mirgpu run %t.mir.json --kernel work --grid 1 --block 1 --arg input=u32:[3,1,4,1,5,9,2,6,5,3,5,8,9,7,9,3] --arg out=u32[24]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %t.mir.json --kernel work -O0 --grid 1 --block 1 --arg input=u32:[3,1,4,1,5,9,2,6,5,3,5,8,9,7,9,3] --arg out=u32[24]:zeros --print out | %FileCheck %s
// RUN: %mirgpu compile %t.mir.json --target=sm_75,sm_90,gfx90a,gfx1100 -o %t
// RUN: %mirgpu compile %t.mir.json --target=sm_90,gfx1100 -O0 -o %t
// CHECK: out = [1, 9, 2, 13147206, 15, 0, 0, 8064, 1082130432, 1082130432, 1072693248, 1, 84, 113, 38, 1069547524, 1502321552, 760, 3, 59, 2162163974, 256, 3149231543, 39]
#![no_std]
use mirgpu_device::prelude::*;

#[derive(Clone, Copy)]
struct Point {
    x: u32,
    y: u64,
}

/// cuda-oxide 120: the run-time index of `&a[i].f` was lost.
#[inline(never)]
fn reference_to_field(points: &[Point; 4], i: usize) -> u32 {
    let r = &points[i].x;
    *r
}

#[repr(u32)]
#[derive(Clone, Copy)]
enum Tagged {
    A = 1,
    B(u8),
}
/// cuda-oxide 118, 119: the stride of a `#[repr(u32)]` enum.
#[inline(never)]
fn stride(all: &[Tagged], i: usize) -> u32 {
    match all[i] {
        Tagged::A => 1000,
        Tagged::B(v) => v.into(),
    }
}

/// cuda-oxide 123: float `!=` as an ordered comparison.
#[inline(never)]
#[allow(clippy::eq_op)]
fn is_nan(x: f32) -> bool {
    x != x
}

/// cuda-oxide 128: a field of a reordered, padded struct by value.
#[derive(Clone, Copy)]
struct Padded {
    a: u8,
    b: u64,
    c: u16,
}
#[inline(never)]
fn padded(s: Padded) -> u64 {
    u64::from(s.a) << 48 | u64::from(s.c) << 32 | s.b
}

#[derive(Clone, Copy)]
enum Shape {
    Dot,
    Line(u32),
    Box { w: u16, h: u16 },
}
/// cuda-oxide 131: `match xs[i]` read element 0.
#[inline(never)]
fn match_indexed(all: [Shape; 4], i: usize) -> u32 {
    match all[i] {
        Shape::Dot => 1,
        Shape::Line(l) => l,
        Shape::Box { w, h } => u32::from(w) * u32::from(h),
    }
}

#[derive(Clone, Copy, Default)]
struct Deep {
    rows: [[(u8, [u16; 3]); 2]; 3],
}
/// cuda-oxide 27: an assignment through a nested projection was dropped.
#[inline(never)]
fn nested_store(d: &mut Deep, i: usize, j: usize, k: usize, v: u16) {
    d.rows[i][j].1[k] = v;
    d.rows[i][1 - j].0 = v as u8;
}

/// cuda-oxide 62, 390, 391: `min` and `max` of NaN and of zeros.
#[inline(never)]
fn extremes(a: f32, b: f64) -> [u64; 4] {
    [
        u64::from(a.max(f32::NAN).to_bits()),
        u64::from(f32::NAN.min(a).to_bits()),
        b.max(f64::NAN).to_bits(),
        u64::from((a * 0.0).max(0.0) == 0.0),
    ]
}

/// cuda-oxide 21: `step_by`.
#[inline(never)]
fn steps(n: usize) -> u32 {
    (0..n).step_by(4).map(|i| i as u32).sum()
}

/// cuda-oxide 126, 472, 470, 640: part slices, `split_at_mut`, a field of an element as a target.
#[inline(never)]
fn slices(y: &mut [u32], points: &mut [Point]) -> u32 {
    let (left, right) = y.split_at_mut(3);
    left[0] += right[1];
    right[0] ^= left[2];
    points[1].y = 77;
    y[1..].iter().sum::<u32>() + points[1].y as u32
}

/// cuda-oxide 138, 345: an array by value in a loop, a closure within a generic function.
#[inline(never)]
fn mapped<T: Copy + Into<u64>>(x: [T; 3], k: u64) -> u64 {
    let mut sum = 0;
    for v in x {
        sum += Some(v).map(|v| v.into() * k).unwrap_or(1);
    }
    sum
}

/// cuda-oxide 79: a tuple as a result.
#[inline(never)]
fn tuple(x: u32) -> (u32, f32) {
    (x + 1, x as f32 / 2.0)
}

/// Rust-CUDA 40: 128-bit integers, `match` on one too.
#[inline(never)]
fn wide(a: u128, b: i128) -> u128 {
    let product = a.wrapping_mul(b as u128);
    let (quotient, rest) = (product / (a >> 3 | 1), b % 1_000_000_007);
    match a {
        0 => 1,
        0xFFFF_FFFF_FFFF_FFFF_FFFF => 2,
        _ => quotient ^ (rest as u128) << 100 ^ (b >> 77) as u128,
    }
}

/// rust 97174: a result of three bytes.
#[inline(never)]
fn three_bytes(x: u32) -> [u8; 3] {
    [x as u8, (x >> 3) as u8, 9]
}

#[repr(align(16))]
#[derive(Clone, Copy)]
struct Aligned([f32; 3]);
#[repr(C, packed(2))]
#[derive(Clone, Copy)]
struct Packed {
    a: u8,
    b: u32,
    c: u64,
}
#[derive(Clone, Copy)]
struct Seven([f32; 7]);
/// CUDA.jl 3034, 2963, 548: alignment within tuples, of packed and of over-aligned structs.
#[inline(never)]
fn alignments(t: (u8, Seven, Aligned), p: &[Packed], i: usize) -> u64 {
    let Packed { a, b, c } = p[i];
    u64::from(t.1.0.iter().sum::<f32>().to_bits()) + u64::from(t.2.0[2].to_bits()) + u64::from(t.0) + u64::from(a) + u64::from(b) + c
}

/// GPUCompiler 372: `1 << n`.
#[inline(never)]
fn shifted(n: u32) -> u64 {
    (1u64 << (n % 64)) | u64::from(1u32 << (n % 32))
}

/// cuda-oxide 454: recursion in a function of another crate (core's quicksort).
#[inline(never)]
fn sorted(x: &[u32]) -> u32 {
    let mut all = [0u32; 64];
    for (i, a) in all.iter_mut().enumerate() {
        *a = x[i % x.len()].wrapping_mul(2654435761).rotate_left(i as u32);
    }
    all.sort_unstable();
    all.iter().fold(1, |h, v| h.wrapping_mul(31) ^ v)
}

/// rust 38789, 147672: names of generic instances and closures.
#[inline(never)]
fn named<F: Fn(u32) -> u32, const N: usize>(f: F) -> u32 {
    (0..N as u32).map(f).sum()
}

pub fn compute(x: &[u32], out: &mut [u32]) {
    let at = x[0] as usize;
    let mut points: [Point; 4] = core::array::from_fn(|i| Point { x: x[i], y: 1 << i });
    let tagged = [Tagged::A, Tagged::B(7), Tagged::A, Tagged::B(x[5] as u8)];
    let mut y: [u32; 6] = core::array::from_fn(|i| x[i + 3]);
    let mut deep = Deep::default();
    nested_store(&mut deep, 2, x[1] as usize, x[6] as usize, 500);
    let shapes = [Shape::Dot, Shape::Line(5), Shape::Dot, Shape::Box { w: 3, h: x[4] as u16 }];
    let packed = [Packed { a: 1, b: x[2], c: 1 << 40 }; 3];
    let mut n = 0;
    let mut put = |v: u64| {
        out[n] = v as u32 ^ (v >> 32) as u32;
        n += 1;
    };
    put(reference_to_field(&points, at).into());
    put(stride(&tagged, at).into());
    put(u64::from(is_nan(f32::NAN)) << 1 | u64::from(is_nan(x[0] as f32)));
    put(padded(Padded { a: 200, b: x[7].into(), c: 40000 }));
    put(match_indexed(shapes, at).into());
    for row in deep.rows {
        put(row.iter().fold(0, |h: u64, e| h * 31 + u64::from(e.0) + e.1.iter().map(|&v| u64::from(v)).sum::<u64>()));
    }
    extremes(x[2] as f32, x[3].into()).into_iter().for_each(&mut put);
    put(steps(x[5] as usize * 3).into());
    put(slices(&mut y, &mut points).into());
    put(mapped([x[0] as u8, 2, 3], 5) + mapped([x[8], 1, 1], 1 << 33));
    let (t, f) = tuple(x[9]);
    put(u64::from(t) << 32 | u64::from(f.to_bits()));
    let w = wide(u128::from(x[5]) << 90 | 12345, -(i128::from(x[7]) << 80) + 99);
    put((w >> 64) as u64);
    put(w as u64);
    put(wide(0, 5) as u64 + wide(0xFFFF_FFFF_FFFF_FFFF_FFFF, 3) as u64);
    put(three_bytes(x[10] * 9).iter().map(|&b| u64::from(b)).sum());
    put(alignments((x[1] as u8, Seven([x[2] as f32; 7]), Aligned([0.5; 3])), &packed, at - 1));
    put(shifted(x[11]) + shifted(x[12] * 7));
    put(sorted(x).into());
    put(named::<_, 4>(|v| v * t).wrapping_add(named::<_, 5>(|v| v + 1)).into());
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
