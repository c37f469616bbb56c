// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SetDiscriminant as custom MIR writes it: direct tags of every width and sign, niches at an offset, in a later field and in a pointer, the
// untagged variant, a single variant. Every byte of the value is compared, over a background that is not zero.
// REFERENCE: compute input=[0] out=24
// REQUIRES: exporter
// RUN: env RUSTC_BOOTSTRAP=1 %mirgpu export %s -o %t.mir.json
// RUN: %mirgpu run %t.mir.json --kernel work --grid 1 --block 1 --arg input=u32:[0] --arg out=u32[24]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %t.mir.json --kernel work -O0 --grid 1 --block 1 --arg input=u32:[0] --arg out=u32[24]:zeros --print out | %FileCheck %s
// RUN: %mirgpu compile %t.mir.json --target=sm_75,sm_90,gfx90a,gfx1100 -o %t
// CHECK: out = [831060200, 2844533296, 2300784067, 2300200637, 1980560208, 1026298371, 2167377067, 4171182839, 2196300002, 2192046946, 2298781699, 151318296, 81518, 6764513, 64, 3456432097, 294373330, 2048, 2902674097, 227488122, 230697722, 219219578, 294375314, 39991]
#![no_std]
#![feature(core_intrinsics, custom_mir)]
#![allow(internal_features, dead_code)]
use core::intrinsics::mir::*;
use core::mem::MaybeUninit;
use core::num::{NonZeroI16, NonZeroU32};
use mirgpu_device::prelude::*;

#[repr(u8)]
enum U8 {
    A(u16) = 3,
    B = 250,
}
#[repr(i8)]
enum I8 {
    A = -128,
    B(i32) = 100,
}
#[repr(u16)]
enum U16 {
    A = 1,
    B(u8) = 0xFFFE,
}
#[repr(i64)]
enum I64 {
    A(u8) = -1 << 40,
    B = 1 << 50,
}
#[repr(C)]
enum C {
    A(u64),
    B(u8),
}
enum Payloads {
    A(u8),
    B(u32),
}
struct Later(u32, NonZeroU32);
enum Nested {
    X(Option<bool>, u64),
    Y,
    Z,
}
enum One {
    Only(u32),
}

macro_rules! set {
    ($name:ident, $ty:ty, $variant:tt) => {
        #[custom_mir(dialect = "runtime", phase = "optimized")]
        #[inline(never)]
        fn $name(to: *mut $ty) {
            mir! {
                {
                    SetDiscriminant(*to, $variant);
                    Return()
                }
            }
        }
    };
}
set!(u8_a, U8, 0);
set!(u8_b, U8, 1);
set!(i8_a, I8, 0);
set!(i8_b, I8, 1);
set!(u16_a, U16, 0);
set!(u16_b, U16, 1);
set!(i64_a, I64, 0);
set!(i64_b, I64, 1);
set!(c_a, C, 0);
set!(c_b, C, 1);
set!(payloads_a, Payloads, 0);
set!(payloads_b, Payloads, 1);
set!(none_bool, Option<bool>, 0);
set!(some_bool, Option<bool>, 1);
set!(none_non_zero, Option<NonZeroU32>, 0);
set!(some_non_zero, Option<NonZeroI16>, 1);
set!(none_later, Option<Later>, 0);
set!(none_pointer, Option<&'static u32>, 0);
set!(none_char, Option<Option<char>>, 0);
set!(nested_x, Nested, 0);
set!(nested_y, Nested, 1);
set!(nested_z, Nested, 2);
set!(one, One, 0);
set!(ordering, core::cmp::Ordering, 2);

/// The bytes after `set` over a background; a digest, since each must be as rustc leaves it.
fn after<T>(set: fn(*mut T)) -> u32 {
    let mut value = MaybeUninit::<T>::uninit();
    // SAFETY: bytes may hold anything, and all of them are written.
    let bytes = unsafe {
        value.as_mut_ptr().write_bytes(0xA7, 1);
        set(value.as_mut_ptr());
        core::slice::from_raw_parts(value.as_ptr().cast::<u8>(), size_of::<T>())
    };
    bytes.iter().fold(size_of::<T>() as u32, |h, &b| h.rotate_left(9) ^ u32::from(b).wrapping_mul(0x9E37))
}

pub fn compute(_: &[u32], out: &mut [u32]) {
    let all = [
        after(u8_a), after(u8_b), after(i8_a), after(i8_b), after(u16_a), after(u16_b), after(i64_a), after(i64_b),
        after(c_a), after(c_b), after(payloads_a), after(payloads_b), after(none_bool), after(some_bool), after(none_non_zero),
        after(some_non_zero), after(none_later), after(none_pointer), after(none_char), after(nested_x), after(nested_y),
        after(nested_z), after(one), after(ordering),
    ];
    out.copy_from_slice(&all);
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
