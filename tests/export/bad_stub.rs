// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stub that rustc may inline away is refused.
// error: the intrinsic stub `bad_stub::lane` must be `#[inline(never)]`
#![no_std]
#[mirgpu_tool::intrinsic("warp::lane_id")]
pub fn lane(_x: &mut u32) -> u32 {
    loop {
        core::hint::spin_loop()
    }
}

#[mirgpu_tool::kernel]
pub fn kernel(x: &mut u32) {
    *x = lane(&mut 1);
}
