// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of histogram.rs on a device and in plain C++.
#include "examples/demo/demo.hpp"

namespace mirgpu::examples {

static std::vector<uint32_t> reference(std::span<const uint8_t> bytes) {
  std::vector<uint32_t> bins(256);
  for (uint8_t byte : bytes)
    ++bins[byte];
  return bins;
}

template <const char *Name> static Run run(const Setup &setup, uint64_t count) {
  Numbers numbers(10);
  std::vector<uint8_t> bytes(count);
  for (uint8_t &byte : bytes) // small values more often than large ones
    byte = static_cast<uint8_t>((numbers.next() >> 24) * (numbers.next() >> 24) >> 8);
  auto kernel = kernelOf<void(In<uint8_t>, Out<uint32_t>)>(setup, "histogram", Name);
  auto bufferBytes = setup.device.from(setup.stream, bytes);
  auto bins = setup.device.from(setup.stream, std::vector<uint32_t>(256));
  if (Status status = firstError(kernel, bufferBytes, bins); !status)
    return status.error();
  // Fewer threads than bytes, and than bins in the last block: all loops of the kernels turn.
  Launch launch{{7}, {96}};
  Run ms = timed(setup, [&] { return kernel->launch(setup.stream, launch, *bufferBytes, *bins); });
  return compared(ms, setup, *bins, reference(bytes));
}

std::vector<ExampleKernel> histogram() {
  static constexpr char shared[] = "histogram", global[] = "histogram_global";
  return {{shared, run<shared>, lengths()}, {global, run<global>, lengths()}};
}

} // namespace mirgpu::examples
