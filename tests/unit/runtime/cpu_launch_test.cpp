// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that succeed on the CPU device: results against plain loops, in every shape and
// schedule, from several streams at once.
#include "tests/unit/runtime/cpu_fixture.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <thread>

using namespace mirgpu;
using namespace mirgpu::test;

TEST_CASE("a typed saxpy gives what a loop gives") {
  Cpu cpu;
  for (const char *name : {"saxpy", "saxpy_t0"})
    for (size_t n : {size_t(0), size_t(1), size_t(255), size_t(1000), size_t(100000)}) {
      std::vector<float> x(n), y(n), expected(n);
      for (size_t i = 0; i < n; ++i) {
        x[i] = static_cast<float>(i % 1000), y[i] = 1.0f;
        expected[i] = y[i] + 2.5f * x[i];
      }
      auto dx = *cpu.device.from(cpu.stream, x);
      auto dy = *cpu.device.from(cpu.stream, y);
      auto kernel = cpu.module.kernel<void(float, In<float>, Out<float>)>(name);
      REQUIRE_MESSAGE(kernel, (kernel ? "" : kernel.error().message));
      auto status = kernel->launch(cpu.stream, cover(n).block(256), 2.5f, dx, dy);
      REQUIRE_MESSAGE(status, (status ? "" : status.error().message));
      auto got = dy.toVector(cpu.stream);
      REQUIRE_MESSAGE(got, (got ? "" : got.error().message));
      CHECK(*got == expected);
    }
}

TEST_CASE("block sums agree with a loop under every schedule") {
  Cpu cpu;
  size_t n = 10000, blocks = (n + 255) / 256;
  std::vector<float> x(n);
  for (size_t i = 0; i < n; ++i)
    x[i] = static_cast<float>(i % 7);
  auto dx = *cpu.device.from(cpu.stream, x);
  for (const char *schedule : {"forward", "reverse", "seed:1", "seed:99"}) {
    auto out = cpu.zeros<float>(blocks);
    Launch shape = cover(n).block(256);
    shape.schedule = schedule;
    REQUIRE(cpu.run("block_sum", shape, dx, out) == "ok");
    auto sums = *out.toVector(cpu.stream);
    for (size_t b = 0; b < blocks; ++b)
      CHECK(sums[b] == std::accumulate(x.begin() + static_cast<long>(b * 256),
                                       x.begin() + static_cast<long>(std::min(n, b * 256 + 256)),
                                       0.0f));
  }
}

TEST_CASE("schedules order the threads of a block") {
  Cpu cpu;
  auto order = [&](const char *schedule) {
    auto out = cpu.zeros<uint32_t>(128);
    Launch shape{{1}, {64}};
    shape.schedule = schedule;
    REQUIRE(cpu.run("order", shape, out) == "ok");
    return *out.toVector(cpu.stream);
  };
  auto forward = order("forward"), reverse = order("reverse"), seed = order("seed:5");
  for (uint32_t i = 0; i < 64; ++i) {
    CHECK(forward[i] == i);
    CHECK(forward[64 + i] == i);
    CHECK(reverse[i] == 63 - i);
    CHECK(reverse[64 + i] == 63 - i);
  }
  CHECK(seed == order("seed:5"));
  CHECK(seed != order("seed:6"));
  CHECK(std::set<uint32_t>(seed.begin(), seed.begin() + 64).size() == 64);
}

TEST_CASE("every thread of a 3-D launch runs once") {
  Cpu cpu;
  for (auto [grid, block] :
       {std::pair<Dim3, Dim3>{{3, 2, 4}, {5, 7, 2}}, std::pair<Dim3, Dim3>{{1, 1, 1}, {8, 8, 8}},
        std::pair<Dim3, Dim3>{{70, 9, 2}, {1, 1, 33}},
        std::pair<Dim3, Dim3>{{1000, 1, 1}, {1, 1, 1}}}) {
    size_t n = size_t(grid.x) * grid.y * grid.z * block.x * block.y * block.z;
    auto out = cpu.zeros<uint32_t>(n);
    REQUIRE(cpu.run("count_threads", Launch{grid, block}, out) == "ok");
    CHECK(*out.toVector(cpu.stream) == std::vector<uint32_t>(n, 1));
  }
}

TEST_CASE("values cross in Rust's layout, the hidden context and shared sizes are right") {
  struct Pair {
    uint8_t tag;
    uint64_t value;
  };
  Cpu cpu;
  auto out = cpu.zeros<uint64_t>(7);
  Launch shape{{1}, {32}};
  shape.sharedBytes = 100;
  unsigned __int128 wide = static_cast<unsigned __int128>(0x1122334455667788) << 64;
  REQUIRE(cpu.run("values", shape, true, Pair{3, 1000}, Arg::value(wide), out) == "ok");
  auto got = *out.toVector(cpu.stream);
  CHECK(got == std::vector<uint64_t>{1, 1003, 0x1122334455667788, 0, 1, 1124, 1024});
}

TEST_CASE("blocks start in ascending order") {
  Cpu cpu;
  auto done = cpu.zeros<uint32_t>(300);
  REQUIRE(cpu.run("wait_for_lower_block", Launch{{300}, {64}}, done) == "ok");
  CHECK((*done.toVector(cpu.stream))[299] == 300);
}

TEST_CASE("many partial rendezvous agree between schedules") {
  Cpu cpu;
  std::vector<uint32_t> first;
  for (const char *schedule : {"forward", "reverse", "seed:3"}) {
    auto out = cpu.zeros<uint32_t>(1024 * 8);
    Launch shape{{8}, {1024}};
    shape.schedule = schedule;
    REQUIRE(cpu.run("shuffle_storm", shape, out) == "ok");
    auto got = *out.toVector(cpu.stream);
    if (first.empty())
      first = got;
    CHECK(got == first);
  }
}

TEST_CASE("streams run beside each other, each in order") {
  Cpu cpu;
  auto kernel = *cpu.module.kernel<void(float, In<float>, Out<float>)>("saxpy");
  std::vector<std::thread> threads;
  std::vector<float> results(4);
  for (size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto stream = *cpu.device.createStream();
      auto x = *cpu.device.from(stream, std::vector<float>(5000, 1.0f));
      auto y = *cpu.device.from(stream, std::vector<float>(5000, 0.0f));
      for (int i = 0; i < 50; ++i)
        (void)kernel.launch(stream, cover(5000).block(128), static_cast<float>(t), x, y);
      auto got = *y.toVector(stream);
      results[t] = std::accumulate(got.begin(), got.end(), 0.0f);
    });
  for (auto &thread : threads)
    thread.join();
  for (size_t t = 0; t < 4; ++t)
    CHECK(results[t] == 5000.0f * 50 * static_cast<float>(t));
}

TEST_CASE("buffers copy, fill and slice") {
  Cpu cpu;
  auto a = *cpu.device.from(cpu.stream, std::vector<uint32_t>{1, 2, 3, 4});
  auto b = *cpu.device.alloc<uint32_t>(4);
  REQUIRE(b.copyFrom(cpu.stream, a));
  CHECK(*b.toVector(cpu.stream) == std::vector<uint32_t>{1, 2, 3, 4});
  REQUIRE(b.zero(cpu.stream));
  std::vector<uint32_t> two{8, 9};
  REQUIRE(b.write(cpu.stream, two, 1));
  CHECK(*b.toVector(cpu.stream) == std::vector<uint32_t>{0, 8, 9, 0});
  CHECK(!b.write(cpu.stream, two, 3));
  CHECK(!a.view(3, 2));
  CHECK(a.view(3, 1)->size() == 1);
  CHECK(!a.all().slice(5, 0));
  auto c = *cpu.device.alloc<uint32_t>(3);
  CHECK(!c.copyFrom(cpu.stream, a));
  CHECK(cpu.device.alloc<uint64_t>(uint64_t(1) << 62).error().code == ErrorCode::OutOfMemory);
}

TEST_CASE("work keeps alive what it uses, also when every handle is gone") {
  for (int round = 0; round < 20; ++round) {
    auto device = *Device::open("cpu");
    auto stream = round % 2 ? *device.defaultStream() : *device.createStream();
    auto module = *device.loadBytes(kernelModule().bytes());
    auto x = *device.alloc<float>(50000);
    auto y = *device.alloc<float>(50000);
    REQUIRE(x.zero(stream));
    REQUIRE(y.zero(stream));
    auto kernel = *module.kernel("saxpy");
    REQUIRE(kernel.launch(stream, cover(50000).block(64), 1.0f, x, y));
  }
}

TEST_CASE("two modules loaded after each other are two codes") {
  auto device = *Device::open("cpu");
  for (int i = 0; i < 3; ++i) {
    auto one = device.loadBytes(kernelModule().bytes());
    REQUIRE(one);
    auto two = device.loadBytes(kernelModule().bytes());
    REQUIRE(two);
    CHECK(one->kernels().size() == two->kernels().size());
  }
}
