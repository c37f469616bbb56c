// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `?` makes of results lives in registers: the array that is indexed at run time is all that the kernel has in local memory. A
// discriminant that a path has just set is not tested again: four tests are left, and the three of the report.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - | %FileCheck %s
// CHECK-LABEL: .entry sums(
// CHECK: __local_depot0[32];
// CHECK-NOT: selp
// CHECK-COUNT-7: setp.{{[a-z0-9.]+}} %p
// CHECK-NOT: {{setp.[a-z0-9.]+ %p|selp}}
#![no_std]
use mirgpu_device::prelude::*;

#[derive(Clone, Copy)]
#[repr(u32)]
enum Fault {
    Underflow = 1,
    Overflow = 2,
}

struct Stack {
    values: [f32; 8],
    depth: usize,
}

impl Stack {
    fn push(&mut self, value: f32) -> Result<(), Fault> {
        *self.values.get_mut(self.depth).ok_or(Fault::Overflow)? = value;
        self.depth += 1;
        Ok(())
    }

    fn pop(&mut self) -> Result<f32, Fault> {
        self.depth = self.depth.checked_sub(1).ok_or(Fault::Underflow)?;
        Ok(self.values[self.depth])
    }

    fn pop_two(&mut self) -> Result<(f32, f32), Fault> {
        let b = self.pop()?;
        Ok((self.pop()?, b))
    }

    fn combine(&mut self, f: impl Fn(f32, f32) -> f32) -> Result<(), Fault> {
        let (a, b) = self.pop_two()?;
        self.push(f(a, b))
    }
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn sums(x: &[f32; 8], depth: usize, mut out: DisjointSlice<(f32, u32)>) {
        let Some(out) = out.get_mut(thread::index_1d()) else {
            return;
        };
        let mut stack = Stack { values: *x, depth };
        *out = match stack.combine(|a, b| a - b).and_then(|()| stack.pop()) {
            Ok(sum) => (sum, 0),
            Err(fault) => (0.0, fault as u32),
        };
    }
}
