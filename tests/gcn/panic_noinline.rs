// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A panic in a noinline callee survives O3 on AMD: the record is written and the wave ends.
// RUN: %mirgpu compile %mir --target=gfx1100 --emit=asm -O3 -o - | %FileCheck %s
// RUN: %mirgpu compile %mir --target=gfx942 --emit=asm -O3 -o - | %FileCheck %s
// CHECK-LABEL: mirgpu.panic:
// CHECK: {{flat|global}}_atomic_add
// CHECK: s_endpgm
// CHECK-LABEL: panic_noinline$$check:
// CHECK: v_cmp{{x?}}_ne_u32_e32 {{.*}}13
// CHECK: s_swappc_b64
// CHECK-LABEL: guarded:
// CHECK: s_swappc_b64
// CHECK: .amdhsa_kernel guarded
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
