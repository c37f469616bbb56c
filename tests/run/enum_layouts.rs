// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and writing enums in rustc's layouts: direct tags, niches in bool, references, NonZero, nested options, negative discriminants.
// REFERENCE: compute input=[5,0,7,255] out=18
// RUN: %mirgpu run %mir --kernel enum_layouts --grid 1 --block 1 --arg input=u32:[5,0,7,255] --arg out=u32[18]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel enum_layouts -O0 --grid 1 --block 1 --arg input=u32:[5,0,7,255] --arg out=u32[18]:zeros --print out | %FileCheck %s
// CHECK: out = [5, 0, 1, 2, 3, 7, 4294967295, 9, 1, 11, 0, 2, 6, 14, 3, 16, 34512, 4294967195]
#![no_std]
use core::num::NonZeroU32;
use mirgpu_device::prelude::*;

#[repr(i8)]
#[derive(Clone, Copy)]
enum Signed {
    Minus = -1,
    Nine = 9,
}

#[derive(Clone, Copy)]
enum Shape {
    Dot,
    Circle(f32),
    Rect { w: f32, h: f32 },
}

#[derive(Clone, Copy)]
enum Wide {
    Minus = -1,
    Big = 100,
}

#[derive(Clone, Copy)]
enum Mixed {
    Yes(bool),
    B,
    C,
    D,
}

#[inline(never)]
fn mixed(x: u32) -> Mixed {
    match x {
        0 => Mixed::B,
        1 => Mixed::C,
        2 => Mixed::D,
        n => Mixed::Yes(n == 3),
    }
}

#[inline(never)]
fn mixed_code(m: &Mixed) -> u32 {
    match m {
        Mixed::Yes(true) => 1,
        Mixed::Yes(false) => 2,
        Mixed::B => 3,
        Mixed::C => 4,
        Mixed::D => 5,
    }
}

struct Wrapper(u32, NonZeroU32);

#[inline(never)]
fn nonzero(x: u32) -> Option<NonZeroU32> {
    NonZeroU32::new(x)
}

#[inline(never)]
fn flag(x: u32) -> Option<Option<bool>> {
    match x {
        0 => None,
        1 => Some(None),
        n => Some(Some(n == 2)),
    }
}

#[inline(never)]
fn wrap(x: u32) -> Option<Wrapper> {
    NonZeroU32::new(x).map(|n| Wrapper(x + 1, n))
}

#[inline(never)]
fn shape(x: u32) -> Shape {
    match x % 3 {
        0 => Shape::Dot,
        1 => Shape::Circle(x as f32),
        _ => Shape::Rect { w: 2.0, h: x as f32 },
    }
}

#[inline(never)]
fn area(s: &Shape) -> f32 {
    match s {
        Shape::Dot => 0.0,
        Shape::Circle(r) => *r,
        Shape::Rect { w, h } => w * h,
    }
}

fn flag_code(f: Option<Option<bool>>) -> u32 {
    match f {
        None => 1,
        Some(None) => 2,
        Some(Some(true)) => 3,
        Some(Some(false)) => 4,
    }
}

pub fn compute(input: &[u32], out: &mut [u32]) {
    out[0] = nonzero(input[0]).map_or(100, |n| n.get());
    out[1] = nonzero(input[1]).map_or(0, |n| n.get());
    out[2] = flag_code(flag(input[1]));
    out[3] = flag_code(flag(input[1] + 1));
    out[4] = flag_code(flag(input[1] + 2));
    out[5] = wrap(input[0] + 1).map_or(0, |w| w.0 * (w.1.get() == 6) as u32);
    let s = [Signed::Minus, Signed::Nine];
    out[6] = s[(input[1] % 2) as usize] as i8 as i32 as u32;
    out[7] = s[(input[0] % 2) as usize] as i8 as i32 as u32;
    out[8] = wrap(input[1]).is_none() as u32;
    out[9] = area(&shape(input[0] + 6)) as u32 + area(&shape(input[1])) as u32 - 11;
    let mut slot: Option<&u32> = None;
    out[10] = slot.is_some() as u32;
    slot = input.get(2);
    out[11] = slot.map_or(0, |v| *v - 5);
    let shapes = [shape(0), shape(4), shape(2)];
    let mut sum = 0.0;
    for s in &shapes {
        sum += area(s);
    }
    out[12] = sum as u32 - 2;
    out[13] = area(&shapes[(input[2] % 3) as usize]) as u32 + 10;
    let mut o = Some(3u32);
    out[14] = o.take().unwrap_or(0) + o.is_some() as u32;
    out[15] = (input[3] as u8 as i8 as i32 + 17) as u32;
    out[16] = (0..5).fold(0, |code, x| code * 10 + mixed_code(&mixed(x)));
    let w = [Wide::Minus, Wide::Big];
    out[17] = w[(input[0] % 2) as usize] as isize as u32 ^ w[(input[1] % 2) as usize] as isize as u32;
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn enum_layouts(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
