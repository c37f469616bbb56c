// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// examples/nbody as a CUDA programmer writes it.
constexpr int kTile = 128;
struct Body {
  float position[3], mass;
};
struct Vector {
  float at[3];
};

__device__ void pull(Vector &sum, const Vector &own, const Body &body, float softening) {
  float x = body.position[0] - own.at[0], y = body.position[1] - own.at[1],
        z = body.position[2] - own.at[2];
  float square = x * x + y * y + z * z + softening;
  float factor = body.mass / (square * sqrtf(square));
  sum.at[0] += x * factor;
  sum.at[1] += y * factor;
  sum.at[2] += z * factor;
}

extern "C" __global__ void nbody(const Body *__restrict__ bodies, int count, float softening,
                                 Vector *accelerations, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Body me = bodies[i];
  Vector own = {{me.position[0], me.position[1], me.position[2]}}, sum = {};
  for (int k = 0; k < count; ++k)
    pull(sum, own, bodies[k], softening);
  accelerations[i] = sum;
}

extern "C" __global__ void __launch_bounds__(128)
    nbody_tiled(const Body *__restrict__ bodies, int count, float softening, Vector *accelerations,
                int n) {
  __shared__ Body tile[kTile];
  int i = blockIdx.x * blockDim.x + threadIdx.x, own = threadIdx.x;
  Vector position = {}, sum = {};
  if (i < count)
    position = {{bodies[i].position[0], bodies[i].position[1], bodies[i].position[2]}};
  for (int first = 0; first < count; first += kTile) {
    tile[own] = first + own < count ? bodies[first + own] : Body{};
    __syncthreads();
    int here = min(kTile, count - first);
    for (int k = 0; k < here; ++k)
      pull(sum, position, tile[k], softening);
    __syncthreads();
  }
  if (i < n)
    accelerations[i] = sum;
}
