// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statics that the host reads and writes: found by path or name, kept from launch to launch, fresh
// with each load, apart between modules, and every wrong access refused.
#include "tests/unit/runtime/cpu_fixture.h"

using namespace mirgpu;
using test::Cpu;

static std::string text(const Status &status) { return status ? "ok" : status.error().message; }
template <class T> static std::string text(const Result<T> &result) {
  return result ? "ok" : result.error().message;
}

TEST_CASE("a static keeps its value from launch to launch; each load has its own") {
  Cpu cpu;
  auto coeffs = cpu.zeros<float>(4);
  auto total = *cpu.module.global<uint64_t>("TOTAL");
  CHECK(*total.toVector(cpu.stream) == std::vector<uint64_t>{5});
  for (uint64_t launch = 1; launch <= 3; ++launch) {
    REQUIRE(cpu.run("add_to_total", Launch{{100}, {64}}, coeffs) == "ok");
    CHECK(*total.toVector(cpu.stream) == std::vector<uint64_t>{5 + 6400 * launch});
  }
  auto other = *cpu.device.loadBytes(test::kernelModule().bytes());
  CHECK(*other.global<uint64_t>("TOTAL")->toVector(cpu.stream) == std::vector<uint64_t>{5});
  REQUIRE(text(other.global<uint64_t>("TOTAL")->write(cpu.stream, uint64_t(1))) == "ok");
  CHECK(*total.toVector(cpu.stream) == std::vector<uint64_t>{5 + 19200});
  // A write follows the launches that were given before it.
  auto kernel = *other.kernel("add_to_total");
  REQUIRE(text(kernel.launch(cpu.stream, Launch{{1000}, {64}}, coeffs)) == "ok");
  REQUIRE(text(other.global<uint64_t>("TOTAL")->write(cpu.stream, uint64_t(7))) == "ok");
  CHECK(*other.global<uint64_t>("TOTAL")->toVector(cpu.stream) == std::vector<uint64_t>{7});
}

TEST_CASE(
    "constants that the host sets are what the next launch reads; a Global keeps its module") {
  Cpu cpu;
  auto out = cpu.zeros<float>(4);
  REQUIRE(cpu.run("add_to_total", Launch{{1}, {32}}, out) == "ok");
  CHECK(*out.toVector(cpu.stream) == std::vector<float>{1, 2, 3, 4});
  auto coeffs = *cpu.module.global<float>("tests::COEFFS");
  CHECK(coeffs.size() == 4);
  CHECK(coeffs.info().constant == 1);
  CHECK(std::string(coeffs.info().type_name) == "ConstantMemory<[f32; 4]>");
  std::vector<float> last = {30, 40};
  REQUIRE(text(coeffs.write(cpu.stream, last, 2)) == "ok");
  REQUIRE(cpu.run("add_to_total", Launch{{1}, {32}}, out) == "ok");
  CHECK(*out.toVector(cpu.stream) == std::vector<float>{1, 2, 30, 40});
  cpu.module = *cpu.device.loadBytes(test::kernelModule().bytes());
  CHECK(*coeffs.toVector(cpu.stream) == std::vector<float>{1, 2, 30, 40});
  // Any type of the same bytes does, as a struct that mirrors Rust's.
  struct Pair {
    float a, b;
  };
  CHECK((*cpu.module.global<Pair>("COEFFS")->toVector(cpu.stream))[1].b == 4);
}

TEST_CASE("wrong names, types, ranges and values of statics are refused") {
  Cpu cpu;
  Module &m = cpu.module;
  CHECK(text(m.global<float>("NOPE")) ==
        "`module in memory` has no static `NOPE` that the host can reach; it has `tests::TOTAL`, "
        "`tests::COEFFS`, `tests::FLAG`, `tests::a::TWICE`, `tests::b::TWICE`");
  CHECK(m.global<float>("NOPE").error().code == ErrorCode::NoSuchGlobal);
  CHECK(text(m.global<uint32_t>("TWICE")) ==
        "`module in memory` has several statics `TWICE`: `tests::a::TWICE`, `tests::b::TWICE`");
  CHECK(*m.global<uint32_t>("b::TWICE")->toVector(cpu.stream) == std::vector<uint32_t>{2});
  CHECK(text(m.global<uint32_t>("WICE")).find("has no static `WICE`") != std::string::npos);
  CHECK(text(m.global<double>("COEFFS")) ==
        "the static `tests::COEFFS` is a `ConstantMemory<[f32; 4]>` of 16 bytes, which are no "
        "values of the type that was given, of 8 bytes");
  CHECK(m.global<uint32_t>("COEFFS").error().code == ErrorCode::ArgumentMismatch);
  CHECK(m.global<std::array<float, 3>>("COEFFS").error().code == ErrorCode::ArgumentMismatch);
  auto coeffs = *m.global<float>("COEFFS");
  std::vector<float> two = {0, 0};
  CHECK(text(coeffs.write(cpu.stream, two, 3)) ==
        "8 bytes from byte 12 on reach beyond the static `tests::COEFFS` of 16 bytes");
  CHECK(text(coeffs.read(cpu.stream, two, uint64_t(1) << 60)).find("reach beyond") !=
        std::string::npos);
  auto flag = *m.global<bool>("FLAG");
  CHECK(text(flag.write(cpu.stream, false)) == "ok");
  CHECK(text(m.global<std::byte>("FLAG")->write(cpu.stream, std::byte(2))) ==
        "the number 2 is no `bool`; static `tests::FLAG`");
  auto other = *Device::open("cpu")->createStream();
  CHECK(text(coeffs.write(other, two)) ==
        "static `tests::COEFFS` was loaded on another device than the stream's");
  CHECK(m.globals().size() == 5);
}

TEST_CASE("a module whose code lacks a static is refused when it is loaded") {
  auto w = test::kernelModule();
  w.global("MISSING", "u32", "u32", 4, 4);
  auto loaded = Device::open("cpu")->loadBytes(w.bytes());
  REQUIRE_FALSE(loaded);
  CHECK(loaded.error().code == ErrorCode::InvalidModule);
  CHECK(loaded.error().message.find("lacks the static `tests::MISSING`") != std::string::npos);
}
