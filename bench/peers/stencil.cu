// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// examples/stencil as a CUDA programmer writes it.
struct Weights {
  float at[3][3];
};

extern "C" __global__ void stencil(const float *__restrict__ image, int width, int height,
                                   const Weights *__restrict__ weights, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height)
    return;
  int row = i / width, column = i % width;
  float sum = 0.0f;
  for (int dy = 0; dy < 3; ++dy) {
    int y = min(max(row + dy - 1, 0), height - 1);
    for (int dx = 0; dx < 3; ++dx)
      sum += weights->at[dy][dx] * image[y * width + min(max(column + dx - 1, 0), width - 1)];
  }
  out[i] = sum;
}
