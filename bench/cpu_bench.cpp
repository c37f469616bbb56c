// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on the CPU device against the same as C++ with OpenMP, in one process.
//
// Maps from: the module of bench/kernels/cpu.rs. To: one JSON line for each kernel and size on
// standard output: {kernel, bytes, ours_ms, peer_ms, ours_cpu_ms, peer_cpu_ms, same}: of the
// best round, the median of wall time and the CPU time of all threads, of launch to end; whether
// the results agree, bit for bit. Idle threads of either side spin for a while and would take the
// cores from the other: each side has rounds of its own, warmed, with a pause before that is longer
// than any spin. Both read the same buffers and write to buffers of the device's allocator.
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
#include <thread>

using namespace mirgpu;

namespace {

/// Milliseconds of a run: the median of wall time, and the mean of the CPU time of all threads.
struct Times {
  double wall = 0, cpu = 0;
};

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<long>(values.size() / 2));
  return values[values.size() / 2];
}

/// Of all threads. What a thread has used on another core is seen once in some milliseconds, so
/// only long stretches can be compared.
double cpuMs() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double wallMs(const std::function<void()> &run) {
  auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
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

/// libomp's threads spin for 200 ms after their last work (KMP_BLOCKTIME), ours for less.
constexpr auto kPause = std::chrono::milliseconds(250);
constexpr int kRounds = 5;
constexpr double kRoundMs = 150, kWarmMs = 20;

/// A round of one side, after which its threads are asleep again. The best round stands for all:
/// where others load the machine, both threads of a side may have had one core in the others.
void round(Times &best, const std::function<void()> &run) {
  for (double total = 0; total < kWarmMs;)
    total += wallMs(run);
  std::vector<double> walls;
  double cpu = cpuMs();
  for (double total = 0; total < kRoundMs; total += walls.back())
    walls.push_back(wallMs(run));
  cpu = (cpuMs() - cpu) / static_cast<double>(walls.size());
  double wall = median(std::move(walls));
  if (best.wall == 0 || wall < best.wall)
    best = {wall, cpu};
  std::this_thread::sleep_for(kPause);
}

void report(const Case &one, const std::string &only) {
  if (!only.empty() && only != one.kernel)
    return;
  one.ours();
  one.peer();
  bool same = one.same();
  std::this_thread::sleep_for(kPause);
  Times ours, peer;
  for (int i = 0; i < kRounds; ++i) {
    round(ours, one.ours);
    round(peer, one.peer);
  }
  std::printf("{\"kernel\":\"%s\",\"bytes\":%llu,\"ours_ms\":%.6f,\"peer_ms\":%.6f,"
              "\"ours_cpu_ms\":%.6f,\"peer_cpu_ms\":%.6f,\"same\":%s}\n",
              one.kernel, static_cast<unsigned long long>(one.bytes), ours.wall, peer.wall,
              ours.cpu, peer.cpu, same ? "true" : "false");
  std::fflush(stdout);
}

class Bench {
public:
  Bench(const char *module, std::string only)
      : only_(std::move(only)), device_(take(Device::open("cpu"))),
        stream_(take(device_.createStream())), module_(take(device_.load(module))) {}

  void run(uint64_t bytes) {
    uint64_t n = bytes / sizeof(float);
    auto count = static_cast<int64_t>(n);
    std::vector<float> a(n), b(n), c(n, 1.0f);
    for (uint64_t i = 0; i < n; ++i)
      a[i] = static_cast<float>(i % 1013) * 0.25f, b[i] = static_cast<float>(i % 977) - 400.0f;
    auto bufferA = take(device_.from(stream_, a)), bufferB = take(device_.from(stream_, b));
    auto out = take(device_.from(stream_, c)), peerOut = take(device_.from(stream_, c));
    const float *x = memory(bufferA), *y = memory(bufferB);
    float *to = memory(peerOut);
    auto same = [&] { return equal(out, peerOut); };
    auto vecadd = take(module_.kernel<void(In<float>, In<float>, Out<float>)>("vecadd"));
    report({"vecadd", bytes,
            [&] { wait(vecadd.launch(stream_, cover(n).block(256), bufferA, bufferB, out)); },
            [&] { peers::vecadd(x, y, to, count); }, same},
           only_);
    auto saxpy = take(module_.kernel<void(float, In<float>, Out<float>)>("saxpy"));
    report({"saxpy", bytes,
            [&] { wait(saxpy.launch(stream_, cover(n).block(256), 0.5f, bufferA, out)); },
            [&] { peers::saxpy(0.5f, x, to, count); }, same},
           only_);
    auto width = static_cast<uint32_t>(std::sqrt(static_cast<double>(n)));
    auto stencil = take(module_.kernel<void(In<float>, uint32_t, uint32_t, Out<float>)>("stencil"));
    Launch rows{{(width + 255) / 256, width, 1}, {256, 1, 1}};
    take(out.zero(stream_));
    take(peerOut.zero(stream_));
    report({"stencil", bytes,
            [&] { wait(stencil.launch(stream_, rows, bufferA, width, width, out)); },
            [&] { peers::stencil(x, width, width, to); }, same},
           only_);
    runMandelbrot(bytes, width);
    if (bytes <= 1 << 20)
      runNbody(bytes);
  }

private:
  /// The buffer's values: the CPU device's memory is the host's.
  template <class T> static T *memory(const Buffer<T> &buffer) {
    return reinterpret_cast<T *>(mirgpu_buffer_address(buffer.get()));
  }

  template <class T> bool equal(const Buffer<T> &a, const Buffer<T> &b) {
    take(stream_.synchronize());
    return std::memcmp(memory(a), memory(b), a.sizeBytes()) == 0;
  }

  void wait(Status launched) {
    take(std::move(launched));
    take(stream_.synchronize());
  }

  void runMandelbrot(uint64_t bytes, uint32_t width) {
    uint64_t n = bytes / sizeof(uint32_t);
    auto out = take(device_.alloc<uint32_t>(n)), peerOut = take(device_.alloc<uint32_t>(n));
    float scale = 3.0f / static_cast<float>(width);
    constexpr uint32_t limit = 64;
    auto kernel =
        take(module_.kernel<void(uint32_t, float, uint32_t, Out<uint32_t>)>("mandelbrot"));
    report(
        {"mandelbrot", bytes,
         [&] { wait(kernel.launch(stream_, cover(n).block(256), width, scale, limit, out)); },
         [&] { peers::mandelbrot(width, scale, limit, memory(peerOut), static_cast<int64_t>(n)); },
         [&] { return equal(out, peerOut); }},
        only_);
  }

  void runNbody(uint64_t bytes) {
    using Body = std::array<float, 4>;
    uint64_t n = bytes / sizeof(Body);
    std::vector<Body> bodies(n);
    for (uint64_t i = 0; i < n; ++i)
      bodies[i] = {static_cast<float>(i % 37), static_cast<float>(i % 101),
                   static_cast<float>(i % 7), 1.0f + static_cast<float>(i % 3)};
    auto in = take(device_.from(stream_, bodies));
    auto out = take(device_.alloc<Body>(n)), peerOut = take(device_.alloc<Body>(n));
    auto kernel = take(module_.kernel<void(In<Body>, Out<Body>)>("nbody"));
    report({"nbody", bytes, [&] { wait(kernel.launch(stream_, cover(n).block(256), in, out)); },
            [&] {
              peers::nbody(reinterpret_cast<const float (*)[4]>(memory(in)),
                           reinterpret_cast<float (*)[4]>(memory(peerOut)),
                           static_cast<int64_t>(n));
            },
            [&] { return equal(out, peerOut); }},
           only_);
  }

  std::string only_; ///< the kernel to measure, empty for all
  Device device_;
  Stream stream_;
  Module module_;
};

} // namespace

int main(int argc, char **argv) {
  std::string only;
  if (argc > 1 && std::string_view(argv[1]).starts_with("--kernel=")) {
    only = std::string_view(argv[1]).substr(strlen("--kernel="));
    --argc, ++argv;
  }
  if (argc < 3) {
    std::fputs("usage: mirgpu_cpu_bench [--kernel=NAME] MODULE.mgpu BYTES...\n", stderr);
    return 2;
  }
  Bench bench(argv[1], std::move(only));
  for (int i = 2; i < argc; ++i)
    bench.run(std::strtoull(argv[i], nullptr, 10));
  return 0;
}
