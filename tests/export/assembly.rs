// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly with every kind of operand that does not depend on the target, naked functions, extern "C" with aggregates.
// has: "inline_asm"
// has: {"operand":0,"modifier":"e"}
// has: "kind":"inout"
// has: "kind":"sym_static"
// has: "kind":"label"
// has: "pass_modes":["cast","indirect","direct"]
#![no_std]
use core::arch::asm;

#[repr(C)]
pub struct Small(u32, f32);
#[repr(C)]
pub struct Large([u64; 4]);

unsafe extern "C" {
    fn outside(small: Small, large: Large) -> u32;
    static OUTSIDE: u32;
}

static INSIDE: u32 = 7;

#[mirgpu_tool::kernel]
pub unsafe fn assembly(x: u32, out: &mut u32) {
    let mut y = x;
    unsafe {
        asm!("mov {0:e}, {0:e}", inout(reg) y, options(nostack, preserves_flags));
        asm!("/* {} {} */", const 3, sym INSIDE);
        asm!("jmp {}", label { y += 1 });
        *out = y + outside(Small(1, 2.0), Large([0; 4])) + OUTSIDE;
    }
}
