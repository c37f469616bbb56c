// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel has nowhere to return a value to.
// error: a kernel returns nothing
#![no_std]
#[mirgpu_tool::kernel]
pub fn kernel(x: u32) -> u32 {
    x
}
