// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// examples/vecadd as a CUDA programmer writes it: one length, 32-bit indices.
extern "C" __global__ void vecadd(const float *__restrict__ a, const float *__restrict__ b,
                                  float *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
