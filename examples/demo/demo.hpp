// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an example's `<name>.cpp` is written with: numbers to run on, launches with their time, and
// comparisons with what plain C++ gives.
//
// Maps from: a device and a size. To: milliseconds, or the error of a launch or of a result.
// Invariant: the examples are compiled without contraction, so a reference that does a kernel's
// operations in the kernel's order has the same bits.
#pragma once

#include "runtime/mirgpu.hpp"

#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

namespace mirgpu::examples {

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
  /// In [low, high).
  float between(float low, float high) {
    return low + (high - low) * (static_cast<float>(next() >> 8) * 0x1p-24f);
  }
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

/// One kernel of an example: runs it on `size` elements (rows, pixels, … as the example says) and
/// compares what it leaves.
struct ExampleKernel {
  const char *name;
  Run (*run)(const Setup &, uint64_t size);
  std::vector<uint64_t> sizes; ///< in ascending order; the last one is timed
};

/// Sizes for kernels of one thread an element: a lone thread, less than a block, one whole, several
/// with a remainder, many.
inline const std::vector<uint64_t> &lengths() {
  static const std::vector<uint64_t> sizes = {1, 31, 256, 1000, 65537};
  return sizes;
}

/// A wrong result.
inline Error wrong(std::string message) {
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

/// Equal in every bit, NaNs as one value.
inline bool sameBits(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}
template <std::integral T> bool sameBits(T a, T b) { return a == b; }

template <class T, size_t N> bool sameBits(const std::array<T, N> &a, const std::array<T, N> &b) {
  for (size_t i = 0; i < N; ++i)
    if (!sameBits(a[i], b[i]))
      return false;
  return true;
}

/// A number, or an array of them, as text.
template <class T> std::string shown(const T &value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return std::to_string(value);
  } else {
    std::string text;
    for (const auto &element : value)
      text += (text.empty() ? "[" : ", ") + shown(element);
    return text + "]";
  }
}

/// Representable values from `a` to `b`; 0 for two NaNs, the largest number for one.
inline uint32_t ulpsBetween(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b) ? 0 : UINT32_MAX;
  auto ordered = [](float value) {
    auto bits = std::bit_cast<int32_t>(value);
    return static_cast<int64_t>(bits < 0 ? INT32_MIN - static_cast<int64_t>(bits) : bits);
  };
  int64_t distance = ordered(a) - ordered(b);
  return static_cast<uint32_t>(distance < 0 ? -distance : distance);
}

/// `ms` if `same(value, expected)` holds for every element of the buffer, else the first for which
/// it does not.
template <class T, class Same>
Run comparedBy(Same same, const Run &ms, const Setup &setup, const Buffer<T> &buffer,
               const std::vector<T> &expected) {
  if (!ms)
    return ms;
  auto values = buffer.toVector(setup.stream);
  if (!values)
    return values.error();
  for (size_t i = 0; i < expected.size(); ++i)
    if (!same((*values)[i], expected[i]))
      return wrong("element " + std::to_string(i) + " of " + std::to_string(expected.size()) +
                   " is " + shown((*values)[i]) + ", expected " + shown(expected[i]));
  return ms;
}

/// `ms` if the buffer holds `expected`, bit for bit.
template <class T>
Run compared(const Run &ms, const Setup &setup, const Buffer<T> &buffer,
             const std::vector<T> &expected) {
  return comparedBy([](const T &a, const T &b) { return sameBits(a, b); }, ms, setup, buffer,
                    expected);
}

// One function an example, in `<name>/<name>.cpp`.
#define MIRGPU_EXAMPLE(name) std::vector<ExampleKernel> name();
#include "examples.def"
#undef MIRGPU_EXAMPLE

} // namespace mirgpu::examples
