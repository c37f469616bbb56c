// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// loops.rs as a CUDA programmer writes it.
struct Body {
  float x, y, z, m;
};
struct V3 {
  float v[3];
};
struct V2 {
  float v[2];
};
typedef unsigned long long u64;
extern "C" {
__global__ void dot_rows(const float *__restrict__ a, const float *__restrict__ x, int n, float *y,
                         int len) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= len)
    return;
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[i * n + k] * x[k];
  y[i] = s;
}
__global__ void matmul(const float *__restrict__ a, const float *__restrict__ b, int n, float *c,
                       int len) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= len)
    return;
  int row = i / n, col = i % n;
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[row * n + k] * b[k * n + col];
  c[i] = s;
}
__global__ void nbody(const Body *__restrict__ b, int n, V3 *acc, int len) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= len)
    return;
  Body me = b[i];
  V3 a = {{0, 0, 0}};
  for (int k = 0; k < n; ++k) {
    Body o = b[k];
    float d[3] = {o.x - me.x, o.y - me.y, o.z - me.z};
    float r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01f;
    float inv = o.m / (r2 * r2);
    for (int j = 0; j < 3; ++j)
      a.v[j] += d[j] * inv;
  }
  acc[i] = a;
}
__global__ void mandel(unsigned w, unsigned limit, unsigned *out, int len) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= len)
    return;
  unsigned px = i % w, py = i / w;
  float cx = px * 0.001f - 2.0f, cy = py * 0.001f - 1.0f, x = 0, y = 0;
  unsigned n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  out[i] = n;
}
__global__ void kmeans(const V2 *__restrict__ p, const V2 *__restrict__ c, int n, unsigned *label,
                       int len) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= len)
    return;
  float px = p[i].v[0], py = p[i].v[1], best = 3.402823466e38f;
  unsigned at = 0;
  for (int k = 0; k < n; ++k) {
    float dx = px - c[k].v[0], dy = py - c[k].v[1];
    float d = dx * dx + dy * dy;
    if (d < best) {
      best = d;
      at = k;
    }
  }
  label[i] = at;
}
__global__ void gridstride(const float *__restrict__ x, int n, float *sums, int len) {
  float s = 0;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = t; i < n; i += blockDim.x * gridDim.x)
    s += x[i];
  if (t < len)
    sums[t] = s;
}
__global__ void stencil_rows(const float *__restrict__ x, int w, int h, float *y, int len) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= len)
    return;
  int r = i / w, c = i % w;
  float s = 0;
  for (int dr = -1; dr <= 1; ++dr)
    for (int dc = -1; dc <= 1; ++dc) {
      int rr = r + dr, cc = c + dc;
      if (rr >= 0 && rr < h && cc >= 0 && cc < w)
        s += x[rr * w + cc];
    }
  y[i] = s / 9.0f;
}
__global__ void tiled(const float *__restrict__ a, const float *__restrict__ b, int n, float *c,
                      int len) {
  __shared__ float A[256], B[256];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float s = 0;
  for (int t = 0; t < n / 16; ++t) {
    A[ty * 16 + tx] = a[row * n + t * 16 + tx];
    B[ty * 16 + tx] = b[(t * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      s += A[ty * 16 + k] * B[k * 16 + tx];
    __syncthreads();
  }
  int at = row * n + col;
  if (at < len)
    c[at] = s;
}
}
