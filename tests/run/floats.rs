// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Float semantics of Rust: NaN comparison, saturating casts, min and max with NaN, no contraction.
// REFERENCE: compute input=[-3.0,-1.5,1e20,0.1] out=16
// RUN: %mirgpu run %mir --kernel floats --grid 1 --block 1 --arg input=f32:[-3.0,-1.5,1e20,0.1] --arg out=u32[16]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel floats -O0 --grid 1 --block 1 --arg input=f32:[-3.0,-1.5,1e20,0.1] --arg out=u32[16]:zeros --print out | %FileCheck %s
// CHECK: out = [1, 0, 0, 4294967295, 4294967295, 1, 0, 2147483647, 2147483648, 1, 1082130432, 1, 0, 0, 0, 0]
use mirgpu_device::prelude::*;

pub fn compute(input: &[f32], out: &mut [u32]) {
    let (nan, neg, huge, tenth) = (input[0].sqrt(), input[1], input[2], input[3]);
    out[0] = (nan != nan) as u32;
    out[1] = (nan < 1.0) as u32;
    out[2] = nan as u32;
    out[3] = neg as i32 as u32;
    out[4] = huge as u32;
    out[5] = (neg.max(nan) == neg) as u32;
    out[6] = neg as u32;
    out[7] = huge as i32 as u32;
    out[8] = -huge as i32 as u32;
    // With a contracted multiply-add the result is not zero.
    out[9] = (tenth * tenth - tenth * tenth == 0.0) as u32;
    out[10] = (huge.sqrt() * 0.0 + 4.0).to_bits();
    out[11] = (neg.abs() == 1.5 && neg.floor() == -2.0 && neg.ceil() == -1.0) as u32;
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn floats(input: &[f32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
