// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// examples/mandelbrot as a CUDA programmer writes it.
struct Area {
  float left, bottom, step;
  unsigned width;
};

extern "C" __global__ void mandelbrot(Area area, unsigned limit, unsigned *steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned row = i / area.width, column = i % area.width, count = 0;
  float re = area.left + column * area.step, im = area.bottom + row * area.step;
  float x = 0.0f, y = 0.0f;
  while (count < limit && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + re;
    y = 2.0f * x * y + im;
    x = next;
    ++count;
  }
  steps[i] = count;
}
