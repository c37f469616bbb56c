// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vecadd.rs on a device and in plain C++.
#include "examples/demo/demo.hpp"

namespace mirgpu::examples {

/// a[i] + b[i].
static std::vector<float> reference(std::span<const float> a, std::span<const float> b) {
  std::vector<float> c(a.size());
  for (size_t i = 0; i < c.size(); ++i)
    c[i] = a[i] + b[i];
  return c;
}

static Run run(const Setup &setup, uint64_t count) {
  Numbers numbers(1);
  std::vector<float> a = numbers.floats(count), b = numbers.floats(count);
  auto kernel = kernelOf<void(In<float>, In<float>, Out<float>)>(setup, "vecadd", "vecadd");
  auto bufferA = setup.device.from(setup.stream, a), bufferB = setup.device.from(setup.stream, b);
  auto bufferC = setup.device.alloc<float>(count);
  if (Status status = firstError(kernel, bufferA, bufferB, bufferC); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(count).block(256), *bufferA, *bufferB, *bufferC);
  });
  return compared(ms, setup, *bufferC, reference(a, b));
}

std::vector<ExampleKernel> vecadd() { return {{"vecadd", run, lengths()}}; }

} // namespace mirgpu::examples
