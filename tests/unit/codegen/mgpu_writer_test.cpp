// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A `.mgpu` written from a hand-made LoweredModule, read back here by its structs alone: magic,
// checksums, alignment, tables, code and MIR, and that the same input gives the same bytes.
#include "neutral.h"

#include <cstring>

using namespace mirgpu;
using namespace neutral;

template <class T> static T readAt(const std::string &file, uint64_t offset) {
  REQUIRE(offset + sizeof(T) <= file.size());
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

static uint64_t sum(std::string_view bytes, uint64_t seed = mgpu::fnv1a(nullptr, 0)) {
  return mgpu::fnv1a(reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size(), seed);
}

static lowering::LoweredModule handMade() {
  lowering::LoweredModule lowered;
  lowered.kernels.push_back(
      kernel("saxpy", {param("a", mgpu::ParamKind::Scalar, 4, 4),
                       param("x", mgpu::ParamKind::Slice, 16, 8), launchContext()}));
  lowered.kernels.push_back(kernel("reduce", {param("in", mgpu::ParamKind::Slice, 16, 8)}));
  lowered.kernels[0].canPanic = true;
  lowered.kernels[0].maxThreads = 128;
  lowered.kernels[0].file = "src/lib.rs";
  lowered.kernels[0].line = 12;
  lowered.kernels[1].hasCollective = true;
  lowered.kernels[0].params[1].typeName = "&[f32]";
  lowered.kernels[0].params[1].elementSize = 4;
  lowered.kernels[0].params[1].readOnly = true;
  lowered.kernels[0].params[1].layoutHash = 0x1122334455667788;
  lowered.places = {
      {}, {mgpu::PlaceKind::Collective, "src/lib.rs", "warp::shuffle_xor", "krate::reduce", 20, 5}};
  return lowered;
}

static codegen::TargetCode code(const char *target, std::string bytes, uint32_t shared) {
  codegen::TargetCode made{spec(target), {}};
  made.code.bytes = std::move(bytes);
  made.code.resources.resize(2);
  made.code.resources[1].registers = 40;
  made.code.sharedBytes = {0, shared};
  return made;
}

TEST_CASE("writeModule: header, sections, tables, checksums") {
  auto lowered = handMade();
  std::vector<codegen::TargetCode> codes = {code("sm_90", "ptx text", 64),
                                            code("gfx1100", "hsaco", 96),
                                            code("host:x86-64-v3", "elf", 80)};
  auto written = codegen::writeModule(lowered, codes, "{mir}");
  REQUIRE(static_cast<bool>(written));
  const std::string &file = *written;
  auto again = codegen::writeModule(handMade(), codes, "{mir}");
  REQUIRE(static_cast<bool>(again));
  CHECK(file == *again);

  auto header = readAt<mgpu::Header>(file, 0);
  CHECK(header.magic == mgpu::kMagic);
  CHECK(header.version == mgpu::kVersion);
  CHECK(header.sectionCount == 9);
  CHECK(header.fileSize == file.size());
  mgpu::Header zeroed = header;
  zeroed.headerChecksum = 0;
  std::string_view table(file.data() + sizeof(header), header.sectionCount * sizeof(mgpu::Section));
  CHECK(header.headerChecksum ==
        sum(table, sum({reinterpret_cast<const char *>(&zeroed), sizeof(zeroed)})));

  std::vector<mgpu::Section> sections;
  for (uint32_t i = 0; i < header.sectionCount; ++i) {
    sections.push_back(readAt<mgpu::Section>(file, sizeof(header) + i * sizeof(mgpu::Section)));
    const mgpu::Section &section = sections.back();
    CAPTURE(i);
    CHECK(section.offset % mgpu::kSectionAlign == 0);
    REQUIRE(section.offset + section.size <= file.size());
    CHECK(section.checksum == sum(std::string_view(file).substr(section.offset, section.size)));
  }
  auto text = [&](mgpu::StringRef ref) {
    return file.substr(sections[0].offset + ref.offset, ref.length);
  };
  auto bytes = [&](unsigned i) { return file.substr(sections[i].offset, sections[i].size); };
  CHECK(sections[5].kind == mgpu::SectionKind::Ptx);
  CHECK(text(sections[5].target) == "sm_90");
  CHECK(bytes(5) == "ptx text");
  CHECK(sections[6].kind == mgpu::SectionKind::Hsaco);
  CHECK(sections[7].kind == mgpu::SectionKind::HostObject);
  CHECK(text(sections[7].target) == "host:x86-64-v3");
  CHECK(sections[8].kind == mgpu::SectionKind::Mir);
  CHECK(bytes(8) == "{mir}");

  REQUIRE(sections[1].size == 2 * sizeof(mgpu::Kernel));
  auto saxpyRow = readAt<mgpu::Kernel>(file, sections[1].offset);
  auto reduceRow = readAt<mgpu::Kernel>(file, sections[1].offset + sizeof(mgpu::Kernel));
  CHECK(text(saxpyRow.key) == "test::saxpy");
  CHECK(text(saxpyRow.entry) == "saxpy");
  CHECK(text(saxpyRow.file) == "src/lib.rs");
  CHECK(saxpyRow.paramCount == 3);
  CHECK(saxpyRow.flags == mgpu::kCanPanic);
  CHECK(saxpyRow.maxThreads == 128);
  CHECK(reduceRow.firstParam == 3);
  CHECK(reduceRow.flags == mgpu::kHasCollective);
  CHECK(reduceRow.staticSharedBytes == 96);
  REQUIRE(sections[2].size == 4 * sizeof(mgpu::Param));
  auto x = readAt<mgpu::Param>(file, sections[2].offset + sizeof(mgpu::Param));
  CHECK(text(x.typeName) == "&[f32]");
  CHECK(x.kind == mgpu::ParamKind::Slice);
  CHECK(x.readOnly == 1);
  CHECK(x.layoutHash == 0x1122334455667788);
  auto place = readAt<mgpu::Place>(file, sections[3].offset + sizeof(mgpu::Place));
  CHECK(place.kind == mgpu::PlaceKind::Collective);
  CHECK(text(place.text) == "warp::shuffle_xor");
  CHECK(place.line == 20);
  REQUIRE(sections[4].size == 6 * sizeof(mgpu::Resource));
  auto resource = readAt<mgpu::Resource>(file, sections[4].offset + 3 * sizeof(mgpu::Resource));
  CHECK(resource.kernel == 1);
  CHECK(resource.section == 6);
  CHECK(resource.registers == 40);
  CHECK(resource.spillBytes == mgpu::kUnknown);
}

TEST_CASE("writeModule: statics have a table of their own, before the code that resources name") {
  auto lowered = handMade();
  lowered.statics = {{"test::COEFFS", "test$$COEFFS", "ConstantMemory<[f32;4]>", "f32", 16, 4, 8,
                      /*isConstant=*/true}};
  auto written = codegen::writeModule(lowered, {code("sm_90", "ptx text", 64)}, "");
  REQUIRE(static_cast<bool>(written));
  const std::string &file = *written;
  auto section = [&](unsigned i) {
    return readAt<mgpu::Section>(file, sizeof(mgpu::Header) + i * sizeof(mgpu::Section));
  };
  auto text = [&](mgpu::StringRef ref) {
    return file.substr(section(0).offset + ref.offset, ref.length);
  };
  CHECK(section(5).kind == mgpu::SectionKind::Globals);
  REQUIRE(section(5).size == sizeof(mgpu::Global));
  auto row = readAt<mgpu::Global>(file, section(5).offset);
  CHECK(text(row.key) == "test::COEFFS");
  CHECK(text(row.symbol) == "test$$COEFFS");
  CHECK(text(row.elementName) == "f32");
  CHECK(row.size == 16);
  CHECK(row.align == 8);
  CHECK(row.elementSize == 4);
  CHECK(row.flags == mgpu::kConstant);
  CHECK(readAt<mgpu::Resource>(file, section(4).offset).section == 6);
  CHECK(section(6).kind == mgpu::SectionKind::Ptx);
}

TEST_CASE("writeModule: code for other kernels is refused") {
  auto bad = code("sm_90", "ptx", 0);
  bad.code.resources.resize(1);
  auto written = codegen::writeModule(handMade(), {bad}, "");
  REQUIRE_FALSE(static_cast<bool>(written));
  CHECK(contains(llvm::toString(written.takeError()), "sm_90"));
}
