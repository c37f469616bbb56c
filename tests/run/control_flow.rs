// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with labelled breaks and steps, tables and nested arrays, matches on tuples, sorting in place, split slices, bytes.
// REFERENCE: compute input=[5,1,4,2,3,9,8,7] out=7
// RUN: %mirgpu run %mir --kernel control_flow --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[7]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %mir --kernel control_flow -O0 --grid 1 --block 1 --arg input=u32:[5,1,4,2,3,9,8,7] --arg out=u32[7]:zeros --print out | %FileCheck %s
// CHECK: out = [1, 39, 32, 1245, 1055, 6, 41]
#![no_std]
use mirgpu_device::prelude::*;

static TABLE: [u16; 5] = [3, 1, 4, 1, 5];

pub fn compute(input: &[u32], out: &mut [u32]) {
    out[0] = TABLE[(input[4] % 5) as usize] as u32;
    let mut sum = 0;
    'outer: for i in (0..20).step_by(3) {
        for j in 0..i {
            if i * j > 60 {
                break 'outer;
            }
            sum += j;
        }
    }
    out[1] = sum;
    let (left, right) = input.split_at(3);
    out[2] = left.len() as u32 * 10 + right[0];
    let mut sorted = [input[0], input[1], input[2], input[3]];
    for i in 1..4 {
        let mut j = i;
        while j > 0 && sorted[j - 1] > sorted[j] {
            sorted.swap(j - 1, j);
            j -= 1;
        }
    }
    out[3] = sorted[0] * 1000 + sorted[1] * 100 + sorted[2] * 10 + sorted[3];
    out[4] = "grüße".bytes().map(|b| b as u32).sum::<u32>();
    let nested = [[1u32, 2], [3, 4], [5, 6]];
    let r = &nested[(input[3] % 3) as usize][1];
    out[5] = *r;
    out[6] = match (input[0], input[1]) {
        (0, _) => 1,
        (5, n @ 1..=3) => n + 40,
        _ => 2,
    };
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn control_flow(input: &[u32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
