// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every math function of f64 that a library computes compiles for every target; docs/math.md has the measured errors on the CPU.
// RUN: %mirgpu compile %mir --target=sm_75,sm_120,gfx90a,gfx1201,host -o %t.mgpu
// RUN: %mirgpu run %mir --kernel lgamma --grid 1 --block 4 --arg out=f64:[-0.5,-1.5,3.0,1.0] --arg sign=i32[4]:zeros --print sign --print out | %FileCheck %s
// CHECK-DAG: sign = [-1, 1, 1, 1]
// CHECK-DAG: out = [1.2655{{[0-9]*}}, 0.8600{{[0-9]*}}, 0.6931{{[0-9]*}}, 0.0]
#![feature(float_gamma, float_erf)]
type F = f64;
include!("Inputs/math_functions.rs");
