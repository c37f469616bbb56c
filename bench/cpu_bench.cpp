// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on the CPU device against the same as C++ with OpenMP, side by side in one process.
//
// Maps from: the module of bench/kernels/cpu.rs. To: one JSON line for each kernel and size on
// standard output: {kernel, bytes, ours_ms, peer_ms, ours_cpu_ms, peer_cpu_ms, same}: medians of
// wall time, and of the CPU time of all threads, of launch to end; whether the results agree, bit
// for bit. The two take turns, so that what else the machine does hits both.
#include "bench/cpu_peers.hpp"
#include "runtime/mirgpu.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>

using namespace mirgpu;

namespace {

struct Times {
  std::vector<double> wall, cpu;
  double median(std::vector<double> values) const {
    std::ranges::nth_element(values, values.begin() + static_cast<long>(values.size() / 2));
    return values[values.size() / 2];
  }
};

double cpuMs() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

void measure(Times &times, const std::function<void()> &run) {
  double cpu = cpuMs();
  auto start = std::chrono::steady_clock::now();
  run();
  std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
  times.wall.push_back(wall.count());
  times.cpu.push_back(cpuMs() - cpu);
}

/// The value of a result; the program ends with its error if there is none.
template <class T> T take(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "mirgpu_cpu_bench: %s\n", result.error().message.c_str());
    std::exit(1);
  }
  return std::move(*result);
}
void take(Status status) {
  if (!status) {
    std::fprintf(stderr, "mirgpu_cpu_bench: %s\n", status.error().message.c_str());
    std::exit(1);
  }
}

/// The two sides of one kernel at one size, and where their results lie.
struct Case {
  const char *kernel;
  uint64_t bytes; ///< of one array
  std::function<void()> ours, peer;
  std::function<bool()> same;
};

void report(const Case &one) {
  Times ours, peer;
  one.ours();
  one.peer();
  bool same = one.same();
  double once = 0;
  for (size_t runs = 0; runs < 5 || (once < 600 && runs < 400); ++runs) {
    measure(ours, one.ours);
    measure(peer, one.peer);
    once += ours.wall.back() + peer.wall.back();
  }
  std::printf("{\"kernel\":\"%s\",\"bytes\":%llu,\"ours_ms\":%.6f,\"peer_ms\":%.6f,"
              "\"ours_cpu_ms\":%.6f,\"peer_cpu_ms\":%.6f,\"same\":%s}\n",
              one.kernel, static_cast<unsigned long long>(one.bytes), ours.median(ours.wall),
              peer.median(peer.wall), ours.median(ours.cpu), peer.median(peer.cpu),
              same ? "true" : "false");
  std::fflush(stdout);
}

class Bench {
public:
  Bench(const char *module)
      : device_(take(Device::open("cpu"))), stream_(take(device_.createStream())),
        module_(take(device_.load(module))) {}

  void run(uint64_t bytes) {
    uint64_t n = bytes / sizeof(float);
    std::vector<float> a(n), b(n), c(n, 1.0f);
    for (uint64_t i = 0; i < n; ++i)
      a[i] = static_cast<float>(i % 1013) * 0.25f, b[i] = static_cast<float>(i % 977) - 400.0f;
    auto bufferA = take(device_.from(stream_, a)), bufferB = take(device_.from(stream_, b));
    auto bufferC = take(device_.from(stream_, c));
    auto same = [&] { return equal(take(bufferC.toVector(stream_)), c); };
    auto vecadd = take(module_.kernel<void(In<float>, In<float>, Out<float>)>("vecadd"));
    report({"vecadd", bytes,
            [&] { wait(vecadd.launch(stream_, cover(n).block(256), bufferA, bufferB, bufferC)); },
            [&] { peers::vecadd(a.data(), b.data(), c.data(), static_cast<int64_t>(n)); }, same});
    auto saxpy = take(module_.kernel<void(float, In<float>, Out<float>)>("saxpy"));
    report({"saxpy", bytes,
            [&] { wait(saxpy.launch(stream_, cover(n).block(256), 0.5f, bufferA, bufferC)); },
            [&] { peers::saxpy(0.5f, a.data(), c.data(), static_cast<int64_t>(n)); }, same});
    auto width = static_cast<uint32_t>(std::sqrt(static_cast<double>(n)));
    auto stencil = take(module_.kernel<void(In<float>, uint32_t, uint32_t, Out<float>)>("stencil"));
    Launch rows{{(width + 255) / 256, width, 1}, {256, 1, 1}};
    report({"stencil", bytes,
            [&] { wait(stencil.launch(stream_, rows, bufferA, width, width, bufferC)); },
            [&] { peers::stencil(a.data(), width, width, c.data()); }, same});
    runMandelbrot(bytes, width);
    if (bytes <= 1 << 20)
      runNbody(bytes);
  }

private:
  template <class T> static bool equal(const std::vector<T> &a, const std::vector<T> &b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
  }

  void wait(Status launched) {
    take(std::move(launched));
    take(stream_.synchronize());
  }

  void runMandelbrot(uint64_t bytes, uint32_t width) {
    uint64_t n = bytes / sizeof(uint32_t);
    std::vector<uint32_t> steps(n);
    auto buffer = take(device_.alloc<uint32_t>(n));
    float scale = 3.0f / static_cast<float>(width);
    constexpr uint32_t limit = 64;
    auto kernel =
        take(module_.kernel<void(uint32_t, float, uint32_t, Out<uint32_t>)>("mandelbrot"));
    report({"mandelbrot", bytes,
            [&] { wait(kernel.launch(stream_, cover(n).block(256), width, scale, limit, buffer)); },
            [&] { peers::mandelbrot(width, scale, limit, steps.data(), static_cast<int64_t>(n)); },
            [&] { return equal(take(buffer.toVector(stream_)), steps); }});
  }

  void runNbody(uint64_t bytes) {
    using Body = std::array<float, 4>;
    uint64_t n = bytes / sizeof(Body);
    std::vector<Body> bodies(n), forces(n);
    for (uint64_t i = 0; i < n; ++i)
      bodies[i] = {static_cast<float>(i % 37), static_cast<float>(i % 101),
                   static_cast<float>(i % 7), 1.0f + static_cast<float>(i % 3)};
    auto in = take(device_.from(stream_, bodies));
    auto out = take(device_.alloc<Body>(n));
    auto kernel = take(module_.kernel<void(In<Body>, Out<Body>)>("nbody"));
    report({"nbody", bytes, [&] { wait(kernel.launch(stream_, cover(n).block(256), in, out)); },
            [&] {
              peers::nbody(reinterpret_cast<const float (*)[4]>(bodies.data()),
                           reinterpret_cast<float (*)[4]>(forces.data()), static_cast<int64_t>(n));
            },
            [&] { return equal(take(out.toVector(stream_)), forces); }});
  }

  Device device_;
  Stream stream_;
  Module module_;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fputs("usage: mirgpu_cpu_bench MODULE.mgpu BYTES...\n", stderr);
    return 2;
  }
  Bench bench(argv[1]);
  for (int i = 2; i < argc; ++i)
    bench.run(std::strtoull(argv[i], nullptr, 10));
  return 0;
}
