// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code from hand-written neutral modules, mapped and run here: the services are small
// stand-ins that run the lanes one after another, which is enough for kernels without collectives;
// collectives are checked for the operands that they pass.
#include "neutral.h"

#include "support/cpu_abi.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

#include <csetjmp>
#include <cstring>
#include <dlfcn.h>

using namespace mirgpu;
using namespace neutral;
using codegen::EmitKind;
using codegen::EmitOptions;

namespace {
struct Recorded {
  std::jmp_buf end;
  uint32_t place = 0, barriers = 0, barrierPlace = 0, shufflePlace = 0, mask = 0, operand = 0,
           control = 0;
  uint64_t operands[2] = {};
  std::string text;
  unsigned panics = 0;
  abi::LaneContext *lane = nullptr; ///< of the last panic
  abi::WarpOp op{};
};
} // namespace

static Recorded recorded;

static void runFibers(abi::BlockContext *block, abi::LaneFunction lane, const void *const *args) {
  for (uint32_t x = 0; x < block->blockDim[0]; ++x) {
    abi::LaneContext context{block, {x, 0, 0}, x % 32, nullptr};
    if (setjmp(recorded.end) == 0)
      lane(args, &context);
  }
}
static uint32_t blockBarrier(abi::LaneContext *, abi::BarrierOp, uint32_t, uint32_t place) {
  ++recorded.barriers;
  recorded.barrierPlace = place;
  return 0;
}
static void warpCollective(abi::LaneContext *, abi::WarpOp op, uint32_t mask, uint64_t value,
                           uint32_t operand, uint32_t control, uint32_t place,
                           abi::WarpResult *result) {
  recorded.op = op;
  recorded.mask = mask;
  recorded.operand = operand;
  recorded.control = control;
  recorded.shufflePlace = place;
  *result = {value * 10, 1};
}
static void panic(abi::LaneContext *lane, uint32_t place, uint64_t a, uint64_t b) {
  ++recorded.panics;
  recorded.lane = lane;
  recorded.place = place;
  recorded.operands[0] = a;
  recorded.operands[1] = b;
  std::longjmp(recorded.end, 1);
}
static void panicDynamic(abi::LaneContext *, uint32_t, const void *, const char *text,
                         uint64_t length, uint64_t, uint64_t) {
  ++recorded.panics;
  recorded.text.assign(text, length);
  std::longjmp(recorded.end, 1);
}

static void yield(abi::LaneContext *) {}

static const abi::HostServices services = {abi::kCpuAbiVersion, sizeof(abi::HostServices),
                                           runFibers,           blockBarrier,
                                           warpCollective,      panic,
                                           panicDynamic,        yield};

using Entry = void (*)(const void *const *, abi::BlockContext *);

/// Calls `fn`, which a panic of a thread loop leaves in the middle.
static void callEntry(Entry fn, const void *const *args, abi::BlockContext &block) {
  if (setjmp(recorded.end) == 0)
    fn(args, &block);
}

/// Maps the shared object and runs `entry` for one block.
static void runBlock(const std::string &object, const char *entry, std::vector<const void *> args,
                     abi::BlockContext &block) {
  llvm::SmallString<128> path;
  int fd = -1;
  REQUIRE_FALSE(llvm::sys::fs::createTemporaryFile("mirgpu", "so", fd, path));
  llvm::FileRemover remover(path);
  llvm::raw_fd_ostream(fd, true) << object;
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char *why = handle ? "" : dlerror();
  CAPTURE(why);
  REQUIRE(handle);
  auto fn = reinterpret_cast<Entry>(dlsym(handle, entry));
  REQUIRE((fn != nullptr));
  recorded = {};
  block.services = &services;
  callEntry(fn, args.data(), block);
  dlclose(handle);
}

struct Slice {
  void *data;
  uint64_t length;
};

TEST_CASE("host saxpy runs, and its panic has place and operands") {
  for (const char *target : {"host", "host:x86-64-v3"})
    for (unsigned level : {0u, 3u}) {
      if (std::string_view(target) != "host" && !__builtin_cpu_supports("avx2"))
        continue;
      CAPTURE(target);
      CAPTURE(level);
      llvm::LLVMContext context;
      EmitOptions options;
      options.optLevel = level;
      auto lowered = saxpy(context, spec(target));
      std::string object = emit(lowered, spec(target), EmitKind::Code, options).bytes;
      std::vector<float> x(60), y(64);
      for (unsigned i = 0; i < 64; ++i)
        y[i] = static_cast<float>(i), i < 60 ? void(x[i] = 1.0f) : void();
      float a = 2.0f;
      Slice xs{x.data(), 60}, ys{y.data(), 64};
      abi::BlockContext block{};
      block.blockDim[0] = 64, block.blockDim[1] = block.blockDim[2] = 1;
      block.gridDim[0] = block.gridDim[1] = block.gridDim[2] = 1;
      runBlock(object, "saxpy", {&a, &xs, &ys, nullptr}, block);
      for (unsigned i = 0; i < 60; ++i)
        CHECK(y[i] == static_cast<float>(i) + 2.0f);
      CHECK(y[60] == 60.0f);
      CHECK(recorded.panics == 4);
      CHECK(recorded.place == 1);
      CHECK(recorded.operands[0] == 63);
      CHECK(recorded.operands[1] == 60);
    }
}

TEST_CASE("T0 runs the threads of a block from the first one on, and reports what T3 does") {
  for (unsigned level : {0u, 2u, 3u}) {
    CAPTURE(level);
    llvm::LLVMContext context;
    EmitOptions options;
    options.optLevel = level;
    options.tier = codegen::Tier::T0;
    auto lowered = saxpy(context, spec("host"));
    std::string object = emit(lowered, spec("host"), EmitKind::Code, options).bytes;
    std::vector<float> x(60, 1.0f), y(64);
    float a = 2.0f;
    Slice xs{x.data(), 60}, ys{y.data(), 64};
    std::array<abi::LaneContext, 64> lanes{};
    abi::BlockContext block{};
    for (uint32_t i = 0; i < 64; ++i)
      lanes[i] = {&block, {i % 16, i / 16, 0}, i % 32, nullptr};
    block.blockDim[0] = 64, block.blockDim[1] = block.blockDim[2] = 1;
    block.gridDim[0] = block.gridDim[1] = block.gridDim[2] = 1;
    block.lanes = lanes.data();
    block.firstThread = 5;
    block.blocks = 1;
    runBlock(object, "saxpy.t0", {&a, &xs, &ys, nullptr}, block);
    CHECK(recorded.panics == 1);
    CHECK(recorded.lane == &lanes[60]);
    CHECK(y[4] == 0.0f);
    CHECK(y[5] == 2.0f);
    CHECK(y[59] == 2.0f);
  }
}

TEST_CASE("host collectives pass their operands and places") {
  llvm::LLVMContext context;
  auto lowered = reduce(context, spec("host"));
  auto emitted = emit(lowered, spec("host"), EmitKind::Code);
  CHECK(emitted.sharedBytes == std::vector<uint32_t>{1024});
  std::vector<uint32_t> in(32, 1), out(1);
  Slice ins{in.data(), 32}, outs{out.data(), 1};
  alignas(64) std::array<std::byte, 1024> shared{};
  abi::BlockContext block{};
  block.shared = shared.data(), block.sharedBytes = shared.size(), block.staticSharedBytes = 1024;
  block.blockDim[0] = 4, block.blockDim[1] = block.blockDim[2] = 1;
  runBlock(emitted.bytes, "reduce", {&ins, &outs}, block);
  CHECK(recorded.barriers == 4);
  CHECK(recorded.barrierPlace == 2);
  CHECK(recorded.shufflePlace == 3);
  CHECK(recorded.op == abi::WarpOp::ShuffleXor);
  CHECK(recorded.mask == 0xffffffffu);
  CHECK(recorded.operand == 1);
  CHECK(recorded.control == 31);
  uint32_t first, last;
  std::memcpy(&first, shared.data(), 4);
  std::memcpy(&last, shared.data() + 12, 4);
  CHECK(first == 12); // 1 + 10 * 1, and lane 0 adds one
  CHECK(last == 11);
}

TEST_CASE("a kernel that writes to its aggregate has its own copy") {
  for (bool readOnly : {true, false}) {
    llvm::LLVMContext context;
    auto lowered = aggregate(context, spec("host"), readOnly);
    std::string object = emit(lowered, spec("host"), EmitKind::Code).bytes;
    uint64_t value[3] = {5, 6, 7}, out = 0, *outAddress = &out;
    abi::BlockContext block{};
    block.blockDim[0] = 1;
    runBlock(object, "field", {value, &outAddress}, block);
    CHECK(out == (readOnly ? 7u : 6u));
    CHECK(value[1] == 6);
  }
}

TEST_CASE("a dynamic panic has its text") {
  llvm::LLVMContext context;
  auto lowered = spin(context, spec("host"));
  std::string object = emit(lowered, spec("host"), EmitKind::Code).bytes;
  uint32_t flag = 1, *flagAddress = &flag;
  const char *text = "message";
  void *location = nullptr;
  uint64_t length = 7;
  abi::BlockContext block{};
  block.blockDim[0] = 1;
  runBlock(object, "spin", {&flagAddress, &location, &text, &length, nullptr}, block);
  CHECK(recorded.panics == 1);
  CHECK(recorded.text == "message");
}

TEST_CASE(
    "tiers that are not built are an error; so are symbols that no process has, and unknown CPUs") {
  llvm::LLVMContext context;
  EmitOptions options;
  options.tier = codegen::Tier::T1;
  auto lowered = saxpy(context, spec("host"));
  CHECK(contains(emitError(lowered, spec("host"), EmitKind::Code, options), "tier T1"));
  options.tier = codegen::Tier::T3;
  lowered = saxpy(context, spec("host"));
  emit(lowered, spec("host"), EmitKind::Code, options);
  auto target = codegen::createTarget(spec("host:no-such-cpu"));
  REQUIRE_FALSE(static_cast<bool>(target));
  CHECK(contains(llvm::toString(target.takeError()), "no-such-cpu"));
  lowering::LoweredModule bad;
  bad.module = parse(context, spec("host"),
                     "define internal void @mirgpu.kernel.k(ptr %context) {\n call void "
                     "@outside()\n ret void\n}\ndeclare void @outside()\n");
  bad.kernels.push_back(kernel("k", {}));
  CHECK(contains(emitError(bad, spec("host"), EmitKind::Code), "`outside`"));
}

TEST_CASE("shared objects of different kernels may overlap, of one kernel never; the dynamic part "
          "follows") {
  llvm::LLVMContext context;
  lowering::LoweredModule lowered;
  lowered.module = parse(context, spec("host"), R"(
@a = internal addrspace(@S) global [20 x i8] undef, align 4
@b = internal addrspace(@S) global [64 x i8] undef, align 64
@c = internal addrspace(@S) global [8 x i8] undef, align 8
define internal void @mirgpu.kernel.one(ptr %out, ptr %context) {
  %pa = call ptr @mirgpu.shared_address(ptr addrspace(@S) @a, ptr %context)
  %pb = call ptr @mirgpu.shared_address(ptr addrspace(@S) @b, ptr %context)
  store ptr %pa, ptr %out
  %o1 = getelementptr i8, ptr %out, i64 8
  store ptr %pb, ptr %o1
  ret void
}
define internal void @mirgpu.kernel.two(ptr %out, ptr %context) {
  %pc = call ptr @mirgpu.shared_address(ptr addrspace(@S) @c, ptr %context)
  %pd = call ptr @"mirgpu.dynamic_shared::base"(i32 64, ptr %context, i32 0)
  store ptr %pc, ptr %out
  %o1 = getelementptr i8, ptr %out, i64 8
  store ptr %pd, ptr %o1
  ret void
}
declare ptr @mirgpu.shared_address(ptr addrspace(@S), ptr)
declare ptr @"mirgpu.dynamic_shared::base"(i32, ptr, i32)
)");
  lowered.kernels.push_back(kernel("one", {param("out", mgpu::ParamKind::Pointer, 8, 8)}));
  lowered.kernels.push_back(kernel("two", {param("out", mgpu::ParamKind::Pointer, 8, 8)}));
  auto emitted = emit(lowered, spec("host"), EmitKind::Code);
  CHECK(emitted.sharedBytes == std::vector<uint32_t>{128, 16});
  alignas(64) std::array<std::byte, 256> shared{};
  std::byte *out[2] = {};
  void *outAddress = out;
  abi::BlockContext block{};
  block.shared = shared.data(), block.staticSharedBytes = 128, block.blockDim[0] = 1;
  runBlock(emitted.bytes, "one", {&outAddress}, block);
  CHECK(out[0] == shared.data());
  CHECK(out[1] == shared.data() + 64);
  runBlock(emitted.bytes, "two", {&outAddress}, block);
  CHECK(out[0] == shared.data());
  CHECK(out[1] == shared.data() + 128);
}

TEST_CASE(
    "static shared memory of 4 GiB and more is an error on every target, not its lower bits") {
  for (const char *size : {"4294967296", "4294967312", "2305843009213693951"}) {
    llvm::LLVMContext context;
    lowering::LoweredModule lowered;
    std::string text = "@a = internal addrspace(@S) global [" + std::string(size) +
                       " x i8] undef, align 4\n"
                       "define internal void @mirgpu.kernel.k(ptr %context) {\n"
                       " %p = call ptr @mirgpu.shared_address(ptr addrspace(@S) @a, ptr %context)\n"
                       " store i8 0, ptr %p\n ret void\n}\n"
                       "declare ptr @mirgpu.shared_address(ptr addrspace(@S), ptr)\n";
    lowered.module = parse(context, spec("host"), text.c_str());
    lowered.kernels.push_back(kernel("k", {}));
    CHECK(contains(emitError(lowered, spec("host"), EmitKind::Code),
                   "static shared memory of kernel `k` is larger than that of any device"));
  }
}
