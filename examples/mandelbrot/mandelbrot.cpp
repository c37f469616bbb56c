// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mandelbrot.rs on a device and in plain C++. The size is the number of rows.
#include "examples/demo/demo.hpp"

namespace mirgpu::examples {

namespace {

/// `Area` of mandelbrot.rs.
struct Area {
  float left, bottom, step;
  uint32_t width;
};

} // namespace

static std::vector<uint32_t> reference(const Area &area, uint32_t limit, size_t count) {
  std::vector<uint32_t> steps(count);
  for (size_t i = 0; i < count; ++i) {
    float re = area.left + static_cast<float>(i % area.width) * area.step;
    float im = area.bottom + static_cast<float>(i / area.width) * area.step;
    float x = 0, y = 0;
    while (steps[i] < limit && x * x + y * y <= 4.0f) {
      float next = x * x - y * y + re;
      y = 2.0f * x * y + im;
      x = next;
      ++steps[i];
    }
  }
  return steps;
}

static Run run(const Setup &setup, uint64_t rows) {
  constexpr uint32_t limit = 200;
  Area area{-2.0f, -1.0f, 2.0f / static_cast<float>(rows), static_cast<uint32_t>(rows) * 3 / 2 + 1};
  uint64_t count = rows * area.width;
  auto kernel = kernelOf<void(Area, uint32_t, Out<uint32_t>)>(setup, "mandelbrot", "mandelbrot");
  auto steps = setup.device.alloc<uint32_t>(count);
  if (Status status = firstError(kernel, steps); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(count).block(128), area, limit, *steps);
  });
  return compared(ms, setup, *steps, reference(area, limit, count));
}

std::vector<ExampleKernel> mandelbrot() { return {{"mandelbrot", run, {1, 2, 33, 120}}}; }

} // namespace mirgpu::examples
