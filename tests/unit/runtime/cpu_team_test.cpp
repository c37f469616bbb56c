// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team of threads that grids run on, and launches that their caller does.
#include "runtime/cpu/team.h"
#include "tests/unit/runtime/cpu_fixture.h"

#include <algorithm>
#include <thread>

using namespace mirgpu;
using namespace mirgpu::test;
using runtime::cpu::Team;

TEST_CASE("a team does every piece of a job once, whoever takes it, also from several callers") {
  Team team;
  auto count = [&](uint64_t pieces) {
    std::vector<std::atomic<unsigned>> done(pieces);
    std::atomic<uint64_t> next{0};
    team.run(7, [&](unsigned worker) {
      CHECK(worker < team.size());
      for (uint64_t i; (i = next.fetch_add(1)) < pieces;)
        done[i].fetch_add(1);
    });
    return std::ranges::count_if(done, [](const auto &times) { return times == 1; });
  };
  std::vector<std::thread> callers;
  std::atomic<unsigned> right{0};
  for (int caller = 0; caller < 3; ++caller)
    callers.emplace_back([&] {
      for (uint64_t i = 0; i < 200; ++i)
        right += static_cast<uint64_t>(count(i)) == i;
    });
  for (std::thread &caller : callers)
    caller.join();
  CHECK(right == 600);
}

TEST_CASE("helpers join a job that its caller cannot end alone") {
  Team team;
  if (team.size() < 2)
    return;
  for (int round = 0; round < 3; ++round) {
    std::atomic<unsigned> inside{0};
    team.run(1, [&](unsigned) {
      ++inside;
      while (inside < 2)
        std::this_thread::yield();
    });
    CHECK(inside == 2);
    std::this_thread::sleep_for(std::chrono::milliseconds(5)); // helpers sleep again
  }
}

TEST_CASE("the team is one for all devices, and ends with the last of them") {
  std::weak_ptr<Team> seen;
  {
    std::shared_ptr<Team> first = Team::shared();
    seen = first;
    CHECK(Team::shared() == first);
  }
  CHECK(seen.expired());
}

TEST_CASE("launches that are short again and again give what they gave, in order with long ones") {
  Cpu cpu;
  size_t n = 100000;
  auto x = *cpu.device.from(cpu.stream, std::vector<float>(n, 1.0f));
  auto y = cpu.zeros<float>(n);
  auto part = *y.view(0, 300);
  auto xPart = *x.view(0, 300);
  auto kernel = cpu.module.kernel<void(float, In<float>, Out<float>)>("saxpy_t0");
  REQUIRE(kernel);
  for (int i = 0; i < 50; ++i) {
    REQUIRE(kernel->launch(cpu.stream, cover(300).block(256), 1.0f, xPart, part));
    if (i % 10 == 0)
      REQUIRE(kernel->launch(cpu.stream, cover(n).block(256), 1.0f, x, y));
    if (i % 7 == 0)
      REQUIRE(cpu.stream.synchronize());
  }
  auto got = *y.toVector(cpu.stream);
  std::vector<float> expected(n, 5.0f);
  std::fill_n(expected.begin(), 300, 55.0f);
  CHECK(got == expected);
}
