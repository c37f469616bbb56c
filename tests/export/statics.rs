// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statics with relocations to data, functions and each other; nested and mutable statics; TypeIds; undefined bytes in constants.
// has: "symbol":"statics::FIRST"
// has: "undef":[[
// has: "path":"shared"
// has: {nested#0}
// has: "mutable":true
#![no_std]
use core::any::TypeId;
use core::mem::MaybeUninit;

pub struct Entry {
    pub name: &'static str,
    pub run: fn(u32) -> u32,
    pub next: Option<&'static Entry>,
}

fn inc(x: u32) -> u32 {
    x + 1
}
fn dec(x: u32) -> u32 {
    x - 1
}

pub static FIRST: Entry = Entry { name: "first", run: inc, next: Some(&SECOND) };
pub static SECOND: Entry = Entry { name: "second", run: dec, next: Some(&FIRST) };
pub static TABLE: [u16; 8] = [1, 1, 2, 3, 5, 8, 13, 21];
pub static mut COUNTER: &mut [u32] = &mut [1, 2, 3];
const PARTIAL: (u8, MaybeUninit<u32>, u64) = (7, MaybeUninit::uninit(), 9);

#[mirgpu_tool::shared]
static mut TILE: [MaybeUninit<f32>; 64] = [MaybeUninit::uninit(); 64];

#[inline(never)]
fn same<T: 'static, U: 'static>() -> bool {
    TypeId::of::<T>() == TypeId::of::<U>()
}

#[mirgpu_tool::kernel]
pub unsafe fn statics(i: usize, out: &mut u32, part: &mut (u8, MaybeUninit<u32>, u64)) {
    let mut entry = Some(&FIRST);
    let mut left = i;
    while let Some(e) = entry
        && left > 0
    {
        *out = (e.run)(*out) + e.name.len() as u32;
        entry = e.next;
        left -= 1;
    }
    unsafe {
        COUNTER[i % 3] += TABLE[i % 8] as u32;
        *out += COUNTER[0];
        TILE[i % 64].write(1.0);
        *out += TILE[0].assume_init() as u32;
    }
    *part = PARTIAL;
    if same::<u32, i32>() {
        *out = 0;
    }
}
