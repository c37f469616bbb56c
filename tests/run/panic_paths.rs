// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every way to panic, with overflow checks and debug assertions on: text, file, line, block and thread.
// REQUIRES: exporter
// RUN: %mirgpu export %s -o %t.mir.json -- -Coverflow-checks=on -Cdebug-assertions=on
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=0 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=INDEX
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=1 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=SLICE-END
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=2 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=SLICE-ORDER
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=3 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=STR-INDEX
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=4 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=UNWRAP
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=5 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=EXPECT
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=6 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=UNWRAP-ERR
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=7 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=ADD
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=8 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=SUB
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=9 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=MUL
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=10 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=NEG
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=11 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=SHL
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=12 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=SHR
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=13 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=DIV
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=14 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=REM
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=15 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=DIV-OVERFLOW
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=16 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=REM-OVERFLOW
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=17 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=REF-CELL
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=18 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=EXPLICIT
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=19 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=UNREACHABLE
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=20 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=TODO
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=21 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=ASSERT
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=22 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=ASSERT-EQ
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=23 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=MISALIGNED
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=24 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=NULL
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=25 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=ENUMERATION
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=26 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=COPY-FROM-SLICE
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=27 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=CHUNKS
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=28 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=ITERATOR
// RUN: %not 1 %mirgpu run %t.mir.json --kernel work --grid 2 --block 4 --arg which=29 --arg x=u32:[1,2,3,4,5,6,7,8,9,10] --arg out=u32[8]:zeros 2>&1 | %FileCheck %s --check-prefix=COPY
// RUN: %mirgpu compile %t.mir.json --target=sm_75,sm_90,gfx90a,gfx1100 -o %t
// INDEX: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:84:{{[0-9]+}}: index out of bounds: the len is 3 but the index is 7
// SLICE-END: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:85:{{[0-9]+}}: range end index {} out of range for slice of length {}
// SLICE-ORDER: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:86:{{[0-9]+}}: slice index starts at {} but ends at {}
// STR-INDEX: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:87:{{[0-9]+}}: {{.*}}is not a char boundary
// UNWRAP: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:88:{{[0-9]+}}: called `Option::unwrap()` on a `None` value
// EXPECT: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:89:{{[0-9]+}}: no value of that kind
// UNWRAP-ERR: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:90:{{[0-9]+}}: called `Result::unwrap()` on an `Err` value: 
// ADD: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:91:{{[0-9]+}}: attempt to add with overflow
// SUB: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:92:{{[0-9]+}}: attempt to subtract with overflow
// MUL: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:93:{{[0-9]+}}: attempt to multiply with overflow
// NEG: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:94:{{[0-9]+}}: attempt to negate with overflow
// SHL: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:95:{{[0-9]+}}: attempt to shift left with overflow
// SHR: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:96:{{[0-9]+}}: attempt to shift right with overflow
// DIV: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:97:{{[0-9]+}}: attempt to divide by zero
// REM: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:98:{{[0-9]+}}: attempt to calculate the remainder with a divisor of zero
// DIV-OVERFLOW: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:99:{{[0-9]+}}: attempt to divide with overflow
// REM-OVERFLOW: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:100:{{[0-9]+}}: attempt to calculate the remainder with overflow
// REF-CELL: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:101:{{[0-9]+}}: {}
// EXPLICIT: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:102:{{[0-9]+}}: no more than 7 of them
// UNREACHABLE: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:103:{{[0-9]+}}: internal error: entered unreachable code: never here
// TODO: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:104:{{[0-9]+}}: not yet implemented
// ASSERT: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:105:{{[0-9]+}}: assertion failed: v < 7
// ASSERT-EQ: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:106:{{[0-9]+}}: assertion `left == right` failed: 
// MISALIGNED: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:107:{{[0-9]+}}: misaligned pointer dereference: address must be a multiple of 0x4 but is 0x{{[0-9a-f]+[13579bdf]}}
// NULL: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:108:{{[0-9]+}}: null pointer dereference occurred
// ENUMERATION: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:109:{{[0-9]+}}: trying to construct an enum from an invalid value 0x7
// COPY-FROM-SLICE: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:110:{{[0-9]+}}: copy_from_slice: source slice length 
// CHUNKS: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:111:{{[0-9]+}}: chunk size must be non-zero
// ITERATOR: thread (1,0,0) of block (1,0,0) panicked at <rust-src>/library/core/src/iter/adapters/step_by.rs:{{[0-9:]+}}: assertion failed: step != 0
// COPY: thread (1,0,0) of block (1,0,0) panicked at panic_paths.rs:113:{{[0-9]+}}: unsafe precondition(s) violated: NonZero::new_unchecked requires the argument to be non-zero
// Not no_std: rustc's checks of raw pointers need a crate with a panic handler.
#![allow(unconditional_panic, arithmetic_overflow, clippy::all)]
use core::cell::RefCell;
use core::hint::black_box;
use core::num::NonZeroU32;
use mirgpu_device::prelude::*;

#[repr(u8)]
#[allow(dead_code)]
enum Three {
    A,
    B,
    C,
}

#[inline(never)]
fn one(which: u32, x: &[u32], v: u32) -> u32 {
    match which {
        0 => black_box(&x[..3])[v as usize],
        1 => black_box(&x[..3])[..v as usize].len() as u32,
        2 => x[v as usize..black_box(2)].len() as u32,
        3 => black_box("añb")[..v as usize - 5].len() as u32,
        4 => x.iter().copied().find(|&e| e == v + 100).unwrap(),
        5 => x.iter().copied().find(|&e| e == v + 100).expect("no value of that kind"),
        6 => u8::try_from(v * 100).unwrap().into(),
        7 => (v as u8 + black_box(250)).into(),
        8 => black_box(3) - v,
        9 => v * black_box(0x4000_0000),
        10 => -black_box(i32::MIN + v as i32 - 7) as u32,
        11 => 1u32 << (v + 30),
        12 => (1u8 >> (v + 3)).into(),
        13 => v / black_box(0),
        14 => v % black_box(0),
        15 => (black_box(i64::MIN) / black_box(-1)) as u32,
        16 => (black_box(i8::MIN) % black_box(-1)) as u32,
        17 => { let cell = RefCell::new(v); let _held = cell.borrow_mut(); *cell.borrow() },
        18 => panic!("no more than 7 of them"),
        19 => unreachable!("never here"),
        20 => todo!(),
        21 => { assert!(v < 7); v },
        22 => { assert_eq!(v, black_box(8), "of {v}"); v },
        23 => unsafe { *x.as_ptr().cast::<u8>().add(v as usize - 6).cast::<u32>() },
        24 => unsafe { *black_box(core::ptr::null::<u32>()) },
        25 => unsafe { core::mem::transmute::<u8, Three>(v as u8) as u32 },
        26 => { let mut to = [0; 2]; to[..].copy_from_slice(&x[..black_box(3)]); to[1] },
        27 => x.chunks(v as usize - 7).count() as u32,
        28 => (0..v).step_by(v as usize - 7).count() as u32,
        29 => unsafe { NonZeroU32::new_unchecked(v - 7).get() },
        _ => v,
    }
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn work(which: u32, x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        // Only the sixth thread gets a 7 and what goes wrong with it.
        if i.get() == 5 {
            let v = one(which, x, black_box(7));
            if let Some(o) = out.get_mut(i) {
                *o = v;
            }
        }
    }
}
