// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu_peers.hpp"

namespace peers {

void vecadd(const float *a, const float *b, float *c, int64_t n) {
#pragma omp parallel for simd
  for (int64_t i = 0; i < n; ++i)
    c[i] = a[i] + b[i];
}

void saxpy(float a, const float *x, float *y, int64_t n) {
#pragma omp parallel for simd
  for (int64_t i = 0; i < n; ++i)
    y[i] += a * x[i];
}

void stencil(const float *image, int64_t width, int64_t height, float *out) {
#pragma omp parallel for
  for (int64_t y = 1; y < height - 1; ++y)
#pragma omp simd
    for (int64_t x = 1; x < width - 1; ++x) {
      float sum = 0;
      for (int64_t row = y - 1; row < y + 2; ++row)
        for (int64_t column = x - 1; column < x + 2; ++column)
          sum += image[row * width + column];
      out[y * width + x] = sum * (1.0f / 9.0f);
    }
}

void mandelbrot(uint32_t width, float scale, uint32_t limit, uint32_t *steps, int64_t n) {
#pragma omp parallel for schedule(dynamic, 256)
  for (int64_t i = 0; i < n; ++i) {
    uint32_t row = static_cast<uint32_t>(i) / width, column = static_cast<uint32_t>(i) % width;
    float re = static_cast<float>(column) * scale - 2.0f;
    float im = static_cast<float>(row) * scale - 1.0f;
    float x = 0, y = 0;
    uint32_t count = 0;
    while (count < limit && x * x + y * y <= 4.0f) {
      float next = x * x - y * y + re;
      y = 2.0f * x * y + im;
      x = next;
      ++count;
    }
    steps[i] = count;
  }
}

void nbody(const float (*bodies)[4], float (*forces)[4], int64_t n) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i) {
    float sum[3] = {0, 0, 0};
    for (int64_t k = 0; k < n; ++k) {
      float x = bodies[k][0] - bodies[i][0], y = bodies[k][1] - bodies[i][1],
            z = bodies[k][2] - bodies[i][2];
      float square = x * x + y * y + z * z + 0.01f;
      float factor = bodies[k][3] / (square * square);
      sum[0] += x * factor;
      sum[1] += y * factor;
      sum[2] += z * factor;
    }
    for (int axis = 0; axis < 3; ++axis)
      forces[i][axis] = sum[axis];
    forces[i][3] = 0;
  }
}

} // namespace peers
