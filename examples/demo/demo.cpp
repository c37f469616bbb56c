// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs every example kernel on a device and compares the results with plain C++.
//
// Maps from: `<modules>/<example>.mgpu` and a device's name. To: one JSON line for each kernel on
// standard output: {kernel, device, right, elements, ms} or, where something failed, {kernel,
// device, right: false, error}. `ms` is the shortest of the runs of the largest size, launch to end
// of execution, without copies. Exit code 0 if every kernel is right, 1 if one is not, 2 on wrong
// usage.
#include "examples/references.hpp"
#include "runtime/mirgpu.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace mirgpu;

namespace {

/// A fixed sequence of numbers, the same on every machine.
class Numbers {
public:
  explicit Numbers(uint32_t seed) : state_(seed * 2654435761u + 1) {}
  uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  /// In [-8, 8), with 24 bits.
  float nextFloat() { return static_cast<float>(next() >> 8) * 0x1p-20f - 8.0f; }
  std::vector<float> floats(uint64_t count) {
    std::vector<float> values(count);
    for (float &value : values)
      value = nextFloat();
    return values;
  }
  std::vector<uint32_t> words(uint64_t count) {
    std::vector<uint32_t> values(count);
    for (uint32_t &value : values)
      value = next();
    return values;
  }

private:
  uint32_t state_;
};

/// The device, its stream and where the modules lie.
struct Setup {
  Device device;
  Stream stream;
  std::string deviceName, modules;
};

/// One run: the milliseconds it took, or why it failed.
using Run = Result<double>;

Error wrong(std::string message) {
  return Error{ErrorCode::InvalidArgument, std::move(message), {}, -1, 0};
}

/// Launches through `launch` and waits; the time of both.
template <class F> Run timed(const Setup &setup, F launch) {
  auto start = std::chrono::steady_clock::now();
  if (Status status = launch(); !status)
    return status.error();
  if (Status status = setup.stream.synchronize(); !status)
    return status.error();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

bool sameBits(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}
bool sameBits(uint32_t a, uint32_t b) { return a == b; }

/// `ms` if the buffer holds `expected`, else the first element that differs.
template <class T>
Run compared(Run ms, const Setup &setup, const Buffer<T> &buffer, const std::vector<T> &expected) {
  if (!ms)
    return ms;
  auto values = buffer.toVector(setup.stream);
  if (!values)
    return values.error();
  for (size_t i = 0; i < expected.size(); ++i)
    if (!sameBits((*values)[i], expected[i]))
      return wrong("element " + std::to_string(i) + " of " + std::to_string(expected.size()) +
                   " is " + std::to_string((*values)[i]) + ", expected " +
                   std::to_string(expected[i]));
  return ms;
}

/// The typed kernel `name` of `<modules>/<example>.mgpu`.
template <class Signature>
Result<Kernel<Signature>> kernelOf(const Setup &setup, const std::string &example,
                                   const char *name) {
  auto module = setup.device.load(setup.modules + "/" + example + ".mgpu");
  if (!module)
    return module.error();
  return module->template kernel<Signature>(name);
}

/// The first error among results of any types.
template <class... Results> Status firstError(const Results &...results) {
  Status status;
  ((status && !results ? void(status = Status(results.error())) : void()), ...);
  return status;
}

Run runVecadd(const Setup &setup, uint64_t count) {
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
  return compared(ms, setup, *bufferC, examples::vecadd(a, b));
}

Run runSaxpy(const Setup &setup, uint64_t count) {
  Numbers numbers(2);
  std::vector<float> x = numbers.floats(count), y = numbers.floats(count);
  float a = numbers.nextFloat();
  auto kernel = kernelOf<void(float, In<float>, Out<float>)>(setup, "saxpy", "saxpy");
  auto bufferX = setup.device.from(setup.stream, x), bufferY = setup.device.from(setup.stream, y);
  if (Status status = firstError(kernel, bufferX, bufferY); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(count).block(256), a, *bufferX, *bufferY);
  });
  return compared(ms, setup, *bufferY, examples::saxpy(a, x, y));
}

template <class T>
Run runBlockSum(const Setup &setup, const char *name, const std::vector<T> &x,
                const std::vector<T> &expected) {
  auto kernel = kernelOf<void(In<T>, Out<T>)>(setup, "reduce", name);
  auto bufferX = setup.device.from(setup.stream, x);
  auto sums = setup.device.alloc<T>(expected.size());
  if (Status status = firstError(kernel, bufferX, sums); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(x.size()).block(examples::kReduceThreads), *bufferX,
                          *sums);
  });
  return compared(ms, setup, *sums, expected);
}

Run runBlockSumF32(const Setup &setup, uint64_t count) {
  std::vector<float> x = Numbers(3).floats(count);
  return runBlockSum(setup, "block_sum", x, examples::blockSum(x));
}

Run runBlockSumU32(const Setup &setup, uint64_t count) {
  std::vector<uint32_t> x = Numbers(4).words(count);
  return runBlockSum(setup, "block_sum_u32", x, examples::blockSumU32(x));
}

/// x^n by repeated multiplication, not below a floor; a row of inputs is (x, n, floor). Rows with n
/// = -1 run out of steps.
std::vector<examples::Op> powerProgram() {
  using enum examples::OpTag;
  using examples::Op;
  return {Op(Push, 1.0f),  Op::to(Load, 1), Op(Dup),         Op::to(JumpIfZero, 11),
          Op(Push, 1.0f),  Op(Sub),         Op(Swap),        Op::to(Load, 0),
          Op(Mul),         Op(Swap),        Op::to(Jump, 2), Op(Add),
          Op::to(Load, 2), Op(Max),         Op(Halt)};
}

Run runInterpreter(const Setup &setup, uint64_t count) {
  constexpr uint32_t width = 3, steps = 200;
  Numbers numbers(5);
  std::vector<float> data;
  for (uint64_t row = 0; row < count; ++row) {
    data.push_back(numbers.nextFloat());
    data.push_back(static_cast<float>(numbers.next() % 10) - 1.0f);
    data.push_back(numbers.nextFloat());
  }
  std::vector<examples::Op> program = powerProgram();
  std::vector<float> expected;
  std::vector<uint32_t> expectedFaults;
  for (uint64_t row = 0; row < count; ++row) {
    auto [value, fault] =
        examples::interpret(program, std::span(data).subspan(row * width, width), steps);
    expected.push_back(value);
    expectedFaults.push_back(static_cast<uint32_t>(fault));
  }
  using Signature =
      void(In<examples::Op>, In<float>, uint32_t, uint32_t, Out<float>, Out<uint32_t>);
  auto kernel = kernelOf<Signature>(setup, "interpreter", "interpret");
  auto bufferProgram = setup.device.from(setup.stream, program);
  auto bufferData = setup.device.from(setup.stream, data);
  auto results = setup.device.alloc<float>(count);
  auto faults = setup.device.alloc<uint32_t>(count);
  if (Status status = firstError(kernel, bufferProgram, bufferData, results, faults); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(count).block(128), *bufferProgram, *bufferData, width,
                          steps, *results, *faults);
  });
  return compared(compared(ms, setup, *results, expected), setup, *faults, expectedFaults);
}

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

struct Example {
  const char *kernel;
  Run (*run)(const Setup &, uint64_t);
};

constexpr Example kExamples[] = {
    {"vecadd", runVecadd},         {"saxpy", runSaxpy},
    {"block_sum", runBlockSumF32}, {"block_sum_u32", runBlockSumU32},
    {"interpret", runInterpreter},
};

/// Runs one kernel for each size, the largest three times, and prints its line. Whether it was
/// right.
bool report(const Setup &setup, const Example &example, const std::vector<uint64_t> &sizes) {
  std::printf("{\"kernel\":\"%s\",\"device\":%s,", example.kernel,
              quoted(setup.deviceName).c_str());
  double best = 0;
  for (uint64_t size : sizes) {
    int runs = size == sizes.back() ? 3 : 1;
    for (int i = 0; i < runs; ++i) {
      Run ms = example.run(setup, size);
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

int usage() {
  std::fputs(
      "usage: mirgpu-demo MODULES [--device NAME] [--kernel NAME] [--size N]...\n"
      "  MODULES   the folder with vecadd.mgpu, saxpy.mgpu, reduce.mgpu and interpreter.mgpu\n"
      "  --device  cpu (the default), cuda:0, hip:0 or auto\n"
      "  --kernel  this one alone\n"
      "  --size    numbers of elements to run with, in ascending order\n",
      stderr);
  return 2;
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
  if (sizes.empty())
    sizes = {1, 31, 256, 1000, 65537};
  auto device = Device::open(deviceName);
  if (!device) {
    std::fprintf(stderr, "mirgpu-demo: %s\n", device.error().message.c_str());
    return 1;
  }
  auto stream = device->createStream();
  if (!stream) {
    std::fprintf(stderr, "mirgpu-demo: %s\n", stream.error().message.c_str());
    return 1;
  }
  Setup setup{*device, *stream, deviceName, modules};
  bool found = false, right = true;
  for (const Example &example : kExamples)
    if (only.empty() || only == example.kernel) {
      found = true;
      right &= report(setup, example, sizes);
    }
  if (!found) {
    std::fprintf(stderr, "mirgpu-demo: there is no kernel `%s`\n", only.c_str());
    return 2;
  }
  return right ? 0 : 1;
}
