// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of reduce.rs on a device and in plain C++.
#include "examples/demo/demo.hpp"

#include <array>

namespace mirgpu::examples {

/// Threads in a block of reduce.rs.
static constexpr uint32_t kThreads = 256;

/// In the first element: the sum over all, halves onto halves. The size is a power of two.
template <class T> static T treeSum(std::span<T> values) {
  for (size_t distance = values.size() / 2; distance > 0; distance /= 2)
    for (size_t i = 0; i < distance; ++i)
      values[i] = values[i] + values[i + distance];
  return values[0];
}

/// One sum for each (started) 256 elements, added up in the kernel's order. Integers wrap.
template <class T> static std::vector<T> reference(std::span<const T> x) {
  constexpr size_t lanes = 32, warps = kThreads / lanes;
  std::vector<T> sums;
  for (size_t first = 0; first < x.size(); first += kThreads) {
    std::array<T, warps> partial{};
    for (size_t warp = 0; warp < warps; ++warp) {
      std::array<T, lanes> own{};
      for (size_t lane = 0; lane < lanes; ++lane)
        if (size_t i = first + warp * lanes + lane; i < x.size())
          own[lane] = x[i];
      partial[warp] = treeSum(std::span<T>(own));
    }
    sums.push_back(treeSum(std::span<T>(partial)));
  }
  return sums;
}

template <class T> static Run runOn(const Setup &setup, const char *name, const std::vector<T> &x) {
  std::vector<T> expected = reference(std::span<const T>(x));
  auto kernel = kernelOf<void(In<T>, Out<T>)>(setup, "reduce", name);
  auto bufferX = setup.device.from(setup.stream, x);
  auto sums = setup.device.alloc<T>(expected.size());
  if (Status status = firstError(kernel, bufferX, sums); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(x.size()).block(kThreads), *bufferX, *sums);
  });
  return compared(ms, setup, *sums, expected);
}

std::vector<ExampleKernel> reduce() {
  return {{"block_sum",
           [](const Setup &setup, uint64_t count) {
             return runOn(setup, "block_sum", Numbers(3).floats(count));
           },
           lengths()},
          {"block_sum_u32",
           [](const Setup &setup, uint64_t count) {
             return runOn(setup, "block_sum_u32", Numbers(4).words(count));
           },
           lengths()}};
}

} // namespace mirgpu::examples
