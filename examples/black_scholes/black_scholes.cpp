// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// black_scholes.rs on a device, against the formula in double precision with the C library's erfc.
// A price is a difference of numbers as large as spot and strike, so their rounding in single
// precision is what it can be wrong by; the approximation of the distribution adds 7.5e-8 of them.
#include "examples/demo/demo.hpp"

namespace mirgpu::examples {

namespace {
struct Terms {
  float spot, strike, years;
};
struct Market {
  float rate, volatility;
};
using Prices = std::array<float, 2>;

/// What both prices may be wrong by, as a part of spot and strike together.
constexpr double kTolerance = 1e-6;

double normal(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

Prices reference(const Terms &option, const Market &market) {
  double spot = option.spot, strike = option.strike, years = option.years, rate = market.rate,
         volatility = market.volatility;
  double spread = volatility * std::sqrt(years);
  double d1 = (std::log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread;
  double owed = strike * std::exp(-rate * years);
  return {static_cast<float>(spot * normal(d1) - owed * normal(d1 - spread)),
          static_cast<float>(owed * normal(spread - d1) - spot * normal(-d1))};
}
} // namespace

static Run run(const Setup &setup, uint64_t count) {
  Numbers numbers(15);
  Market market{0.02f, 0.3f};
  std::vector<Terms> options(count);
  std::vector<Prices> expected;
  double largest = 0;
  for (Terms &option : options) {
    option = {numbers.between(5, 30), numbers.between(1, 100), numbers.between(0.25f, 10)};
    expected.push_back(reference(option, market));
    largest = std::max<double>(largest, option.spot + option.strike);
  }
  auto kernel =
      kernelOf<void(In<Terms>, Market, Out<Prices>)>(setup, "black_scholes", "black_scholes");
  auto terms = setup.device.from(setup.stream, options);
  auto prices = setup.device.alloc<Prices>(count);
  if (Status status = firstError(kernel, terms, prices); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(count).block(128), *terms, market, *prices);
  });
  auto close = [&](const Prices &a, const Prices &b) {
    return std::abs(a[0] - b[0]) <= kTolerance * largest &&
           std::abs(a[1] - b[1]) <= kTolerance * largest;
  };
  return comparedBy(close, ms, setup, *prices, expected);
}

std::vector<ExampleKernel> black_scholes() { return {{"black_scholes", run, lengths()}}; }

} // namespace mirgpu::examples
