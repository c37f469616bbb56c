// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly that a GPU cannot take: registers, symbols and labels of the host, an output without a type; each with its Rust line.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 --kernel registers -o %t 2>&1 | %FileCheck %s --check-prefix=REGISTERS
// RUN: %not 1 %mirgpu compile %mir --target=gfx1100 --kernel symbols -o %t 2>&1 | %FileCheck %s --check-prefix=SYMBOLS
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 --kernel labels -o %t 2>&1 | %FileCheck %s --check-prefix=LABELS
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 --kernel no_type -o %t 2>&1 | %FileCheck %s --check-prefix=NO-TYPE
// RUN: %not 1 %mirgpu compile %mir --target=gfx1100 --kernel nonsense -o %t 2>&1 | %FileCheck %s --check-prefix=NONSENSE
// RUN: %not 1 %mirgpu compile %mir --target=host:x86-64-v3 --kernel nonsense -o %t 2>&1 | %FileCheck %s --check-prefix=NONSENSE
#![no_std]
use core::arch::asm;
use mirgpu_device::prelude::*;

static TABLE: [u32; 2] = [3, 40];

#[gpu_module]
mod kernels {
    use super::*;

    // REGISTERS: error[MG0105]: `sm_90` has no register `a{{x?}}` for a `u64`
    // REGISTERS: inline_asm_refused.rs:[[@LINE+5]]:
    // REGISTERS: help: put assembly with the host's registers behind `if target::IS_HOST`
    #[kernel]
    pub fn registers(mut out: DisjointSlice<u64>) {
        let low: u64;
        unsafe { asm!("mov rax, 1", out("rax") low) };
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = low;
        }
    }

    // SYMBOLS: error[MG0105]: assembly for `gfx1100` cannot name a symbol
    // SYMBOLS: help: pass its address as an operand
    #[kernel]
    pub fn symbols() {
        unsafe { asm!("/* {} */", sym TABLE) };
    }

    // LABELS: error[MG0105]: assembly for `sm_90` cannot jump to a label of Rust's
    #[kernel]
    pub fn labels(mut out: DisjointSlice<u64>) {
        let mut sum = 0;
        unsafe { asm!("bra {};", label { sum += 1 }) };
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = sum;
        }
    }

    // NO-TYPE: error[MG0105]: for `sm_90` an output `_` says nothing: it has no type, and `reg` is the host's
    // NO-TYPE: help: give the output a variable
    #[kernel]
    pub fn no_type() {
        unsafe { asm!("mov.u32 {}, 1;", out(reg) _) };
    }

    // NONSENSE: error: inline assembly that {{amdgcn|x86_64}}-{{[a-z-]+}} does not take: {{.*}}inline_asm_refused.rs:[[@LINE+3]]:18: {{.*}}: `no_such_instruction`
    #[kernel]
    pub fn nonsense() {
        unsafe { asm!("no_such_instruction") };
    }
}
