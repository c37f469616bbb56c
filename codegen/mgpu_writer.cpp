// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From kernels, parameters, places and each target's code to the bytes of a `.mgpu`
// (support/mgpu_format.h). The tables come first, then the code sections in the order given, then
// the MIR. Invariant: the same input gives the same bytes; each distinct string is stored once;
// every section starts at a multiple of kSectionAlign.
#include "codegen/codegen.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <type_traits>

using namespace llvm;

namespace mirgpu::codegen {

using lowering::LoweredKernel;
using lowering::LoweredModule;
using lowering::LoweredParam;

static uint64_t checksum(StringRef bytes, uint64_t seed = mgpu::fnv1a(nullptr, 0)) {
  return mgpu::fnv1a(reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size(), seed);
}

template <class T> static void append(std::string &bytes, const T &value) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char *>(&value), sizeof(T));
}

namespace {
/// The Strings section as it grows.
class StringTable {
public:
  mgpu::StringRef add(StringRef text) {
    if (text.empty())
      return {0, 0};
    auto [it, isNew] =
        known_.try_emplace(text, mgpu::StringRef{static_cast<uint32_t>(bytes_.size()),
                                                 static_cast<uint32_t>(text.size())});
    if (isNew)
      bytes_ += text;
    return it->second;
  }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
  StringMap<mgpu::StringRef> known_;
};

struct PendingSection {
  mgpu::SectionKind kind;
  mgpu::StringRef target;
  std::string owned;
  StringRef view;
  StringRef bytes() const { return owned.empty() ? view : StringRef(owned); }
};
} // namespace

static mgpu::SectionKind codeKind(Backend backend) {
  switch (backend) {
  case Backend::Nvptx:
    return mgpu::SectionKind::Ptx;
  case Backend::Amdgpu:
    return mgpu::SectionKind::Hsaco;
  case Backend::Host:
    return mgpu::SectionKind::HostObject;
  }
  llvm_unreachable("covered");
}

static mgpu::Param paramRow(const LoweredParam &param, StringTable &strings) {
  mgpu::Param row{};
  row.name = strings.add(param.name);
  row.typeName = strings.add(param.typeName);
  row.kind = param.kind;
  row.align = param.align;
  row.size = param.size;
  row.elementSize = param.elementSize;
  row.elementAlign = param.elementAlign;
  row.readOnly = param.readOnly;
  row.layoutHash = param.layoutHash;
  return row;
}

static mgpu::Kernel kernelRow(const LoweredKernel &kernel, uint32_t firstParam,
                              uint32_t staticShared, StringTable &strings) {
  mgpu::Kernel row{};
  row.key = strings.add(kernel.key);
  row.entry = strings.add(kernel.entry);
  row.firstParam = firstParam;
  row.paramCount = static_cast<uint32_t>(kernel.params.size());
  row.flags = (kernel.hasCollective ? mgpu::kHasCollective : 0u) |
              (kernel.canPanic ? mgpu::kCanPanic : 0u) |
              (kernel.usesDynamicShared ? mgpu::kUsesDynamicShared : 0u) |
              (kernel.usesHeap ? mgpu::kUsesHeap : 0u);
  row.maxThreads = kernel.maxThreads;
  row.minBlocks = kernel.minBlocks;
  row.staticSharedBytes = staticShared;
  row.file = strings.add(kernel.file);
  row.line = kernel.line;
  return row;
}

static std::string placesBytes(const LoweredModule &lowered, StringTable &strings) {
  std::string bytes;
  for (const lowering::PlaceEntry &place : lowered.places) {
    mgpu::Place row{};
    row.kind = place.kind;
    row.line = place.line;
    row.column = place.column;
    row.file = strings.add(place.file);
    row.text = strings.add(place.text);
    row.function = strings.add(place.function);
    append(bytes, row);
  }
  return bytes;
}

static std::string globalsBytes(const LoweredModule &lowered, StringTable &strings) {
  std::string bytes;
  for (const lowering::LoweredStatic &item : lowered.statics) {
    mgpu::Global row{};
    row.key = strings.add(item.key);
    row.symbol = strings.add(item.symbol);
    row.typeName = strings.add(item.typeName);
    row.elementName = strings.add(item.elementName);
    row.size = item.size;
    row.align = item.align;
    row.elementSize = static_cast<uint32_t>(item.elementSize);
    row.flags = item.isConstant ? mgpu::kConstant : 0u;
    append(bytes, row);
  }
  return bytes;
}

static mgpu::Resource resourceRow(const KernelResources &resources, uint32_t kernel,
                                  uint32_t section) {
  mgpu::Resource row{};
  row.kernel = kernel;
  row.section = section;
  row.registers = resources.registers;
  row.scalarRegisters = resources.scalarRegisters;
  row.spillBytes = resources.spillBytes;
  row.sharedBytes = resources.sharedBytes;
  row.localBytes = resources.localBytes;
  return row;
}

/// Header, section table and sections, laid out.
static std::string assemble(ArrayRef<PendingSection> sections) {
  std::vector<mgpu::Section> table;
  uint64_t offset = sizeof(mgpu::Header) + sections.size() * sizeof(mgpu::Section);
  for (const PendingSection &section : sections) {
    offset = alignTo(offset, mgpu::kSectionAlign);
    table.push_back({section.kind, section.target, 0, offset, section.bytes().size(),
                     checksum(section.bytes())});
    offset += section.bytes().size();
  }
  mgpu::Header header{};
  header.magic = mgpu::kMagic;
  header.version = mgpu::kVersion;
  header.sectionCount = static_cast<uint32_t>(sections.size());
  header.fileSize = offset;
  StringRef tableBytes(reinterpret_cast<const char *>(table.data()),
                       table.size() * sizeof(mgpu::Section));
  header.headerChecksum = checksum(
      tableBytes, checksum(StringRef(reinterpret_cast<const char *>(&header), sizeof(header))));
  std::string file;
  file.reserve(offset);
  append(file, header);
  file += tableBytes;
  for (size_t i = 0; i < sections.size(); ++i) {
    file.resize(table[i].offset, '\0');
    file += sections[i].bytes();
  }
  return file;
}

/// Static shared bytes of kernel `index`: the most that any target lays out.
static uint32_t staticShared(const std::vector<TargetCode> &codes, size_t index) {
  uint32_t bytes = 0;
  for (const TargetCode &code : codes)
    if (index < code.code.sharedBytes.size())
      bytes = std::max(bytes, code.code.sharedBytes[index]);
  return bytes;
}

Expected<std::string> writeModule(const LoweredModule &lowered,
                                  const std::vector<TargetCode> &codes, StringRef mir) {
  const uint32_t tables = lowered.statics.empty() ? 5 : 6;
  StringTable strings;
  std::string kernels, params, resources;
  uint32_t firstParam = 0;
  for (size_t k = 0; k < lowered.kernels.size(); ++k) {
    const LoweredKernel &kernel = lowered.kernels[k];
    append(kernels, kernelRow(kernel, firstParam, staticShared(codes, k), strings));
    for (const LoweredParam &param : kernel.params)
      append(params, paramRow(param, strings));
    firstParam += static_cast<uint32_t>(kernel.params.size());
  }
  std::string places = placesBytes(lowered, strings);
  std::string globals = globalsBytes(lowered, strings);
  std::vector<PendingSection> codeSections;
  for (const TargetCode &code : codes) {
    if (code.code.resources.size() != lowered.kernels.size())
      return createStringError("code for " + code.spec.name + " has other kernels than the module");
    uint32_t section = tables + static_cast<uint32_t>(codeSections.size());
    for (size_t k = 0; k < lowered.kernels.size(); ++k)
      append(resources, resourceRow(code.code.resources[k], static_cast<uint32_t>(k), section));
    codeSections.push_back(
        {codeKind(code.spec.backend), strings.add(code.spec.name), "", code.code.bytes});
  }
  if (!mir.empty())
    codeSections.push_back({mgpu::SectionKind::Mir, {0, 0}, "", mir});
  std::vector<PendingSection> sections;
  sections.push_back({mgpu::SectionKind::Strings, {0, 0}, strings.take(), ""});
  sections.push_back({mgpu::SectionKind::Kernels, {0, 0}, std::move(kernels), ""});
  sections.push_back({mgpu::SectionKind::Params, {0, 0}, std::move(params), ""});
  sections.push_back({mgpu::SectionKind::Places, {0, 0}, std::move(places), ""});
  sections.push_back({mgpu::SectionKind::Resources, {0, 0}, std::move(resources), ""});
  if (!globals.empty())
    sections.push_back({mgpu::SectionKind::Globals, {0, 0}, std::move(globals), ""});
  sections.insert(sections.end(), codeSections.begin(), codeSections.end());
  return assemble(sections);
}

} // namespace mirgpu::codegen
