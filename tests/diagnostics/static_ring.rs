// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statics that refer to each other in a ring have no form in PTX: the ring is named; AMD and the CPU hold it.
// RUN: %not 1 %mirgpu compile %mir --target=sm_90 -o %t 2>&1 | %FileCheck %s
// RUN: %mirgpu compile %mir --target=gfx1100,host -o %t
// CHECK: error[MG0202]: statics refer to each other in a ring, `static_ring::FIRST` → `static_ring::SECOND`, which sm_90 cannot hold
// CHECK: --> {{.*}}static_ring.rs:18:
// CHECK: required by kernel `static_ring::kernels::follow`
// CHECK: aborting due to 1 error
#![no_std]
use mirgpu_device::prelude::*;

struct Node {
    value: u32,
    next: &'static Node,
}
// Leads to the ring without being of it.
static START: Node = Node { value: 1, next: &FIRST };
static FIRST: Node = Node { value: 2, next: &SECOND };
static SECOND: Node = Node { value: 3, next: &FIRST };

#[inline(never)]
fn step(node: &Node) -> &Node {
    if node.value == 7 { &START } else { node.next }
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn follow(steps: u32, mut out: DisjointSlice<u32>) {
        let mut node = &START;
        for _ in 0..steps {
            node = step(node);
        }
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = node.value;
        }
    }
}
