// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traits: static calls, default methods, trait objects in an array, a dyn generic.
// REFERENCE: compute input=[5,1,4,2,3,9,8,7] out=3
// RUN: %mirgpu run %mir --kernel traits --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[3]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel traits -O0 --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[3]:zeros --print out | %FileCheck %s
// CHECK: out = [56, 31, 51]
#![no_std]
use mirgpu_device::prelude::*;

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


fn total<T: Area + ?Sized>(t: &T) -> u32 {
    t.twice() + 1
}

pub fn compute(input: &[u32], out: &mut [u32]) {
    out[0] = total(&Square(input[4])) + total(&Rect(2, input[5]));
    let shapes: [&dyn Area; 2] = [&Square(input[0]), &Rect(input[1], 6)];
    out[1] = shapes.iter().map(|s| s.area()).sum();
    out[2] = total(shapes[(input[3] % 2) as usize]);
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn traits(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
