// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels are written with: iterators, closures, generics, slices, arrays, nested structs, tuples, loops with breaks, strings.
// REFERENCE: compute input=[5,1,4,2,3,9,8,7] out=24
// RUN: %mirgpu run %mir --kernel language --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[24]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel language -O0 --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[24]:zeros --print out | %FileCheck %s
// CHECK: out = []
#![no_std]
use mirgpu_device::prelude::*;

#[derive(Clone, Copy)]
struct Padded {
    a: u8,
    b: u64,
    c: u16,
}

trait Area {
    fn area(&self) -> u32;
    fn twice(&self) -> u32 {
        self.area() * 2
    }
}
struct Square(u32);
struct Rect(u32, u32);
impl Area for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}
impl Area for Rect {
    fn area(&self) -> u32 {
        self.0 * self.1
    }
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
fn total<T: Area + ?Sized>(t: &T) -> u32 {
    t.twice() + 1
}
struct Guard<'a>(&'a mut u32);
impl Drop for Guard<'_> {
    fn drop(&mut self) {
        *self.0 += 10;
    }
}
static TABLE: [u16; 5] = [3, 1, 4, 1, 5];

pub fn compute(input: &[u32], out: &mut [u32]) {
    out[0] = input.iter().sum();
    out[1] = input.iter().map(|x| x * 2).filter(|x| x % 4 == 0).count() as u32;
    out[2] = input.iter().copied().max().unwrap_or(0);
    let p = padded(Padded { a: input[0] as u8, b: 7, c: 9 });
    out[3] = p.a as u32 + p.b as u32 * 100 + p.c as u32;
    out[4] = three(input[1]).iter().map(|b| *b as u32).sum();
    let k = input[2];
    out[5] = apply(|x| x + k, 1);
    let (a, b) = pair(input[3]);
    out[6] = a + b as u32;
    out[7] = total(&Square(input[4])) + total(&Rect(2, input[5]));
    let shapes: [&dyn Area; 2] = [&Square(input[0]), &Rect(input[1], 6)];
    out[8] = shapes.iter().map(|s| s.area()).sum();
    out[9] = total(shapes[(input[3] % 2) as usize]);
    let mut n = 0;
    {
        let g = Guard(&mut n);
        *g.0 += input[6];
    }
    out[10] = n;
    out[11] = TABLE[(input[4] % 5) as usize] as u32;
    let mut sum = 0;
    'outer: for i in (0..20).step_by(3) {
        for j in 0..i {
            if i * j > 60 {
                break 'outer;
            }
            sum += j;
        }
    }
    out[12] = sum;
    let (left, right) = input.split_at(3);
    out[13] = left.len() as u32 * 10 + right[0];
    out[14] = input[1..].iter().zip(&input[2..]).map(|(a, b)| a.abs_diff(*b)).sum();
    let mut sorted = [input[0], input[1], input[2], input[3]];
    for i in 1..4 {
        let mut j = i;
        while j > 0 && sorted[j - 1] > sorted[j] {
            sorted.swap(j - 1, j);
            j -= 1;
        }
    }
    out[15] = sorted[0] * 1000 + sorted[1] * 100 + sorted[2] * 10 + sorted[3];
    out[16] = "grüße".bytes().map(|b| b as u32).sum::<u32>() + "grüße".chars().count() as u32;
    out[17] = input.chunks(3).map(|c| c[0]).sum();
    out[18] = input.iter().rev().take(3).fold(0, |a, x| a * 10 + x);
    out[19] = input.windows(2).filter(|w| w[0] < w[1]).count() as u32;
    out[20] = input.iter().position(|x| *x == 9).map_or(99, |p| p as u32);
    let f: fn(u32) -> u32 = if input[0] > 3 { |x| x + 1 } else { |x| x + 2 };
    out[21] = f(input[0]);
    let nested = [[1u32, 2], [3, 4], [5, 6]];
    let r = &nested[(input[3] % 3) as usize][1];
    out[22] = *r;
    out[23] = match (input[0], input[1]) {
        (0, _) => 1,
        (5, n @ 1..=3) => n + 40,
        _ => 2,
    };
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn language(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
