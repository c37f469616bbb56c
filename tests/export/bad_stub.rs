// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stub that rustc may inline away is refused, also where its calls have vanished already.
// error: the intrinsic stub `bad_stub::lane` must be `#[inline(never)]`
#![no_std]
#[mirgpu_tool::intrinsic("warp::lane_id")]
fn lane() -> u32 {
    0
}

#[mirgpu_tool::kernel]
pub fn kernel(x: &mut u32) {
    *x = lane();
}
