// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a C++ program uses kernels written in Rust: saxpy and the block reduction, on whatever device
// there is.
//
//   mirgpu compile examples/saxpy/saxpy.mir.json   --target=sm_90,gfx1100,host -o saxpy.mgpu
//   mirgpu compile examples/reduce/reduce.mir.json --target=sm_90,gfx1100,host -o reduce.mgpu
//   mirgpu-cpp-host saxpy.mgpu reduce.mgpu [auto|cpu|cuda:0|hip:0]
//
// Maps from: two modules and a device's name. To: the sum of y = 2 * x + 1 over x = 0, 1, …, 9999
// on standard output; exit code 0 if it is 99,990,000 + 10,000, else 1.
#include <mirgpu.hpp>

#include <cstdio>
#include <numeric>

using namespace mirgpu;

/// Prints the error of a failed step.
static int failed(const Error &error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fputs("usage: mirgpu-cpp-host SAXPY.mgpu REDUCE.mgpu [DEVICE]\n", stderr);
    return 2;
  }
  auto device = Device::open(argc > 3 ? argv[3] : "auto"); // CUDA, else HIP, else the CPU
  if (!device)
    return failed(device.error());
  auto stream = device->defaultStream();
  if (!stream)
    return failed(stream.error());

  // A kernel's C++ signature is compared with its parameter table here, once.
  auto saxpyModule = device->load(argv[1]), reduceModule = device->load(argv[2]);
  if (!saxpyModule)
    return failed(saxpyModule.error());
  if (!reduceModule)
    return failed(reduceModule.error());
  auto saxpy = saxpyModule->kernel<void(float, In<float>, Out<float>)>("saxpy");
  auto blockSum = reduceModule->kernel<void(In<float>, Out<float>)>("block_sum");
  if (!saxpy)
    return failed(saxpy.error());
  if (!blockSum)
    return failed(blockSum.error());

  constexpr uint64_t count = 10000, threads = 256, blocks = (count + threads - 1) / threads;
  std::vector<float> hostX(count), hostY(count, 1.0f);
  std::iota(hostX.begin(), hostX.end(), 0.0f);
  auto x = device->from(*stream, hostX), y = device->from(*stream, hostY);
  auto sums = device->alloc<float>(blocks);
  if (!x)
    return failed(x.error());
  if (!y)
    return failed(y.error());
  if (!sums)
    return failed(sums.error());

  // Both launches are in stream order; reading the result waits for them and reports what went
  // wrong.
  if (auto launched = saxpy->launch(*stream, cover(count).block(threads), 2.0f, *x, *y); !launched)
    return failed(launched.error());
  if (auto launched = blockSum->launch(*stream, cover(count).block(threads), *y, *sums); !launched)
    return failed(launched.error());
  auto partial = sums->toVector(*stream);
  if (!partial)
    return failed(partial.error());

  double total = std::accumulate(partial->begin(), partial->end(), 0.0);
  std::printf("%s: the sum is %.0f\n", device->info().name, total);
  return total == 99990000.0 + 10000.0 ? 0 : 1; // every partial sum is below 2^24, so all are exact
}
