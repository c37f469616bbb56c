// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic shared memory is one `.extern .shared` object, aligned as the strictest use asks, reached in its own space; its size is a special register.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - | %FileCheck %s
// CHECK-COUNT-1: .extern .shared .align 128 .b8 mirgpu_dynamic_shared[];
// CHECK-NOT: .extern .shared
// CHECK-DAG: st.shared.b64
// CHECK-DAG: ld.shared.b64
// CHECK-LABEL: .entry size(
// CHECK: %dynamic_smem_size
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
