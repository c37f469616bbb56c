// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statics: tables, references to other statics, functions, vtables and texts, rings, nested and interior mutability, zero, over-aligned.
// REFERENCE: compute input=[5,1,4,2] out=13
// RUN: %mirgpu run %mir --kernel statics --grid 1 --block 1 --arg input=u32:[5,1,4,2] --arg out=u32[13]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel statics -O0 --grid 1 --block 1 --arg input=u32:[5,1,4,2] --arg out=u32[13]:zeros --print out | %FileCheck %s
// CHECK: out = [605968, 491249, 119, 13, 3, 371, 51, 2, 0, 101100, 102, 1, 1]
#![no_std]
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use mirgpu_device::prelude::*;

struct Entry {
    name: &'static str,
    run: fn(u32) -> u32,
    next: Option<&'static Entry>,
}
fn triple(x: u32) -> u32 {
    x * 3
}
fn less(x: u32) -> u32 {
    x - 1
}
// A ring.
static FIRST: Entry = Entry { name: "first", run: triple, next: Some(&SECOND) };
static SECOND: Entry = Entry { name: "the second", run: less, next: Some(&FIRST) };

trait Area: Sync {
    fn area(&self) -> u32;
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
static SQUARE: Square = Square(7);
static SHAPES: [&dyn Area; 3] = [&SQUARE, &Rect(3, 4), &SQUARE];
static WORDS: &[&str] = &["zero", "one", "two", "three"];
/// Into the middle of another static.
static INNER: &u16 = &TABLE[5];
static TABLE: [u16; 8] = [1, 1, 2, 3, 5, 8, 13, 21];
static mut ZERO: [u64; 300] = [0; 300];
#[repr(align(512))]
struct Wide(u8);
static ALIGNED: [Wide; 2] = [Wide(1), Wide(2)];
static mut NESTED: &mut [u32] = &mut [1, 2, 3];
struct Shared(UnsafeCell<[u32; 4]>);
unsafe impl Sync for Shared {}
static CELL: Shared = Shared(UnsafeCell::new([10, 20, 30, 40]));
static COUNTER: AtomicU32 = AtomicU32::new(100);

#[inline(never)]
fn count() -> u32 {
    COUNTER.fetch_add(1, Relaxed)
}

pub fn compute(input: &[u32], out: &mut [u32]) {
    let mut entry = &FIRST;
    for &x in input {
        out[0] = out[0] * 31 + (entry.run)(x) + entry.name.len() as u32;
        entry = entry.next.unwrap_or(&SECOND);
    }
    let mut area = 0;
    for shape in SHAPES {
        area = area * 100 + shape.area();
    }
    out[1] = area;
    out[2] = WORDS[(input[3] % 4) as usize].as_bytes()[1] as u32;
    out[3] = *INNER as u32 + TABLE[input[2] as usize] as u32;
    unsafe {
        let zero = &raw mut ZERO;
        (*zero)[input[0] as usize] += 3;
        out[4] = ((*zero)[5] + (*zero)[299]) as u32;
        let nested = &raw mut NESTED;
        (*nested)[1] += input[0];
        out[5] = (*nested)[0] + (*nested)[1] * 10 + (*nested)[2] * 100;
        let cell = CELL.0.get();
        (*cell)[3] += input[1];
        out[6] = (*cell)[3] + (*cell)[0];
    }
    out[7] = ALIGNED[(input[1] % 2) as usize].0 as u32;
    out[8] = ((&raw const ALIGNED).addr() % 512) as u32;
    out[9] = count() + count() * 1000;
    out[10] = COUNTER.load(Relaxed);
    out[11] = (core::ptr::eq(SHAPES[0] as *const dyn Area as *const u8, &raw const SQUARE as *const u8)) as u32;
    out[12] = core::ptr::eq(FIRST.next.unwrap_or(&FIRST), &SECOND) as u32;
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub unsafe fn statics(input: &[u32], out: &mut [u32]) {
        compute(input, out);
    }
}
