// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose.rs on a device and in plain C++. The size is the number of rows.
#include "examples/demo/demo.hpp"

namespace mirgpu::examples {

static std::vector<float> reference(std::span<const float> input, size_t rows, size_t columns) {
  std::vector<float> out(input.size());
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column)
      out[column * rows + row] = input[row * columns + column];
  return out;
}

static Run run(const Setup &setup, uint64_t size) {
  constexpr uint32_t tile = 32;
  auto rows = static_cast<uint32_t>(size), columns = rows / 2 + 3;
  std::vector<float> input = Numbers(8).floats(static_cast<uint64_t>(rows) * columns);
  auto kernel =
      kernelOf<void(In<float>, uint32_t, uint32_t, Out<float>)>(setup, "transpose", "transpose");
  auto bufferInput = setup.device.from(setup.stream, input);
  auto out = setup.device.alloc<float>(input.size());
  if (Status status = firstError(kernel, bufferInput, out); !status)
    return status.error();
  Launch launch{{(columns + tile - 1) / tile, (rows + tile - 1) / tile}, {tile, 8}};
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, launch, *bufferInput, rows, columns, *out);
  });
  return compared(ms, setup, *out, reference(input, rows, columns));
}

std::vector<ExampleKernel> transpose() { return {{"transpose", run, {1, 32, 33, 64, 301}}}; }

} // namespace mirgpu::examples
