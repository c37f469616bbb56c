// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// examples/histogram as a CUDA programmer writes it.
constexpr int kBins = 256;

extern "C" __global__ void histogram_global(const unsigned char *__restrict__ bytes, int n,
                                            unsigned *bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd_system(&bins[bytes[i]], 1u);
}

extern "C" __global__ void histogram(const unsigned char *__restrict__ bytes, int n,
                                     unsigned *bins) {
  __shared__ unsigned counts[kBins];
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x)
    counts[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd_block(&counts[bytes[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x)
    if (unsigned count = counts[bin])
      atomicAdd_system(&bins[bin], count);
}
