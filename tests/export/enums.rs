// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Niches, direct tags, explicit discriminants, uninhabited variants, nested enums.
// has: "niche_start":"0"
// has: "discr":"18446744073709551611"
// has: "kind":"direct"
// has: "kind":"empty"
// has: "name":"Jump","discr":"7"
// has: "safe":"shared_frozen"
#![no_std]
use core::num::NonZeroU32;

#[repr(C, u32)]
#[derive(Clone, Copy)]
pub enum Op {
    Push(f32),
    Add,
    Jump(u16) = 7,
}

pub enum Never {}

#[derive(Clone, Copy)]
pub enum Wide {
    Small = -5,
    Large = 1 << 40,
}

pub enum Nested {
    Some(Option<bool>),
    Other,
    Absent(Never),
}

#[mirgpu_tool::kernel]
pub fn run(ops: &[Op], out: &mut f32, niche: Option<NonZeroU32>, wide: &Wide, nested: &mut Nested, r: Option<&u32>) {
    for op in ops {
        match *op {
            Op::Push(v) => *out = v,
            Op::Add => *out += 1.0,
            Op::Jump(n) => *out -= n as f32,
        }
    }
    if let Some(n) = niche {
        *out *= n.get() as f32;
    }
    if let Some(n) = r {
        *out *= *n as f32;
    }
    *out += (*wide as i64) as f32;
    *nested = match nested {
        Nested::Some(Some(b)) => Nested::Some(Some(!*b)),
        Nested::Some(None) => Nested::Other,
        Nested::Other => Nested::Some(None),
        Nested::Absent(_) => Nested::Other,
    };
}
