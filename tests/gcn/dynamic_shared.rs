// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic shared memory on AMD lies behind the static bytes; its size is a hidden argument that the metadata asks the loader for.
// RUN: %mirgpu compile %mir --target=gfx1100 --emit=asm -o - | %FileCheck %s
// RUN: %mirgpu compile %mir --target=gfx942 --emit=asm -o - | %FileCheck %s
// CHECK-LABEL: {{^}}reverse:
// CHECK-DAG: ds_{{store|write}}_b32
// CHECK-DAG: ds_{{load|read}}_b64
// CHECK: .amdhsa_group_segment_fixed_size
// CHECK-LABEL: {{^}}size:
// CHECK: s_load_{{dword|b32}} s{{[0-9]+}}, s[{{[0-9]+:[0-9]+}}], 0x78
// CHECK-LABEL: amdhsa.kernels:
// CHECK: .value_kind: hidden_dynamic_lds_size
// CHECK: .group_segment_fixed_size: 128
// CHECK: .name: reverse
// CHECK: .value_kind: hidden_dynamic_lds_size
// CHECK: .name: size
#![no_std]
use mirgpu_device::prelude::*;

static mut STATIC: SharedArray<u32, 8> = SharedArray::UNINIT;

#[inline(never)]
fn write(index: usize, value: f64) {
    unsafe { DynamicSharedArray::<f64, 128>::get().add(index).write(value) };
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn reverse(mut out: DisjointSlice<f64>) {
        let (t, n) = (thread::thread_idx_x() as usize, DynamicSharedArray::<f64>::len());
        write(t, t as f64);
        unsafe { STATIC[t % 8] = t as u32 };
        thread::sync_threads();
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = unsafe { *DynamicSharedArray::<f64>::get().add(n - 1 - t) } + unsafe { STATIC[0] } as f64;
        }
    }

    // Asks for the size alone.
    #[kernel]
    pub fn size(mut out: DisjointSlice<u32>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = DynamicSharedArray::<u8>::size_in_bytes() as u32;
        }
    }
}
