// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formatting that runs (not as a panic's argument), so core::fmt is exported; and a panic below it.
// has: core::fmt::Formatter>::pad
// has: "kind":"pointer"
#![no_std]
use core::fmt::Write;

pub struct Buffer<'a> {
    pub bytes: &'a mut [u8],
    pub len: usize,
}

impl Write for Buffer<'_> {
    fn write_str(&mut self, s: &str) -> core::fmt::Result {
        for b in s.bytes() {
            *self.bytes.get_mut(self.len).ok_or(core::fmt::Error)? = b;
            self.len += 1;
        }
        Ok(())
    }
}

#[mirgpu_tool::kernel]
pub fn formatting(bytes: &mut [u8], x: f64, out: &mut usize) {
    let mut buffer = Buffer { bytes, len: 0 };
    if write!(buffer, "{x:.3} {:?}", Some(buffer_len(x))).is_err() {
        panic!("no room for {x}");
    }
    *out = buffer.len;
}

fn buffer_len(x: f64) -> u32 {
    x as u32
}
