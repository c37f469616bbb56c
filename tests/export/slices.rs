// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices with bounds checks, checked division, launch bounds, a panic with a static and one with a formatted message.
// has: "launch_bounds":{"max_threads":256,"min_blocks":2}
// has: "lang":"panic_fmt"
// has: "kind":"bounds_check"
// has: "caller_location":
// not: core::fmt::Formatter>::pad
// has: "kind":"slice_mut"
#![no_std]

#[mirgpu_tool::kernel]
#[mirgpu_tool::launch_bounds(256, 2)]
pub fn scale(x: &[f32], y: &mut [f32], i: usize, by: u32) {
    y[i] = x[i * 2] / (100 / by) as f32;
}

#[mirgpu_tool::kernel]
pub fn checked(x: &mut [u32], i: usize) {
    assert!(i % 2 == 0, "odd index");
    if i > 100 {
        panic!("index {i} of {}", x.len());
    }
    x[i] = x.first().copied().unwrap() + u32::try_from(i).expect("small");
}
