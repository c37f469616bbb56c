// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scan.rs on a device and in plain C++.
#include "examples/demo/demo.hpp"

#include <numeric>

namespace mirgpu::examples {

static Run run(const Setup &setup, uint64_t count) {
  constexpr uint32_t threads = 256;
  std::vector<uint32_t> x = Numbers(11).words(count), expected(count);
  std::inclusive_scan(x.begin(), x.end(), expected.begin());
  Launch launch = cover(count).block(threads);
  using Signature = void(In<uint32_t>, Out<uint32_t>, Out<uint64_t>, Out<uint32_t>);
  auto kernel = kernelOf<Signature>(setup, "scan", "scan");
  auto bufferX = setup.device.from(setup.stream, x);
  auto ticket = setup.device.from(setup.stream, std::vector<uint32_t>(1));
  auto published = setup.device.from(setup.stream, std::vector<uint64_t>(launch.grid.x));
  auto out = setup.device.alloc<uint32_t>(count);
  if (Status status = firstError(kernel, bufferX, ticket, published, out); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, launch, *bufferX, *ticket, *published, *out);
  });
  return compared(ms, setup, *out, expected);
}

std::vector<ExampleKernel> scan() { return {{"scan", run, lengths()}}; }

} // namespace mirgpu::examples
