// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A panic in a noinline callee survives O3: the check, the record and the exit are all there.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -O3 -o - | %FileCheck %s
// RUN: %mirgpu compile %mir --target=sm_75 --emit=ptx -O3 -o - | %FileCheck %s
// CHECK-LABEL: .func {{.*}}panic_noinline$$check(
// CHECK: setp.{{eq|ne}}.b32 {{.*}}, 13;
// CHECK-NOT: call
// CHECK: atom.relaxed.sys.inc.u32
// CHECK: exit;
// CHECK-LABEL: .entry guarded(
// CHECK: call.uni {{.*}}panic_noinline$$check
#![no_std]
use mirgpu_device::prelude::*;

#[inline(never)]
fn check(v: u32) -> u32 {
    assert!(v != 13, "thirteen");
    v + 1
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn guarded(x: &[u32], mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let (Some(o), Some(v)) = (out.get_mut(i), x.get(i.get())) {
            *o = check(*v);
        }
    }
}
