// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A bytecode interpreter: every thread runs the same program on its own inputs, in `machine.rs`, which knows nothing of GPUs.
#![no_std]

use mirgpu_device::prelude::*;

mod machine;

#[gpu_module]
mod kernels {
    use super::*;
    use machine::Op;

    /// Runs `program` on row `i` of `data`, which has `width` inputs (none, if `data` has no such row), for at most `steps` operations.
    /// `results[i]` is what it left; `faults[i]` is 0, or the number of the `Fault` that stopped it.
    #[kernel]
    pub fn interpret(
        program: &[Op],
        data: &[f32],
        width: u32,
        steps: u32,
        mut results: DisjointSlice<f32>,
        mut faults: DisjointSlice<u32>,
    ) {
        let i = thread::index_1d();
        let (Some(result), Some(fault)) = (results.get_mut(i), faults.get_mut(i)) else {
            return;
        };
        let first = i.get() * width as usize;
        let inputs = data.get(first..first + width as usize).unwrap_or_default();
        (*result, *fault) = match machine::run(program, inputs, steps) {
            Ok(value) => (value, 0),
            Err(fault) => (0.0, fault as u32),
        };
    }
}
