// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array that is indexed at run time stays in local memory; what stands beside it in the same struct does not.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - | %FileCheck %s
// CHECK-LABEL: .entry reversed(
// CHECK: .local .align {{[48]}} .b8 __local_depot0[32];
// CHECK-NOT: ld.local.b64
// CHECK-NOT: st.local.b64
#![no_std]
use mirgpu_device::prelude::*;

struct Stack {
    depth: usize,
    values: [u32; 8],
    pushed: u64,
}

impl Stack {
    fn push(&mut self, value: u32) {
        self.values[self.depth] = value;
        self.depth += 1;
        self.pushed += 1;
    }

    fn pop(&mut self) -> u32 {
        self.depth -= 1;
        self.values[self.depth]
    }
}

#[gpu_module]
mod kernels {
    use super::*;
    /// The digits of `x[i]` in base 16, the lowest first, each followed by how many were pushed before it.
    #[kernel]
    pub fn reversed(x: &[u32], mut y: DisjointSlice<u64>) {
        let i = thread::index_1d();
        if let Some(y) = y.get_mut(i) {
            let mut stack = Stack { depth: 0, values: [0; 8], pushed: 0 };
            let mut rest = x[i.get()];
            while rest > 0 {
                stack.push(rest % 16);
                rest /= 16;
            }
            let mut all = stack.pushed;
            while stack.depth > 0 {
                all = all * 16 + u64::from(stack.pop());
            }
            *y = all;
        }
    }
}
