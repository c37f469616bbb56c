// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sha256.rs on a device and in plain C++, written from FIPS 180-4. The first message is the
// standard's example, "abc", whose digest is known.
#include "examples/demo/demo.hpp"

#include <array>

namespace mirgpu::examples {

using Digest = std::array<uint32_t, 8>;

static constexpr Digest kOfAbc = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                  0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};

/// The first 32 bits of the fractional part of `root`.
static uint32_t fraction(long double root) {
  return static_cast<uint32_t>((root - std::floor(root)) * 0x1p32L);
}

namespace {

/// The standard's constants, computed: of cube roots of the first 64 primes, and of square roots of
/// the first 8.
struct Constants {
  std::array<uint32_t, 64> k{};
  Digest initial{};
  Constants() {
    for (unsigned found = 0, n = 2; found < 64; ++n) {
      bool prime = true;
      for (unsigned d = 2; d * d <= n; ++d)
        prime &= n % d != 0;
      if (!prime)
        continue;
      if (found < 8)
        initial[found] = fraction(std::sqrt(static_cast<long double>(n)));
      k[found++] = fraction(std::cbrt(static_cast<long double>(n)));
    }
  }
};

} // namespace

static void compress(Digest &state, std::span<const uint8_t> block, const Constants &constants) {
  std::array<uint32_t, 64> w{};
  for (size_t t = 0; t < 64; ++t)
    if (t < 16)
      for (size_t byte = 0; byte < 4; ++byte)
        w[t] = w[t] << 8 | block[4 * t + byte];
    else
      w[t] = w[t - 16] + w[t - 7] +
             (std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3) +
             (std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10);
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t t = 0; t < 64; ++t) {
    uint32_t t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                  ((e & f) ^ (~e & g)) + constants.k[t] + w[t];
    uint32_t t2 =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  Digest add = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < 8; ++i)
    state[i] += add[i];
}

static Digest reference(std::span<const uint8_t> message) {
  static const Constants constants;
  std::vector<uint8_t> padded(message.begin(), message.end());
  padded.push_back(0x80);
  while (padded.size() % 64 != 56)
    padded.push_back(0);
  uint64_t bits = message.size() * 8;
  for (int shift = 56; shift >= 0; shift -= 8)
    padded.push_back(static_cast<uint8_t>(bits >> shift));
  Digest state = constants.initial;
  for (size_t at = 0; at < padded.size(); at += 64)
    compress(state, std::span(padded).subspan(at, 64), constants);
  return state;
}

static Run run(const Setup &setup, uint64_t count) {
  Numbers numbers(13);
  std::vector<uint8_t> bytes = {'a', 'b', 'c'};
  std::vector<uint32_t> ends = {3};
  while (ends.size() < count) { // all lengths about one and two blocks, and none at all
    for (uint64_t length = (ends.size() - 1) % 150; length > 0; --length)
      bytes.push_back(static_cast<uint8_t>(numbers.next() >> 24));
    ends.push_back(static_cast<uint32_t>(bytes.size()));
  }
  std::vector<Digest> expected;
  for (size_t i = 0, first = 0; i < count; first = ends[i++])
    expected.push_back(reference(std::span(bytes).subspan(first, ends[i] - first)));
  if (expected[0] != kOfAbc)
    return wrong("the reference itself: the digest of \"abc\" is not the standard's");
  auto kernel = kernelOf<void(In<uint8_t>, In<uint32_t>, Out<Digest>)>(setup, "sha256", "sha256");
  auto bufferBytes = setup.device.from(setup.stream, bytes);
  auto bufferEnds = setup.device.from(setup.stream, ends);
  auto digests = setup.device.alloc<Digest>(count);
  if (Status status = firstError(kernel, bufferBytes, bufferEnds, digests); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(count).block(128), *bufferBytes, *bufferEnds,
                          *digests);
  });
  return compared(ms, setup, *digests, expected);
}

std::vector<ExampleKernel> sha256() { return {{"sha256", run, {1, 31, 151, 3000}}}; }

} // namespace mirgpu::examples
