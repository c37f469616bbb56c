// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mirgpu-math-ulp DENSITY f32|f64 MODULE [MODULE...]
//
// Runs every kernel of the first module (tests/run/math_functions_*.rs, compiled for the CPU) on a
// fixed sample of arguments and compares each result with MPFR's. Prints one JSON object a
// function: the greatest error in units of the last place, where, and over how many arguments. The
// other modules are the same program compiled otherwise: every bit of their results must be equal,
// or `different` names the first argument. Exit code 1 if something does not run.
#include "reference.h"
#include "runtime/mirgpu.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace mirgpu::math {

static constexpr uint32_t kBlock = 256;
static constexpr double kZeroOfLogGamma[] = {-2.4570247382208006, -2.7476826467274127,
                                             -3.14358088834998};

/// xorshift64: the same arguments on every machine.
class Random {
public:
  uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }
  /// Uniform in [-bound, bound).
  double within(double bound) {
    return static_cast<double>(static_cast<int64_t>(next())) * 0x1p-63 * bound;
  }

private:
  uint64_t state_ = 88172645463325252;
};

/// All exponents, the ranges in which functions bend, multiples of pi/2, integers, halves, the
/// zeros of ln_gamma, and the edges of the format; 13 numbers for each unit of `density`.
template <class T> static std::vector<T> sample(int density) {
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  std::vector<T> all;
  Random random;
  auto add = [&](double x) { all.push_back(static_cast<T>(x)); };
  for (int i = 0; i < density; ++i) {
    all.push_back(std::bit_cast<T>(static_cast<Bits>(random.next())));
    add(random.within(1));
    add(random.within(10));
    add(random.within(100));
    add(random.within(800));
    add(1 + random.within(0.01));
    add(std::ldexp(random.within(1),
                   -static_cast<int>(random.next() % (sizeof(T) == 4 ? 149 : 1074))));
    add(static_cast<double>(random.next() % 2000) * 1.57079632679489661923);
    add(std::ldexp(1 + std::abs(random.within(1)),
                   static_cast<int>(random.next() % Limits::max_exponent)));
    add(static_cast<double>(random.next() % 400) * 0.5 - 100);
    add(-2 - std::abs(random.within(8)));
    add(std::exp2(random.within(20)));
    add(kZeroOfLogGamma[i % 3] +
        std::ldexp(random.within(1), -static_cast<int>(random.next() % 48)));
  }
  for (T edge : {T(0), T(1), T(0.5), T(2), Limits::infinity(), Limits::max(), Limits::min(),
                 Limits::denorm_min(), Limits::epsilon(), std::nextafter(T(1), T(2)),
                 std::nextafter(T(1), T(0)), std::nextafter(Limits::min(), T(0))}) {
    all.push_back(edge);
    all.push_back(-edge);
  }
  all.push_back(Limits::quiet_NaN());
  while (all.size() % kBlock) // the kernels take pointers and check nothing
    all.insert(all.begin(), T(random.within(4)));
  return all;
}

/// Second arguments: the sample in another order, the edges with one another.
template <class T> static std::vector<T> shuffled(const std::vector<T> &first) {
  constexpr size_t edges = 25;
  std::vector<T> second(first.size());
  for (size_t i = 0; i < first.size(); ++i)
    second[i] = first[(i * 7919 + 13) % (first.size() - edges)];
  for (size_t i = 0; i < edges * edges && i < first.size(); ++i)
    second[first.size() - 1 - i] = first[first.size() - 1 - (i / edges + i) % edges];
  return second;
}

static int failed(std::string_view what, const Error &error) {
  std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(what.size()), what.data(),
               error.message.c_str());
  return 1;
}

/// What the kernel `name` of `module` makes of the arguments.
template <class T>
static Result<std::vector<T>> evaluate(const Device &device, const Stream &stream,
                                       const Module &module, const Function &function,
                                       const std::vector<T> &first, const std::vector<T> &second) {
  auto kernel = module.kernel(function.name);
  if (!kernel)
    return kernel.error();
  auto out = device.from(stream, first);
  if (!out)
    return out.error();
  const Launch shape = cover(first.size()).block(kBlock);
  Status launched;
  if (function.binary) {
    auto other = device.from(stream, second);
    if (!other)
      return other.error();
    launched = kernel->launch(stream, shape, *other, *out);
  } else if (function.name == "lgamma") {
    auto signs = device.template alloc<int32_t>(first.size());
    if (!signs)
      return signs.error();
    launched = kernel->launch(stream, shape, *signs, *out);
  } else {
    launched = kernel->launch(stream, shape, *out);
  }
  if (!launched)
    return launched.error();
  return out->toVector(stream);
}

/// The greatest error over a part of the sample.
struct Worst {
  double ulp = 0, absolute = 0;
  size_t index = 0, points = 0;
  void meet(double newUlp, double newAbsolute, size_t i) {
    ++points;
    absolute = std::max(absolute, newAbsolute);
    if (newUlp > ulp || points == 1)
      ulp = newUlp, index = i;
  }
};

template <class T>
static void print(const Function &function, const char *part, const Worst &worst,
                  const std::vector<T> &first, const std::vector<T> &second, long different) {
  const char *type = sizeof(T) == 4 ? "f32" : "f64";
  std::printf("{\"name\":\"%.*s\",\"part\":\"%s\",\"type\":\"%s\",\"points\":%zu,\"ulp\":\"%.3f\","
              "\"absolute\":\"%.3g\",\"at\":[\"%.*g\"",
              static_cast<int>(function.name.size()), function.name.data(), part, type,
              worst.points, worst.ulp, worst.absolute, std::numeric_limits<T>::max_digits10,
              static_cast<double>(first[worst.index]));
  if (function.binary)
    std::printf(",\"%.*g\"", std::numeric_limits<T>::max_digits10,
                static_cast<double>(second[worst.index]));
  std::printf("],\"different\":%ld}\n", different);
}

/// Between the poles below -2 the logarithm of the gamma function has zeros; a small result there
/// shows every error.
template <class T>
static bool isNearZeroOfLogGamma(const Function &function, T x, mpfr_srcptr exact) {
  return function.name == "lgamma" && x < -2 && mpfr_get_exp(exact) < -4;
}

template <class T>
static void compare(const Function &function, const std::vector<T> &first,
                    const std::vector<T> &second, const std::vector<T> &got, long different) {
  Number x(64), y(64), exact(sizeof(T) == 4 ? 80 : 140);
  Worst worst, nearZeros;
  for (size_t i = 0; i < first.size(); ++i) {
    mpfr_set_d(x.get(), static_cast<double>(first[i]), MPFR_RNDN);
    mpfr_set_d(y.get(), static_cast<double>(second[i]), MPFR_RNDN);
    if (function.binary)
      function.binary(exact.get(), x.get(), y.get(), MPFR_RNDN);
    else
      function.unary(exact.get(), x.get(), MPFR_RNDN);
    const double ulp = ulpError(got[i], static_cast<mpfr_srcptr>(exact.get()));
    const double absolute =
        std::abs(mpfr_get_d(exact.get(), MPFR_RNDN) - static_cast<double>(got[i]));
    (isNearZeroOfLogGamma(function, first[i], exact.get()) ? nearZeros : worst)
        .meet(ulp, absolute, i);
  }
  print(function, "", worst, first, second, different);
  if (nearZeros.points)
    print(function, "near its zeros below -2", nearZeros, first, second, different);
}

template <class T> static int run(int density, std::span<char *> paths) {
  auto device = Device::open("cpu");
  if (!device)
    return failed("cpu", device.error());
  auto stream = device->defaultStream();
  if (!stream)
    return failed("cpu", stream.error());
  std::vector<Module> modules;
  for (const char *path : paths) {
    auto module = device->load(path);
    if (!module)
      return failed(path, module.error());
    modules.push_back(std::move(*module));
  }
  const std::vector<T> first = sample<T>(density), second = shuffled(first);
  for (const Function &function : functions()) {
    auto got = evaluate(*device, *stream, modules.front(), function, first, second);
    if (!got)
      return failed(function.name, got.error());
    long different = -1;
    for (size_t m = 1; m < modules.size() && different < 0; ++m) {
      auto other = evaluate(*device, *stream, modules[m], function, first, second);
      if (!other)
        return failed(function.name, other.error());
      for (size_t i = 0; i < first.size() && different < 0; ++i)
        if (std::memcmp(&(*got)[i], &(*other)[i], sizeof(T)) &&
            !(std::isnan((*got)[i]) && std::isnan((*other)[i])))
          different = static_cast<long>(i);
    }
    compare(function, first, second, *got, different);
  }
  return 0;
}

} // namespace mirgpu::math

int main(int argc, char **argv) {
  const int density = argc > 3 ? std::atoi(argv[1]) : 0;
  const std::string_view type = argc > 3 ? argv[2] : "";
  if (density < 60 || (type != "f32" && type != "f64")) {
    std::fputs(
        "usage: mirgpu-math-ulp DENSITY f32|f64 MODULE [MODULE...]   (DENSITY: 60 or more)\n",
        stderr);
    return 2;
  }
  const std::span paths(argv + 3, static_cast<size_t>(argc - 3));
  return type == "f32" ? mirgpu::math::run<float>(density, paths)
                       : mirgpu::math::run<double>(density, paths);
}
