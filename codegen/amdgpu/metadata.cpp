// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an HSACO's NT_AMDGPU_METADATA note (MessagePack; LLVM AMDGPU usage, "Code Object V5
// Metadata") to the resource table: registers, spills, LDS and scratch of each kernel. A kernel
// that the note lacks is an error: the object would not launch.
#include "codegen/codegen.h"

#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELF.h"

using namespace llvm;

namespace mirgpu::codegen {

static constexpr uint32_t kRegisterBytes = 4;

/// The note's description, or an error.
static Expected<StringRef> metadataNote(StringRef hsaco) {
  auto file = object::ELF64LEFile::create(hsaco);
  if (!file)
    return file.takeError();
  auto headers = file->program_headers();
  if (!headers)
    return headers.takeError();
  for (const auto &header : *headers) {
    if (header.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (const auto &note : file->notes(header, error))
      if (note.getName() == "AMDGPU" && note.getType() == ELF::NT_AMDGPU_METADATA) {
        cantFail(std::move(error));
        return note.getDescAsStringRef(header.p_align);
      }
    if (error)
      return std::move(error);
  }
  return createStringError("the HSACO has no kernel metadata");
}

static uint32_t number(msgpack::MapDocNode &kernel, StringRef key) {
  auto it = kernel.find(key);
  if (it == kernel.end() || it->second.getKind() != msgpack::Type::UInt)
    return mgpu::kUnknown;
  return static_cast<uint32_t>(it->second.getUInt());
}

static void fill(KernelResources &resources, msgpack::MapDocNode &kernel) {
  resources.registers = number(kernel, ".vgpr_count");
  resources.scalarRegisters = number(kernel, ".sgpr_count");
  resources.accumulationRegisters = number(kernel, ".agpr_count");
  resources.scalarSpills = number(kernel, ".sgpr_spill_count");
  resources.sharedBytes = number(kernel, ".group_segment_fixed_size");
  resources.localBytes = number(kernel, ".private_segment_fixed_size");
  uint32_t spilled = number(kernel, ".vgpr_spill_count");
  resources.spillBytes = spilled == mgpu::kUnknown ? spilled : spilled * kRegisterBytes;
}

Error readHsacoResources(StringRef hsaco, std::vector<KernelResources> &resources) {
  auto note = metadataNote(hsaco);
  if (!note)
    return note.takeError();
  msgpack::Document document;
  if (!document.readFromBlob(*note, /*Multi=*/false) || !document.getRoot().isMap())
    return createStringError("the HSACO's kernel metadata is malformed");
  msgpack::DocNode &kernels = document.getRoot().getMap()["amdhsa.kernels"];
  if (!kernels.isArray())
    return createStringError("the HSACO's kernel metadata lists no kernels");
  for (KernelResources &wanted : resources) {
    bool found = false;
    for (msgpack::DocNode &node : kernels.getArray()) {
      if (!node.isMap() || node.getMap()[".name"].toString() != wanted.entry)
        continue;
      fill(wanted, node.getMap());
      found = true;
    }
    if (!found)
      return createStringError("the HSACO's kernel metadata lacks `" + wanted.entry + "`");
  }
  return Error::success();
}

} // namespace mirgpu::codegen
