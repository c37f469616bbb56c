// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs every example kernel on a device and compares the results with plain C++.
//
// Maps from: `<modules>/<example>.mgpu` and a device's name. To: one JSON line for each kernel on
// standard output: {kernel, device, right, elements, ms} or, where something failed, {kernel,
// device, right: false, error}. `ms` is the shortest of the runs of the largest size, launch to end
// of execution, without copies. Exit code 0 if every kernel is right, 1 if one is not, 2 on wrong
// usage.
#include "examples/demo/demo.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace mirgpu;
using examples::ExampleKernel;
using examples::Setup;

namespace {

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    }
  }
  return out + "\"";
}

/// Runs one kernel for each size, the largest three times, and prints its line. Whether it was
/// right.
bool report(const Setup &setup, const ExampleKernel &kernel, const std::vector<uint64_t> &sizes) {
  std::printf("{\"kernel\":\"%s\",\"device\":%s,", kernel.name, quoted(setup.deviceName).c_str());
  double best = 0;
  for (uint64_t size : sizes) {
    int runs = size == sizes.back() ? 3 : 1;
    for (int i = 0; i < runs; ++i) {
      examples::Run ms = kernel.run(setup, size);
      if (!ms) {
        std::string error = "with " + std::to_string(size) + " elements: " + ms.error().message;
        std::printf("\"right\":false,\"error\":%s}\n", quoted(error).c_str());
        return false;
      }
      best = i ? std::min(best, *ms) : *ms;
    }
  }
  std::printf("\"right\":true,\"elements\":%llu,\"ms\":%.4f}\n",
              static_cast<unsigned long long>(sizes.back()), best);
  std::fflush(stdout);
  return true;
}

std::vector<ExampleKernel> allKernels() {
  std::vector<ExampleKernel> kernels;
#define MIRGPU_EXAMPLE(name)                                                                       \
  for (ExampleKernel &kernel : examples::name())                                                   \
    kernels.push_back(std::move(kernel));
#include "examples/demo/examples.def"
#undef MIRGPU_EXAMPLE
  return kernels;
}

int usage() {
  std::fputs("usage: mirgpu-demo MODULES [--device NAME] [--kernel NAME] [--size N]...\n"
             "  MODULES   the folder with <example>.mgpu for each example\n"
             "  --device  cpu (the default), cuda:0, hip:0 or auto\n"
             "  --kernel  this one alone\n"
             "  --size    numbers of elements to run with, in ascending order\n",
             stderr);
  return 2;
}

int fail(const Error &error) {
  std::fprintf(stderr, "mirgpu-demo: %s\n", error.message.c_str());
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  std::string modules, deviceName = "cpu", only;
  std::vector<uint64_t> sizes;
  for (int i = 1; i < argc; ++i) {
    std::string_view arg = argv[i];
    bool takesValue = arg == "--device" || arg == "--kernel" || arg == "--size";
    if (takesValue && i + 1 == argc)
      return usage();
    if (arg == "--device")
      deviceName = argv[++i];
    else if (arg == "--kernel")
      only = argv[++i];
    else if (arg == "--size")
      sizes.push_back(std::strtoull(argv[++i], nullptr, 10));
    else if (arg.starts_with("-") || !modules.empty())
      return usage();
    else
      modules = arg;
  }
  if (modules.empty())
    return usage();
  auto device = Device::open(deviceName);
  if (!device)
    return fail(device.error());
  auto stream = device->createStream();
  if (!stream)
    return fail(stream.error());
  Setup setup{*device, *stream, deviceName, modules};
  bool found = false, right = true;
  for (const ExampleKernel &kernel : allKernels())
    if (only.empty() || only == kernel.name) {
      found = true;
      right &= report(setup, kernel, sizes.empty() ? kernel.sizes : sizes);
    }
  if (!found) {
    std::fprintf(stderr, "mirgpu-demo: there is no kernel `%s`\n", only.c_str());
    return 2;
  }
  return right ? 0 : 1;
}
