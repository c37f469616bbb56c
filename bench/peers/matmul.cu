// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// examples/matmul as a CUDA programmer writes it.
constexpr int kTile = 16;

extern "C" __global__ void __launch_bounds__(256)
    matmul(const float *__restrict__ a, const float *__restrict__ b, int rows, int inner,
           int columns, float *__restrict__ c) {
  __shared__ float A[kTile * kTile], B[kTile * kTile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * blockDim.y + y, column = blockIdx.x * blockDim.x + x;
  float sum = 0.0f;
  for (int first = 0; first < inner; first += kTile) {
    A[y * kTile + x] = row < rows && first + x < inner ? a[row * inner + first + x] : 0.0f;
    B[y * kTile + x] =
        first + y < inner && column < columns ? b[(first + y) * columns + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      sum += A[y * kTile + k] * B[k * kTile + x];
    __syncthreads();
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}
