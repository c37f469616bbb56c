// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `.mgpu` reader: what it reads, and that every truncation, every flipped byte, and every
// changed field behind right checksums gives an error or a valid module, never a crash.
#include "runtime/module_file.h"
#include "runtime/simt/schedule.h"
#include "tests/unit/runtime/module_writer.h"

#include <doctest/doctest.h>

using namespace mirgpu;
using runtime::ModuleFile;
using test::ModuleWriter;

namespace {

ModuleWriter sample() {
  ModuleWriter w;
  mgpu::Kernel &k = w.kernel("saxpy");
  k.maxThreads = 256;
  k.flags = mgpu::kCanPanic;
  w.scalar("a", "f32", 4);
  w.in("x", "f32", 4);
  w.out("y", "f32", 4);
  w.launchContext();
  w.kernel("empty").staticSharedBytes = 64;
  w.place(mgpu::PlaceKind::BoundsCheck, 10, 5, "");
  w.place(mgpu::PlaceKind::Collective, 12, 9, "warp::shuffle_xor");
  w.code(mgpu::SectionKind::Ptx, "sm_90", "ptx text");
  w.code(mgpu::SectionKind::HostObject, "host:x86-64-v3", "ELF?");
  w.resources.push_back({0, 4, 16, mgpu::kUnknown, 0, 0, 0, 0});
  w.code(mgpu::SectionKind::Mir, "", "{}");
  w.global("COEFFS", "ConstantMemory<[f32; 4]>", "f32", 16, 4).flags = mgpu::kConstant;
  w.global("STATE", "tests::State", "", 24, 0);
  return w;
}

std::string asString(const std::vector<std::byte> &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

Result<ModuleFile> parse(std::string_view bytes) {
  auto first = reinterpret_cast<const std::byte *>(bytes.data());
  return ModuleFile::parse({first, first + bytes.size()}, "test.mgpu");
}

/// Touches everything that a module says, so that a sanitizer sees a wrong range.
size_t walk(const ModuleFile &file) {
  size_t sum = file.mir().size();
  auto text = [&](std::string_view s) {
    for (char c : s)
      sum += static_cast<unsigned char>(c);
  };
  for (auto &k : file.kernels()) {
    text(k.key), text(k.entry), text(k.file);
    for (auto &p : k.params)
      text(p.name), text(p.typeName), sum += p.size;
  }
  for (auto &g : file.globals())
    text(g.key), text(g.symbol), text(g.typeName), text(g.elementName), sum += g.size;
  for (uint32_t i = 0; i < file.placeCount(); ++i) {
    auto p = file.place(i);
    text(p.file), text(p.text), text(p.function);
  }
  for (auto &c : file.codes()) {
    text(c.target);
    for (std::byte b : c.bytes)
      sum += static_cast<size_t>(b);
  }
  for (auto &r : file.resources())
    sum += file.kernels()[r.kernel].entry.size();
  return sum;
}

} // namespace

TEST_CASE("a module is read as it was written") {
  auto file = parse(asString(sample().bytes()));
  REQUIRE_MESSAGE(file, (file ? "" : file.error().message));
  REQUIRE(file->kernels().size() == 2);
  const auto &k = file->kernels()[0];
  CHECK(k.entry == "saxpy");
  CHECK(k.key == "tests::saxpy");
  CHECK(k.maxThreads == 256);
  CHECK(k.line == 7);
  CHECK(k.hasLaunchContext);
  REQUIRE(k.params.size() == 3);
  CHECK(k.params[1].name == "x");
  CHECK(k.params[1].typeName == "&[f32]");
  CHECK(k.params[1].readOnly);
  CHECK(k.params[2].kind == mgpu::ParamKind::DisjointSlice);
  CHECK(file->kernels()[1].params.empty());
  CHECK(!file->kernels()[1].hasLaunchContext);
  CHECK(file->place(1).kind == mgpu::PlaceKind::BoundsCheck);
  CHECK(file->place(2).text == "warp::shuffle_xor");
  CHECK(file->place(99).kind == mgpu::PlaceKind::Unknown);
  REQUIRE(file->codes().size() == 2);
  CHECK(file->codes()[0].target == "sm_90");
  CHECK(file->resources().size() == 1);
  CHECK(file->mir() == "{}");
  CHECK(walk(*file) > 0);
}

TEST_CASE("views stay valid when a module moves") {
  auto file = parse(asString(sample().bytes()));
  ModuleFile moved = std::move(*file);
  CHECK(moved.kernels()[0].params[0].name == "a");
  CHECK(moved.codes()[0].bytes.size() == 8);
}

TEST_CASE("every truncation and every extension is refused") {
  std::string bytes = asString(sample().bytes());
  for (size_t size = 0; size < bytes.size(); ++size) {
    auto file = parse(std::string_view(bytes).substr(0, size));
    REQUIRE(!file);
    REQUIRE(file.error().code == ErrorCode::InvalidModule);
    REQUIRE(file.error().message.starts_with("`test.mgpu`: "));
  }
  CHECK(!parse(bytes + '\0'));
}

TEST_CASE("every flipped bit is noticed") {
  std::string bytes = asString(sample().bytes());
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string spoilt = bytes;
      spoilt[at] = static_cast<char>(spoilt[at] ^ (1 << bit));
      INFO("byte ", at, " bit ", bit);
      REQUIRE(!parse(spoilt));
    }
}

TEST_CASE("changed bytes behind right checksums give an error or a valid module") {
  std::string bytes = asString(sample().bytes());
  simt::Random random{5};
  size_t valid = 0, refused = 0;
  for (int round = 0; round < 60000; ++round) {
    std::string spoilt = bytes;
    for (uint32_t n = 1 + random.below(3); n > 0; --n) {
      static constexpr unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff, 16, 64};
      spoilt[random.below(static_cast<uint32_t>(spoilt.size()))] =
          static_cast<char>(values[random.below(sizeof values)]);
    }
    if (random.below(8) == 0)
      spoilt.resize(sizeof(mgpu::Header) + random.below(static_cast<uint32_t>(bytes.size())));
    ModuleWriter::seal(spoilt);
    auto file = parse(spoilt);
    if (file)
      walk(*file);
    ++(file ? valid : refused);
  }
  CHECK(valid > 0);
  CHECK(refused > 0);
}

TEST_CASE("what is wrong is said") {
  auto refusal = [](auto change) {
    ModuleWriter w = sample();
    change(w);
    auto file = parse(asString(w.bytes()));
    return file ? std::string("accepted") : file.error().message;
  };
  auto contains = [](const std::string &text, const char *part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  contains(refusal([](ModuleWriter &w) { w.params[0].size = 3; }), "multiple of its alignment");
  contains(refusal([](ModuleWriter &w) { w.params[1].size = 8; }), "a slice has 16 bytes");
  contains(refusal([](ModuleWriter &w) { w.params[0].align = 3; }), "no power of two");
  contains(refusal([](ModuleWriter &w) { w.params[3].size = 4; }), "a pointer has 8 bytes");
  contains(refusal([](ModuleWriter &w) { w.params[0].kind = mgpu::ParamKind(9); }), "unknown kind");
  contains(refusal([](ModuleWriter &w) { w.kernels[0].paramCount = 9; }), "not in the table");
  contains(
      refusal([](ModuleWriter &w) { w.kernels[1].firstParam = 0, w.kernels[1].paramCount = 4; }),
      "share rows");
  contains(refusal([](ModuleWriter &w) { w.kernels[1].entry = w.kernels[0].entry; }),
           "two kernels are named `saxpy`");
  contains(refusal([](ModuleWriter &w) { w.kernels[0].entry.length = 1u << 30; }), "valid string");
  contains(refusal([](ModuleWriter &w) { std::swap(w.params[2], w.params[3]); }),
           "not the last parameter");
  contains(refusal([](ModuleWriter &w) { w.places[1].kind = mgpu::PlaceKind(77); }),
           "unknown kind 77");
  contains(refusal([](ModuleWriter &w) { w.resources[0].section = 0; }), "resource row 0");
  contains(refusal([](ModuleWriter &w) { w.code(mgpu::SectionKind(200), "", "x"); }),
           "unknown kind 200");
}

TEST_CASE("a missing file is an I/O error") {
  auto file = ModuleFile::read("/nowhere/x.mgpu");
  REQUIRE(!file);
  CHECK(file.error().code == ErrorCode::Io);
  CHECK(file.error().backendCode == 2);
  CHECK(!ModuleFile::read("/tmp"));
}
