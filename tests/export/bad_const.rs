// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant that fails only for this instance: rustc's own error, and no file.
// error: evaluation panicked: too small
#![no_std]
struct Check<const N: usize>;
impl<const N: usize> Check<N> {
    const OK: () = assert!(N > 4, "too small");
}

#[inline(never)]
fn needs<const N: usize>() -> usize {
    let () = Check::<N>::OK;
    N
}

#[mirgpu_tool::kernel]
pub fn kernel(x: &mut usize) {
    *x = needs::<3>();
}
