// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scoped atomic types: order and scope of each operation stand in the PTX.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - --kernel scoped | %FileCheck %s --implicit-check-not=isspacep
// CHECK: .entry scoped(
// CHECK: ld.acquire.gpu.global.b32
// CHECK: st.release.sys.global.b64
// CHECK: atom.relaxed.cta.shared.add.u32
// CHECK: atom.acq_rel.gpu.global.max.s64
// CHECK: fence.sc.sys
// CHECK-NEXT: atom.acquire.sys.global.cas.b64
// CHECK: atom.relaxed.gpu.global.add.f32
// CHECK: fence.acq_rel.cta
#![no_std]
use core::sync::atomic::Ordering::*;
use mirgpu_device::atomic::*;
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn scoped(a: &DeviceAtomicU32, b: &SystemAtomicU64, c: &DeviceAtomicI64, d: &DeviceAtomicF32) {
        static mut SUM: SharedArray<BlockAtomicU32, 1> = SharedArray::UNINIT;
        let v = a.load(Acquire);
        b.store(v as u64, Release);
        // SAFETY: all threads of the block reach it as an atomic.
        unsafe { &*SharedArray::as_raw_mut_ptr(&raw mut SUM) }.fetch_add(1, Relaxed);
        c.fetch_max(-3, AcqRel);
        let _ = b.compare_exchange(1, 2, SeqCst, Relaxed);
        d.fetch_sub(1.5, Relaxed);
        fence::<scope::Block>(Release);
    }
}
