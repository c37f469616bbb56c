// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions on NVIDIA: libdevice's code, of which only what is used is in the PTX; square root and division round as IEEE says.
// RUN: %mirgpu compile %mir --kernel sine --target=sm_90 --emit=ptx -o - | %FileCheck %s --implicit-check-not=.func --implicit-check-not=.extern --implicit-check-not=reflect --implicit-check-not=.global.align
// RUN: %mirgpu compile %mir --kernel power --target=sm_75 --emit=ptx -o - | %FileCheck %s --check-prefix=POW
// RUN: %mirgpu compile %mir --kernel power --target=sm_75 --ftz --emit=ptx -o - | %FileCheck %s --check-prefix=FTZ
// RUN: %mirgpu compile %mir --kernel exact --target=sm_90 --emit=ptx -o - | %FileCheck %s --check-prefix=EXACT --implicit-check-not=approx
// CHECK: .visible .entry sine(
// CHECK-NOT: sin.approx
// CHECK: fma.rn.f32
// The power needs no call and keeps subnormals; with --ftz libdevice's other half is used.
// POW: .entry power(
// POW-NOT: fma.rn.ftz
// POW: fma.rn.f32
// FTZ: fma.rn.ftz.f32
// EXACT-DAG: sqrt.rn.f32
// EXACT-DAG: div.rn.f32
// EXACT-DAG: sqrt.rn.f64
// EXACT-DAG: div.rn.f64
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn sine(mut out: DisjointSlice<f32>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = o.sin();
        }
    }
    #[kernel]
    pub fn power(mut out: DisjointSlice<f32>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = o.powf(0.3);
        }
    }
    #[kernel]
    pub fn exact(mut out: DisjointSlice<f32>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            let wide = *o as f64;
            *o = (1.5 / o.sqrt()) + (2.5 / wide.sqrt()) as f32;
        }
    }
}
