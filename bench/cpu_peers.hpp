// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of bench/kernels/cpu.rs as hand-written C++ with OpenMP; compiled with the flags that
// such code is usually given and without contraction, as Rust has none.
#pragma once

#include <cstdint>

namespace peers {
void vecadd(const float *a, const float *b, float *c, int64_t n);
void saxpy(float a, const float *x, float *y, int64_t n);
void stencil(const float *image, int64_t width, int64_t height, float *out);
void mandelbrot(uint32_t width, float scale, uint32_t limit, uint32_t *steps, int64_t n);
void nbody(const float (*bodies)[4], float (*forces)[4], int64_t n);
} // namespace peers
