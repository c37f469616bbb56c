// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel on raw pointers: loads, stores, wrapping arithmetic, no panic.
// has: "entry":"pointers"
// has: "tool_attrs":[{"path":"intrinsic","args":["thread::index_1d_raw"]}]
// not: "lang":"panic
#![no_std]

#[mirgpu_tool::intrinsic("thread::index_1d_raw")]
#[inline(never)]
fn index() -> usize {
    0
}

#[mirgpu_tool::kernel]
pub unsafe fn pointers(a: *const f32, b: *const f32, c: *mut f32, n: usize) {
    let i = index();
    if i < n {
        unsafe { *c.add(i) = *a.add(i) + *b.add(i) }
    }
}
