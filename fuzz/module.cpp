// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the runtime's reader of `.mgpu` files: any bytes give an error with a text or checked
// tables whose every string and range can be read. Mutations make the checksums right again, since
// without that nearly all of them would end there.
#include "fuzz/harness.h"
#include "runtime/module_file.h"

#include <cstdlib>
#include <cstring>

using namespace mirgpu;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  fuzz::initialize();
  return 0;
}

/// Makes the checksums of the sections and of the header right where the file has room for them.
static void seal(uint8_t *data, size_t size) {
  mgpu::Header header;
  if (size < sizeof header)
    return;
  std::memcpy(&header, data, sizeof header);
  size_t table = 0;
  for (uint32_t i = 0; i < header.sectionCount; ++i) {
    size_t at = sizeof header + i * sizeof(mgpu::Section);
    if (at + sizeof(mgpu::Section) > size)
      break;
    table += sizeof(mgpu::Section);
    mgpu::Section section;
    std::memcpy(&section, data + at, sizeof section);
    if (section.offset > size || section.size > size - section.offset)
      continue;
    section.checksum = mgpu::fnv1a(data + section.offset, section.size, 0xcbf29ce484222325ull);
    std::memcpy(data + at, &section, sizeof section);
  }
  header.headerChecksum = 0;
  const auto *bytes = reinterpret_cast<const unsigned char *>(&header);
  header.headerChecksum = mgpu::fnv1a(data + sizeof header, table,
                                      mgpu::fnv1a(bytes, sizeof header, 0xcbf29ce484222325ull));
  std::memcpy(data, &header, sizeof header);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  size = LLVMFuzzerMutate(data, size, maxSize);
  mgpu::Header header;
  if (seed % 4 && size >= sizeof header) { // most files tell their size truly
    std::memcpy(&header, data, sizeof header);
    header.fileSize = size;
    std::memcpy(data, &header, sizeof header);
  }
  seal(data, size);
  return size;
}

/// Reads every byte of a text, so that a wrong range is seen.
static uint64_t sum(std::string_view text) {
  uint64_t total = text.size();
  for (char c : text)
    total += static_cast<unsigned char>(c);
  return total;
}

static uint64_t readAll(const runtime::ModuleFile &file) {
  uint64_t total = sum(file.mir()) + file.resources().size();
  for (const runtime::ModuleKernel &kernel : file.kernels()) {
    total += sum(kernel.key) + sum(kernel.entry) + sum(kernel.file);
    for (const runtime::ModuleParam &param : kernel.params)
      total += sum(param.name) + sum(param.typeName) + param.align;
  }
  for (const runtime::ModuleCode &code : file.codes()) {
    total += sum(code.target);
    for (std::byte byte : code.bytes)
      total += static_cast<uint8_t>(byte);
  }
  for (uint32_t i = 0; i <= file.placeCount(); ++i) {
    runtime::ModulePlace place = file.place(i);
    total += sum(place.file) + sum(place.text) + sum(place.function);
  }
  return total;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > fuzz::kMaxInputBytes)
    return -1;
  auto first = reinterpret_cast<const std::byte *>(data);
  auto file = runtime::ModuleFile::parse({first, first + size}, "fuzz.mgpu");
  fuzz::count(bool(file));
  if (!file) {
    if (file.error().message.empty())
      std::abort(); // an error without a text
    return 0;
  }
  [[maybe_unused]] volatile uint64_t total = readAll(*file);
  return 0;
}
