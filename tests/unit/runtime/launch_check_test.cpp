// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks before a launch: each refusal once, with its code, kernel, argument and text. Also
// what a module and a device name can be wrong in.
#include "tests/unit/runtime/cpu_fixture.h"

using namespace mirgpu;
using namespace mirgpu::test;

namespace {

Error errorOf(Status status) {
  REQUIRE(!status);
  return status.error();
}

} // namespace

TEST_CASE("the number, kind and type of arguments are checked at each launch") {
  Cpu cpu;
  auto kernel = *cpu.module.kernel("saxpy");
  auto x = cpu.zeros<float>(8), y = cpu.zeros<float>(8);
  auto wide = cpu.zeros<double>(8);
  auto ints = cpu.zeros<int32_t>(8);
  Launch one{{1}, {8}};
  auto refused = [&](int argument, const char *text, const auto &...args) {
    Error error = errorOf(kernel.launch(cpu.stream, one, args...));
    CHECK(error.code == ErrorCode::ArgumentMismatch);
    CHECK(error.kernel == "saxpy");
    CHECK(error.argument == argument);
    CHECK(error.message == text);
  };
  refused(-1, "kernel `saxpy`: takes 3 arguments, 1 was given", 1.0f);
  refused(
      0,
      "kernel `saxpy`, argument 0 (`a: f32`): a value of 8 bytes was given, the parameter's has 4",
      1.0, x, y);
  refused(0,
          "kernel `saxpy`, argument 0 (`a: f32`): a value of type integer was given where `f32` is "
          "wanted",
          1, x, y);
  refused(0, "kernel `saxpy`, argument 0 (`a: f32`): a buffer was given where a value is wanted", x,
          x, y);
  refused(1, "kernel `saxpy`, argument 1 (`x: &[f32]`): a value was given where a buffer is wanted",
          1.0f, 1.0f, y);
  refused(1,
          "kernel `saxpy`, argument 1 (`x: &[f32]`): an element of 8 bytes was given, the "
          "parameter's has 4",
          1.0f, wide, y);
  refused(2,
          "kernel `saxpy`, argument 2 (`y: DisjointSlice<f32>`): a value of type integer was given "
          "where `f32` is wanted",
          1.0f, x, ints);
  refused(2,
          "kernel `saxpy`, argument 2 (`y: DisjointSlice<f32>`): the kernel may write through it; "
          "`In<T>` was given",
          1.0f, x, In<float>(y));
  refused(1,
          "kernel `saxpy`, argument 1 (`x: &[f32]`): the kernel only reads it; `Out<T>` was given",
          1.0f, Out<float>(x), y);
}

TEST_CASE("the element type of a disjoint slice is found before its index type") {
  Cpu cpu;
  ModuleWriter w = kernelModule();
  w.kernels.erase(w.kernels.begin() + 1, w.kernels.end());
  w.params[2].typeName =
      w.string("mirgpu_device::disjoint::DisjointSlice<f32,mirgpu_device::thread::Index1D>");
  auto module = *cpu.device.loadBytes(w.bytes());
  auto kernel = *module.kernel("saxpy");
  auto x = cpu.zeros<float>(8);
  Error error =
      errorOf(kernel.launch(cpu.stream, Launch{{1}, {8}}, 1.0f, x, cpu.zeros<int32_t>(8)));
  CHECK(error.argument == 2);
  CHECK(error.message.ends_with("a value of type integer was given where `f32` is wanted"));
}

TEST_CASE("a typed kernel is checked when it is looked up") {
  Cpu cpu;
  CHECK(cpu.module.kernel<void(float, In<float>, Out<float>)>("saxpy"));
  CHECK(cpu.module.kernel<void(float, In<float>, Out<float>)>("tests::saxpy"));
  CHECK(cpu.module.kernel<void(double, In<float>, Out<float>)>("saxpy").error().argument == 0);
  CHECK(cpu.module.kernel<void(float, Out<float>, Out<float>)>("saxpy").error().argument == 1);
  CHECK(cpu.module.kernel<void(float, In<float>)>("saxpy").error().code ==
        ErrorCode::ArgumentMismatch);
  auto none = cpu.module.kernel("nope");
  REQUIRE(!none);
  CHECK(none.error().code == ErrorCode::NoSuchKernel);
  CHECK(none.error().message.find("has no kernel `nope`; it has `saxpy`, `saxpy_t0`") !=
        std::string::npos);
}

TEST_CASE("buffers that overlap are refused where one is written") {
  Cpu cpu;
  auto kernel = *cpu.module.kernel("saxpy");
  auto a = cpu.zeros<float>(100);
  Launch one{{1}, {32}};
  Error error = errorOf(kernel.launch(cpu.stream, one, 1.0f, *a.view(0, 50), *a.view(49, 51)));
  CHECK(error.code == ErrorCode::Overlap);
  CHECK(error.argument == 2);
  CHECK(
      error.message ==
      "kernel `saxpy`, argument 2 (`y: DisjointSlice<f32>`): its memory overlaps that of argument "
      "1 (`x: &[f32]`), and the kernel may write through argument 2");
  CHECK(kernel.launch(cpu.stream, one, 1.0f, *a.view(0, 50), *a.view(50, 50)));
  CHECK(kernel.launch(cpu.stream, one, 1.0f, *a.view(0, 0), *a.view(0, 0)));
  CHECK(cpu.stream.synchronize());

  ModuleWriter w = kernelModule();
  w.kernels.erase(w.kernels.begin() + 1, w.kernels.end());
  w.params[1].kind = mgpu::ParamKind::DisjointSlice;
  w.params[1].readOnly = 0;
  auto both = *cpu.device.loadBytes(w.bytes());
  CHECK((*both.kernel("saxpy")).launch(cpu.stream, one, 1.0f, a, a));
  w.params[1].kind = mgpu::ParamKind::SliceMut;
  auto mixed = *cpu.device.loadBytes(w.bytes());
  CHECK(!(*mixed.kernel("saxpy")).launch(cpu.stream, one, 1.0f, a, a));
  CHECK(cpu.stream.synchronize());
}

TEST_CASE("the geometry is checked") {
  Cpu cpu;
  auto kernel = *cpu.module.kernel("deadlock");
  auto counts = *cpu.module.kernel("count_threads");
  auto out = cpu.zeros<uint32_t>(1);
  auto refused = [&](Launch shape) {
    Error error = errorOf(kernel.launch(cpu.stream, shape));
    CHECK(error.code == ErrorCode::Geometry);
    CHECK(error.kernel == "deadlock");
    return error.message;
  };
  CHECK(refused(Launch{{0}, {32}}) ==
        "kernel `deadlock`: a grid of (0,1,1) blocks; each dimension of "
        "`cpu` is from 1 to (2147483647,65535,65535)");
  refused(Launch{{1}, {0}});
  refused(Launch{{1, 65536}, {1}});
  refused(Launch{{1}, {1, 1, 65}});
  refused(cover(1).block(0));
  CHECK(refused(Launch{{1}, {1025}}) == "kernel `deadlock`: a block of (1025,1,1) threads; each "
                                        "dimension of `cpu` is from 1 to (1024,1024,64)");
  CHECK(refused(Launch{{1}, {64, 32}}) ==
        "kernel `deadlock`: a block of (64,32,1) has 2048 threads; `cpu` takes at most 1024");
  Launch shared{{1}, {1}};
  shared.sharedBytes = uint64_t(1) << 40;
  refused(shared);
  Launch order{{1}, {1}};
  order.schedule = "backward";
  CHECK(errorOf(kernel.launch(cpu.stream, order)).code == ErrorCode::InvalidArgument);
  CHECK(
      errorOf(counts.launch(cpu.stream, Launch{{1}, {513}}, out)).message ==
      "kernel `count_threads`: a block of (513,1,1) has 513 threads; its launch bounds allow 512");
  CHECK(cover(0).block(256).grid.x == 1);
  CHECK(cover(257).block(256).grid.x == 2);
  CHECK(cover(UINT64_MAX / 2).block(1).grid.x == 0);
}

TEST_CASE("values that Rust forbids and layouts that differ are refused") {
  struct Pair {
    uint8_t tag;
    uint64_t value;
  };
  Cpu cpu;
  auto kernel = *cpu.module.kernel("values");
  auto out = cpu.zeros<uint64_t>(7);
  Launch one{{1}, {1}};
  Arg wide = Arg::value(static_cast<unsigned __int128>(1));
  std::byte two{2};
  CHECK(errorOf(kernel.launch(cpu.stream, one, Arg::bytes({&two, 1}), Pair{}, wide, out)).message ==
        "kernel `values`, argument 0 (`flag: bool`): the byte 2 is no `bool`");
  CHECK(errorOf(kernel.launch(cpu.stream, one, uint8_t(1), Pair{}, wide, out)).argument == 0);
  CHECK(errorOf(kernel.launch(cpu.stream, one, true, uint64_t(1), wide, out)).argument == 1);
  mirgpu_arg raw[4] = {Arg(true).raw(), Arg::value(Pair{}).raw(), wide.raw(), Arg(out).raw()};
  bool yes = true;
  Pair pair{};
  raw[0].value = &yes;
  raw[1].value = &pair;
  raw[1].layout_hash = 77;
  CHECK(mirgpu_kernel_check(kernel.get(), sizeof(mirgpu_arg), raw, 4) == nullptr);
  raw[1].layout_hash = 78;
  mirgpu_error *error = mirgpu_kernel_check(kernel.get(), sizeof(mirgpu_arg), raw, 4);
  REQUIRE(error);
  CHECK(detail::takeError(error).argument == 1);
}

TEST_CASE("buffers of another device and ranges beyond a buffer are refused") {
  Cpu cpu, other;
  auto kernel = *cpu.module.kernel("two_places");
  auto theirs = other.zeros<uint32_t>(32);
  CHECK(errorOf(kernel.launch(cpu.stream, Launch{{1}, {32}}, theirs)).code ==
        ErrorCode::InvalidArgument);
  CHECK(!kernel.launch(other.stream, Launch{{1}, {32}}, theirs));
  auto mine = cpu.zeros<uint32_t>(32);
  mirgpu_arg raw = Arg(mine).raw();
  mirgpu_launch_info info{};
  info.struct_size = sizeof info;
  info.arg_struct_size = sizeof raw;
  info.grid[0] = info.grid[1] = info.grid[2] = info.block[0] = info.block[1] = info.block[2] = 1;
  auto refused = [&] {
    mirgpu_error *error = mirgpu_launch(cpu.stream.get(), kernel.get(), &info, &raw, 1);
    REQUIRE(error);
    CHECK(detail::takeError(error).argument == 0);
  };
  raw.offset = 4;
  refused(); // one element too many
  raw.count = UINT64_MAX;
  refused();
  raw.count = 1;
  raw.offset = 2;
  refused(); // misaligned
  raw.offset = UINT64_MAX;
  refused();
}

TEST_CASE("parameters and kernels can be asked for") {
  Cpu cpu;
  auto kernels = cpu.module.kernels();
  REQUIRE(kernels.size() == 16);
  CHECK(std::string_view(kernels[0].info().name) == "saxpy");
  CHECK(std::string_view(kernels[0].info().key) == "tests::saxpy");
  CHECK(kernels[2].info().static_shared_bytes == 128);
  auto params = cpu.module.kernel("values")->params();
  CHECK(cpu.module.kernel("values")->info().param_count == 4);
}

TEST_CASE("parameters keep their names and layouts") {
  Cpu cpu;
  auto kernel = *cpu.module.kernel("values");
  auto params = kernel.params();
  REQUIRE(params.size() == 4); // without the hidden launch context
  CHECK(params[1].name == "pair");
  CHECK(params[1].typeName == "tests::Pair");
  CHECK(params[1].kind == ParamKind::Aggregate);
  CHECK(params[1].layoutHash == 77);
  CHECK(params[3].elementSize == 8);
  CHECK(!params[3].readOnly);
}

TEST_CASE("structs of an older caller are filled as far as it knows them") {
  Cpu cpu;
  auto kernel = *cpu.module.kernel("saxpy");
  mirgpu_kernel_info info;
  std::memset(&info, 0x5a, sizeof info);
  info.struct_size = offsetof(mirgpu_kernel_info, key);
  mirgpu_kernel_get_info(kernel.get(), &info);
  CHECK(std::string_view(info.name) == "saxpy");
  CHECK(reinterpret_cast<uintptr_t>(info.key) == 0x5a5a5a5a5a5a5a5a);
  CHECK(info.struct_size == offsetof(mirgpu_kernel_info, key));
}

TEST_CASE("devices are opened by name") {
  CHECK(mirgpu_api_version() == MIRGPU_API_VERSION);
  auto cpu = Device::open("cpu");
  REQUIRE(cpu);
  CHECK(std::string_view(cpu->info().name) == "cpu");
  CHECK(cpu->info().warp_size == 32);
  CHECK(Device::open("auto"));
  for (auto name : {"", "gpu", "cpu:0", "cuda", "cuda:", "cuda:x", "hip:1x"}) {
    INFO(name);
    CHECK(Device::open(name).error().code == ErrorCode::InvalidArgument);
  }
  for (auto name : {"cuda:0", "hip:0"}) {
    auto gpu = Device::open(name);
    REQUIRE(!gpu);
    bool known = gpu.error().code == ErrorCode::NoDriver || gpu.error().code == ErrorCode::NotBuilt;
    CHECK(known);
    CHECK(gpu.error().message.starts_with("`" + std::string(name) + "`: "));
  }
}

TEST_CASE("a module without code for this CPU, or with broken code, says so") {
  auto device = *Device::open("cpu");
  auto codeOf = [&](mgpu::SectionKind kind, const char *target, std::string bytes) {
    ModuleWriter w;
    w.kernel("saxpy");
    w.code(kind, target, std::move(bytes));
    auto module = device.loadBytes(w.bytes());
    return module ? Error{} : module.error();
  };
  Error ptx = codeOf(mgpu::SectionKind::Ptx, "sm_90", "x");
  CHECK(ptx.code == ErrorCode::NoCode);
  CHECK(ptx.message == "`module in memory` has no code that this CPU can run; it has code for "
                       "`sm_90` (compile with `--target=host`)");
  CHECK(codeOf(mgpu::SectionKind::HostObject, "host", "no ELF").code == ErrorCode::NoCode);
  std::string torn = kernelObject().substr(0, 3000);
  CHECK(codeOf(mgpu::SectionKind::HostObject, "host", torn).code == ErrorCode::InvalidModule);
  ModuleWriter w = kernelModule();
  w.kernel("not_there");
  auto lacking = device.loadBytes(w.bytes());
  REQUIRE(!lacking);
  CHECK(lacking.error().message.find("lacks kernel `not_there`") != std::string::npos);
}
