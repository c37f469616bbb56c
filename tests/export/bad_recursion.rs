// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generic recursion without end is an error, not an endless export.
// error: limit of generic instances
#![no_std]
#[inline(never)]
fn deeper<T: Copy>(x: T, n: u32) -> u32 {
    if n == 0 { 0 } else { deeper((x, x), n - 1) + core::mem::size_of::<T>() as u32 }
}

#[mirgpu_tool::kernel]
pub fn kernel(x: &mut u32) {
    *x = deeper(1u8, *x);
}
