// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul.rs on a device and in plain C++. The size is the number of rows of `a`.
#include "examples/demo/demo.hpp"

namespace mirgpu::examples {

/// Every sum starts at 0 and takes its products in order. The zeros that fill the kernel's last
/// tile change no bit: 0 + (-0) is 0, so that no sum is ever -0.
static std::vector<float> reference(std::span<const float> a, std::span<const float> b, size_t rows,
                                    size_t inner, size_t columns) {
  std::vector<float> c(rows * columns);
  for (size_t row = 0; row < rows; ++row)
    for (size_t k = 0; k < inner; ++k)
      for (size_t column = 0; column < columns; ++column) {
        float product = a[row * inner + k] * b[k * columns + column];
        c[row * columns + column] += product;
      }
  return c;
}

static Run run(const Setup &setup, uint64_t size) {
  constexpr uint32_t tile = 16;
  auto rows = static_cast<uint32_t>(size), inner = rows / 2 + 5, columns = rows + 7;
  Numbers numbers(9);
  std::vector<float> a = numbers.floats(static_cast<uint64_t>(rows) * inner);
  std::vector<float> b = numbers.floats(static_cast<uint64_t>(inner) * columns);
  auto kernel = kernelOf<void(In<float>, In<float>, uint32_t, uint32_t, Out<float>)>(
      setup, "matmul", "matmul");
  auto bufferA = setup.device.from(setup.stream, a), bufferB = setup.device.from(setup.stream, b);
  auto bufferC = setup.device.alloc<float>(static_cast<uint64_t>(rows) * columns);
  if (Status status = firstError(kernel, bufferA, bufferB, bufferC); !status)
    return status.error();
  Launch launch{{(columns + tile - 1) / tile, (rows + tile - 1) / tile}, {tile, tile}};
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, launch, *bufferA, *bufferB, inner, columns, *bufferC);
  });
  return compared(ms, setup, *bufferC, reference(a, b, rows, inner, columns));
}

std::vector<ExampleKernel> matmul() { return {{"matmul", run, {1, 9, 16, 33, 150}}}; }

} // namespace mirgpu::examples
