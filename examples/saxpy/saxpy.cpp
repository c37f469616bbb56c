// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// saxpy.rs on a device and in plain C++.
#include "examples/demo/demo.hpp"

namespace mirgpu::examples {

/// y[i] + a * x[i].
static std::vector<float> reference(float a, std::span<const float> x, std::span<const float> y) {
  std::vector<float> result(y.begin(), y.end());
  for (size_t i = 0; i < result.size(); ++i) {
    float product = a * x[i];
    result[i] += product;
  }
  return result;
}

static Run run(const Setup &setup, uint64_t count) {
  Numbers numbers(2);
  std::vector<float> x = numbers.floats(count), y = numbers.floats(count);
  float a = numbers.nextFloat();
  auto kernel = kernelOf<void(float, In<float>, Out<float>)>(setup, "saxpy", "saxpy");
  auto bufferX = setup.device.from(setup.stream, x), bufferY = setup.device.from(setup.stream, y);
  if (Status status = firstError(kernel, bufferX, bufferY); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(count).block(256), a, *bufferX, *bufferY);
  });
  return compared(ms, setup, *bufferY, reference(a, x, y));
}

std::vector<ExampleKernel> saxpy() { return {{"saxpy", run, lengths()}}; }

} // namespace mirgpu::examples
