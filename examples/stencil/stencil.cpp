// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stencil.rs on a device and in plain C++. The size is the number of rows; rows have an odd width.
#include "examples/demo/demo.hpp"

#include <algorithm>

namespace mirgpu::examples {

static std::vector<float> reference(std::span<const float> image, size_t width,
                                    std::span<const float> weights) {
  auto at = [](size_t position, size_t step, size_t size) {
    size_t moved = position + step;
    return std::min(moved > 0 ? moved - 1 : 0, size - 1);
  };
  size_t height = image.size() / width;
  std::vector<float> out(image.size());
  for (size_t row = 0; row < height; ++row)
    for (size_t column = 0; column < width; ++column)
      for (size_t k = 0; k < 9; ++k) {
        float product =
            weights[k] * image[at(row, k / 3, height) * width + at(column, k % 3, width)];
        out[row * width + column] += product;
      }
  return out;
}

static Run run(const Setup &setup, uint64_t rows) {
  uint32_t width = static_cast<uint32_t>(rows) * 2 - 1;
  Numbers numbers(6);
  std::vector<float> image = numbers.floats(rows * width), weights = numbers.floats(9);
  auto kernel =
      kernelOf<void(In<float>, uint32_t, In<float>, Out<float>)>(setup, "stencil", "stencil");
  auto bufferImage = setup.device.from(setup.stream, image);
  auto bufferWeights = setup.device.from(setup.stream, weights);
  auto out = setup.device.alloc<float>(image.size());
  if (Status status = firstError(kernel, bufferImage, bufferWeights, out); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(image.size()).block(256), *bufferImage, width,
                          *bufferWeights, *out);
  });
  return compared(ms, setup, *out, reference(image, width, weights));
}

std::vector<ExampleKernel> stencil() { return {{"stencil", run, {1, 2, 17, 150}}}; }

} // namespace mirgpu::examples
