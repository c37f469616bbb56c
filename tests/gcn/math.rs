// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions on AMD: OCML's code, of which only what is used is in the object, never the processor's approximate sine alone.
// RUN: %mirgpu compile %mir --kernel sine --target=gfx1100 --emit=asm -o - | %FileCheck %s --implicit-check-not=__ocml --implicit-check-not=__oclc --implicit-check-not=v_sin_f32
// RUN: %mirgpu compile %mir --kernel sine --target=gfx942 --emit=hsaco -o %t.hsaco
// RUN: %readelf --dyn-symbols %t.hsaco | %FileCheck %s --check-prefix=SYMBOLS
// RUN: %mirgpu compile %mir --kernel exact --target=gfx1100 --emit=asm -o - | %FileCheck %s --check-prefix=EXACT
// Square root and division round as IEEE says: the processor's are refined.
// EXACT: {{^}}exact:
// EXACT: v_sqrt_f32
// EXACT: v_fma
// EXACT: v_div_scale_f32
// EXACT: v_div_fixup_f32
// CHECK: {{^}}sine:
// CHECK: v_fma
// CHECK: s_endpgm
// SYMBOLS-NOT: UND {{[a-z_]}}
// SYMBOLS: sine
// SYMBOLS-NOT: __o
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
    pub fn exact(mut out: DisjointSlice<f32>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = 1.5 / o.sqrt();
        }
    }
}
