// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer and float intrinsics, memory, unions and enums in small functions, none inlined. Each is a seed of the fuzz targets.
// REFERENCE: compute input=[7,3,250,4] out=16
// RUN: %mirgpu run %mir --kernel small --grid 1 --block 1 --arg input=u32:[7,3,250,4] --arg out=u32[16]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel small -O0 --grid 1 --block 1 --arg input=u32:[7,3,250,4] --arg out=u32[16]:zeros --print out | %FileCheck %s
// RUN: %mirgpu compile %mir --target=sm_90,gfx1100 -o %t.mgpu
// CHECK: out = [3866755072, 1262531064, 7, 32062, 4294937215, 65751, 3, 0, 9, 3, 257, 1088421888, 7, 3, 2, 7]
#![no_std]
use core::cmp::Ordering;
use core::mem::MaybeUninit;
use mirgpu_device::prelude::*;

#[derive(Clone, Copy)]
#[repr(C)]
union Bits {
    float: f32,
    word: u32,
}
static TABLE: [&[u32]; 3] = [&[1, 2], &[], &[3]];

#[inline(never)]
fn wide_to_float(x: i128) -> f32 {
    x as f32
}
#[inline(never)]
fn float_to_wide(x: f64) -> u128 {
    x as u128
}
#[inline(never)]
fn unchecked(x: f32) -> u32 {
    unsafe { x.to_int_unchecked() }
}
#[inline(never)]
fn bit_tricks(x: u64) -> u32 {
    x.swap_bytes().leading_zeros() + x.reverse_bits().trailing_zeros() + x.count_ones() + x.rotate_left(7) as u32
}
#[inline(never)]
fn saturate(x: i8, y: i8) -> u32 {
    x.saturating_add(y) as u32 ^ (x.saturating_sub(y) as u32) << 8
}
#[inline(never)]
fn overflow(x: u8, y: u8) -> u32 {
    let (sum, carry) = x.overflowing_add(y);
    sum as u32 + ((carry as u32) << 16) + x.wrapping_mul(y) as u32
}
#[inline(never)]
fn three_way(x: i16, y: i16) -> u32 {
    match x.cmp(&y) {
        Ordering::Less => 1,
        Ordering::Equal => 2,
        Ordering::Greater => 3,
    }
}
#[inline(never)]
fn same_bytes(a: &[u8; 5], b: &[u8; 5]) -> bool {
    a == b
}
#[inline(never)]
fn volatile(x: &mut [u32; 2]) -> u32 {
    unsafe {
        core::ptr::write_volatile(&mut x[0], 6);
        core::ptr::read_volatile(&x[0]) + core::ptr::read_unaligned(&x[1])
    }
}
#[inline(never)]
fn distance(a: &[u64], b: &u64) -> u32 {
    unsafe { (b as *const u64).offset_from(a.as_ptr()) as u32 }
}
#[inline(never)]
fn fill(x: &mut [u16; 8]) -> u32 {
    unsafe { core::ptr::write_bytes(x.as_mut_ptr(), 1, 4) }
    x[3] as u32 + x[7] as u32
}
#[inline(never)]
fn union_word(x: f32) -> u32 {
    let bits = Bits { float: x };
    unsafe { bits.word }
}
#[inline(never)]
fn uninit(x: u32) -> u32 {
    let mut pair = MaybeUninit::<(u32, u8)>::uninit();
    unsafe {
        (*pair.as_mut_ptr()).0 = x;
        (*pair.as_ptr()).0
    }
}
#[inline(never)]
fn niche(x: Option<core::num::NonZeroU32>) -> Option<Option<bool>> {
    x.map(|n| if n.get() > 4 { Some(n.get() % 2 == 0) } else { None })
}
#[inline(never)]
fn table(i: usize) -> u32 {
    TABLE[i].len() as u32
}
#[inline(never)]
fn swap_fields(x: (u8, u64, u16)) -> [u64; 3] {
    let (a, b, c) = x;
    [c as u64, b, a as u64]
}

pub fn compute(input: &[u32], out: &mut [u32]) {
    let longs = [1u64, 2, 3, 4];
    out[0] = wide_to_float(-(input[2] as i128) << 70).to_bits();
    out[1] = (float_to_wide(input[2] as f64 * 1e20) >> 40) as u32;
    out[2] = unchecked(input[0] as f32);
    out[3] = bit_tricks(input[2] as u64);
    out[4] = saturate(input[0] as i8, 125);
    out[5] = overflow(input[2] as u8, input[0] as u8);
    out[6] = three_way(input[0] as i16, input[1] as i16);
    out[7] = same_bytes(&[1, 2, 3, 4, 5], &[1, 2, 3, 4, input[0] as u8]) as u32;
    out[8] = volatile(&mut [input[0], input[1]]);
    out[9] = distance(&longs, &longs[input[1] as usize]);
    out[10] = fill(&mut [0; 8]);
    out[11] = union_word(input[0] as f32);
    out[12] = uninit(input[0]);
    out[13] = match niche(core::num::NonZeroU32::new(input[0])) {
        None => 1,
        Some(None) => 2,
        Some(Some(even)) => 3 + even as u32,
    };
    out[14] = table(input[1] as usize % 3);
    out[15] = swap_fields((1, 2, input[0] as u16))[0] as u32;
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn small(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
