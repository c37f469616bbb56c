// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library of math functions that cannot be read is an error that names the file; the variables that name other files are taken as they are.
// RUN: env MIRGPU_LIBDEVICE=%t.none %not 3 %mirgpu compile %mir --target=sm_90 -o %t 2>&1 | %FileCheck %s --check-prefix=NVIDIA
// RUN: env MIRGPU_OCML=%t.none %not 3 %mirgpu compile %mir --target=gfx1100 -o %t 2>&1 | %FileCheck %s --check-prefix=AMD
// RUN: env MIRGPU_HOST_MATH=%s %not 3 %mirgpu compile %mir --target=host -o %t 2>&1 | %FileCheck %s --check-prefix=HOST
// NVIDIA: error: cannot read NVIDIA's libdevice: `{{.*}}.none`: {{.*}}o such file
// AMD: error: cannot read AMD's OCML: `{{.*}}.none`: {{.*}}o such file
// HOST: error: cannot read the CPU device's math library: `{{.*}}missing_math_library.rs`
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn wave(mut out: DisjointSlice<f32>) {
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = o.sin();
        }
    }
}
