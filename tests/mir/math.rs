// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions are neutral, pure calls before a target is chosen: rustc's intrinsics, C's symbols and `%` alike; f16 computes as f32.
// RUN: %mirgpu compile %mir --target=sm_90 -O0 --emit=llvm-ir -o - | %FileCheck %s --implicit-check-not=frem
// RUN: %mirgpu compile %mir --target=gfx1100 -O0 --emit=llvm-ir -o - | %FileCheck %s --implicit-check-not=frem
// RUN: %mirgpu compile %mir --target=host -O0 --emit=llvm-ir -o - | %FileCheck %s --implicit-check-not=frem
// CHECK-DAG: call float @mirgpu.math.sin.f32(float
// CHECK-DAG: call double @mirgpu.math.tan.f64(double
// CHECK-DAG: call float @mirgpu.math.pow.f32(float
// CHECK-DAG: call float @mirgpu.math.fmod.f32(float
// CHECK-DAG: fpext half {{.*}} to float
// CHECK-DAG: call float @mirgpu.math.exp.f32(float
// CHECK-DAG: fptrunc float {{.*}} to half
// CHECK-DAG: declare float @mirgpu.math.sin.f32(float) #[[PURE:[0-9]+]]
// CHECK: attributes #[[PURE]] = { {{.*}}memory(none) }
#![feature(f16)]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub unsafe fn all(out: *mut f32, wide: *mut f64) {
        unsafe {
            *out = (*out).sin();
            *wide = (*wide).tan();
            *out = (*out).powf(*out) % 0.7;
            *out = (*out as f16).exp() as f32;
        }
    }
}
