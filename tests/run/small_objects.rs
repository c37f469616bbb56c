// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trait objects, drops, closures and functions behind a pointer in small functions, none inlined. Each is a seed of the fuzz targets.
// REFERENCE: compute input=[7,3,250,4] out=8
// RUN: %mirgpu run %mir --kernel small --grid 1 --block 1 --arg input=u32:[7,3,250,4] --arg out=u32[8]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel small -O0 --grid 1 --block 1 --arg input=u32:[7,3,250,4] --arg out=u32[8]:zeros --print out | %FileCheck %s
// RUN: %mirgpu compile %mir --target=sm_90,gfx1100 -o %t.mgpu
// CHECK: out = [4, 156, 49, 8, 13, 43, 15, 6]
#![no_std]
use core::cell::Cell;
use mirgpu_device::prelude::*;

trait Shape {
    fn area(&self) -> u32;
}
trait Named: Shape {
    fn name(&self) -> u32;
}
struct Square(u32);
impl Shape for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}
impl Named for Square {
    fn name(&self) -> u32 {
        self.0 + 100
    }
}
struct Noisy<'a>(&'a Cell<u32>);
impl Shape for Noisy<'_> {
    fn area(&self) -> u32 {
        self.0.get()
    }
}
impl Drop for Noisy<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 10);
    }
}
#[inline(never)]
fn unsize_array(a: &[u32; 4]) -> &[u32] {
    a
}
#[inline(never)]
fn unsize_dyn(s: &Square) -> &dyn Named {
    s
}
#[inline(never)]
fn call_dyn(s: &dyn Named) -> u32 {
    s.name() + s.area()
}
#[inline(never)]
fn upcast(s: &dyn Named) -> &dyn Shape {
    s
}
#[inline(never)]
fn size_of_dyn(s: &dyn Shape) -> u32 {
    (size_of_val(s) + align_of_val(s)) as u32
}
#[inline(never)]
fn drop_value(counter: &Cell<u32>) {
    let _ = Noisy(counter);
}
#[inline(never)]
fn drop_dyn(counter: &Cell<u32>) {
    let mut value = core::mem::ManuallyDrop::new(Noisy(counter));
    let object: &mut dyn Shape = &mut *value;
    unsafe { core::ptr::drop_in_place(object) }
}
#[inline(never)]
fn drop_array(counter: &Cell<u32>) {
    let _ = [Noisy(counter), Noisy(counter)];
}
#[inline(never)]
fn call_closure(f: &dyn Fn(u32, u32) -> u32) -> u32 {
    f(3, 4)
}
#[inline(never)]
fn call_pointer(f: fn(u32) -> u32) -> u32 {
    f(5)
}
#[inline(never)]
fn add_one(x: u32) -> u32 {
    x + 1
}

pub fn compute(input: &[u32], out: &mut [u32]) {
    let counter = Cell::new(input[1]);
    let square = Square(input[0]);
    let array = [input[0], input[1], input[2], input[3]];
    out[0] = unsize_array(&array).len() as u32;
    out[1] = call_dyn(unsize_dyn(&square));
    out[2] = upcast(unsize_dyn(&square)).area();
    out[3] = size_of_dyn(upcast(unsize_dyn(&square)));
    drop_value(&counter);
    out[4] = counter.get();
    drop_dyn(&counter);
    drop_array(&counter);
    out[5] = counter.get();
    out[6] = call_closure(&|x, y| x * y + input[1]);
    out[7] = call_pointer(add_one);
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
