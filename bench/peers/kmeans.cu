// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// examples/kmeans as a CUDA programmer writes it.
constexpr int kThreads = 128;
struct Point {
  float x, y;
};
struct Sum {
  float x, y;
  unsigned count;
};

extern "C" __global__ void kmeans_assign(const Point *__restrict__ points,
                                         const Point *__restrict__ centres, int count,
                                         unsigned *labels, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Point point = points[i];
  unsigned best = 0;
  float least = __int_as_float(0x7f800000);
  for (int k = 0; k < count; ++k) {
    float dx = point.x - centres[k].x, dy = point.y - centres[k].y;
    float square = dx * dx + dy * dy;
    if (square < least) {
      best = k;
      least = square;
    }
  }
  labels[i] = best;
}

extern "C" __global__ void __launch_bounds__(kThreads)
    kmeans_update(const Point *__restrict__ points, const unsigned *__restrict__ labels, int n,
                  Point *centres, int count) {
  __shared__ Sum sums[kThreads];
  unsigned own = threadIdx.x, centre = blockIdx.x;
  Sum sum = {};
  for (int i = own; i < n; i += kThreads)
    if (labels[i] == centre) {
      sum.x += points[i].x;
      sum.y += points[i].y;
      ++sum.count;
    }
  sums[own] = sum;
  for (unsigned distance = kThreads / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (own < distance) {
      sums[own].x += sums[own + distance].x;
      sums[own].y += sums[own + distance].y;
      sums[own].count += sums[own + distance].count;
    }
  }
  if (own == 0 && centre < count && sums[0].count > 0)
    centres[centre] = {sums[0].x / sums[0].count, sums[0].y / sums[0].count};
}
