// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// examples/saxpy as a CUDA programmer writes it.
extern "C" __global__ void saxpy(float a, const float *__restrict__ x, float *__restrict__ y,
                                 int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}
