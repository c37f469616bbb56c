// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// However many panics a kernel has, it has one report, inlined: a call would cost every thread registers. The branches to it are cold
// blocks of their own, so that nothing for the report is computed before a check.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - | %FileCheck %s
// CHECK-NOT: .func
// CHECK-LABEL: .entry add(
// CHECK: setp.ge.u64 [[OUT:%p[0-9]+]],
// CHECK-NOT: {{mov|call}}
// CHECK: @[[OUT]] bra
// CHECK-NOT: call
// CHECK: ld.global.nc
// CHECK: mov.b32 %r{{[0-9]+}}, 1;
// CHECK: mov.b32 %r{{[0-9]+}}, 2;
// CHECK: atom.relaxed.sys.inc.u32
// CHECK-NOT: atom
// CHECK: exit;
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn add(a: &[f32], b: &[f32], mut c: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let Some(c) = c.get_mut(i) {
            *c = a[i.get()] + b[i.get()];
        }
    }
}
