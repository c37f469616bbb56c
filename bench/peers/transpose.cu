// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// examples/transpose as a CUDA programmer writes it.
constexpr int kTile = 32, kRows = 8;

extern "C" __global__ void __launch_bounds__(256)
    transpose(const float *__restrict__ input, int rows, int columns, float *__restrict__ out) {
  __shared__ float cells[kTile][kTile + 1];
  int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * kTile, top = blockIdx.y * kTile;
  for (int j = y; j < kTile; j += kRows)
    if (top + j < rows && left + x < columns)
      cells[j][x] = input[(top + j) * columns + left + x];
  __syncthreads();
  for (int j = y; j < kTile; j += kRows)
    if (left + j < columns && top + x < rows)
      out[(left + j) * rows + top + x] = cells[x][j];
}
