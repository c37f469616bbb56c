// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of nbody.rs on a device and in plain C++. The size is the number of bodies.
#include "examples/demo/demo.hpp"

#include <array>

namespace mirgpu::examples {

namespace {

/// `Body` of nbody.rs: position and mass.
struct Body {
  float x, y, z, mass;
};

} // namespace

static constexpr uint32_t kThreads = 128;

using Vector = std::array<float, 3>;

static std::vector<Vector> reference(std::span<const Body> bodies, float softening) {
  std::vector<Vector> accelerations;
  for (const Body &own : bodies) {
    Vector sum{};
    for (const Body &body : bodies) {
      float x = body.x - own.x, y = body.y - own.y, z = body.z - own.z;
      float square = x * x + y * y + z * z + softening;
      float factor = body.mass / (square * std::sqrt(square));
      sum[0] += x * factor;
      sum[1] += y * factor;
      sum[2] += z * factor;
    }
    accelerations.push_back(sum);
  }
  return accelerations;
}

template <const char *Name> static Run run(const Setup &setup, uint64_t count) {
  constexpr float softening = 0.01f;
  Numbers numbers(7);
  std::vector<Body> bodies(count);
  for (Body &body : bodies)
    body = {numbers.nextFloat(), numbers.nextFloat(), numbers.nextFloat(), numbers.between(0, 1)};
  auto kernel = kernelOf<void(In<Body>, float, Out<Vector>)>(setup, "nbody", Name);
  auto bufferBodies = setup.device.from(setup.stream, bodies);
  auto accelerations = setup.device.alloc<Vector>(count);
  if (Status status = firstError(kernel, bufferBodies, accelerations); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(count).block(kThreads), *bufferBodies, softening,
                          *accelerations);
  });
  return compared(ms, setup, *accelerations, reference(bodies, softening));
}

std::vector<ExampleKernel> nbody() {
  static constexpr char plain[] = "nbody", tiled[] = "nbody_tiled";
  return {{plain, run<plain>, {1, 31, 128, 1000}}, {tiled, run<tiled>, {1, 31, 128, 1000}}};
}

} // namespace mirgpu::examples
