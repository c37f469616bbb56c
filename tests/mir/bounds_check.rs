// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index is a compare and a branch to a cold panic call with index and length; the slice's facts stand on the parameters.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=llvm-ir -O0 -o - | %FileCheck %s
// RUN: %mirgpu compile %mir --target=gfx1100 --emit=llvm-ir -O0 -o - | %FileCheck %s
// RUN: %mirgpu compile %mir --target=host --emit=llvm-ir -O0 -o - | %FileCheck %s
// CHECK-LABEL: define internal void @mirgpu.kernel.pick(
// CHECK-SAME: ptr noalias noundef nonnull readonly align 4 %table, i64 noundef %table.len
// CHECK-SAME: ptr noundef align 4 %out, i64 noundef %out.len, ptr %context)
// CHECK-LABEL: define internal void @"bounds_check$$kernels$$pick"(
// CHECK-SAME: ptr noalias noundef nonnull readonly align 4 [[DATA:%[0-9]+]], i64 noundef [[LENGTH:%[0-9]+]]
// CHECK: [[INSIDE:%[0-9]+]] = icmp ult i64 [[INDEX:%[0-9]+]], [[LENGTH]]
// CHECK-NEXT: br i1 [[INSIDE]], label %{{.*}}, label %[[PANIC:.*]], !dbg {{.*}}!prof
// CHECK: getelementptr inbounds nuw [4 x i8], ptr [[DATA]], i64 [[INDEX]]
// CHECK-NEXT: load float, ptr {{.*}}, align 4
// CHECK: {{^}}[[PANIC]]:
// CHECK-NEXT: call void @mirgpu.panic(ptr %context, i32 {{[0-9]+}}, i64 [[INDEX]], i64 [[LENGTH]])
// CHECK-NEXT: unreachable
// CHECK: ; Function Attrs: cold noinline noreturn nounwind{{$}}
// CHECK-NEXT: declare void @mirgpu.panic(
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn pick(table: &[f32], at: u32, mut out: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let Some(o) = out.get_mut(i) {
            *o = table[at as usize];
        }
    }
}
