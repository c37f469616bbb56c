// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// examples/reduce as a CUDA programmer writes it.
constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr unsigned kAll = 0xffffffffu;

extern "C" __global__ void __launch_bounds__(kThreads)
    block_sum(const float *__restrict__ x, int n, float *__restrict__ sums, int blocks) {
  __shared__ float partial[kWarps];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = i < n ? x[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(kAll, sum, d);
  if (lane == 0)
    partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < kWarps ? partial[lane] : 0.0f;
    for (int d = kWarps / 2; d > 0; d /= 2)
      sum += __shfl_down_sync(kAll, sum, d);
    if (lane == 0 && blockIdx.x < blocks)
      sums[blockIdx.x] = sum;
  }
}

extern "C" __global__ void __launch_bounds__(kThreads)
    block_sum_u32(const unsigned *__restrict__ x, int n, unsigned *__restrict__ sums, int blocks) {
  __shared__ unsigned partial[kWarps];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned sum = i < n ? x[i] : 0;
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(kAll, sum, d);
  if (lane == 0)
    partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < kWarps ? partial[lane] : 0;
    for (int d = kWarps / 2; d > 0; d /= 2)
      sum += __shfl_xor_sync(kAll, sum, d);
    if (lane == 0 && blockIdx.x < blocks)
      sums[blockIdx.x] = sum;
  }
}
