// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant data and vtables as globals. The bytes of an alloc become one global of
// exactly that many bytes: a byte array, or, where it holds pointers, a packed struct of byte
// arrays and pointers; code addresses it by byte offsets alone. Read-only memory is a private
// `unnamed_addr` constant in the target's global space, and every address is handed out cast to the
// generic space. Statics are in statics.cpp.
#include "lowering/globals.h"
#include "support/check.h"
#include "support/match.h"

#include "llvm/IR/Constants.h"

#include <algorithm>

namespace mirgpu::lowering {

static constexpr uint64_t kPointerBytes = 8;
/// An initialiser is split at undef bytes only while that keeps it short.
static constexpr size_t kMaxChunks = 32;

namespace {
/// A run of bytes that is data, undef, or one pointer.
struct Chunk {
  enum class Kind : uint8_t { Data, Undef, Pointer } kind;
  uint64_t start, end;
  mir::AllocId target;
};
} // namespace

static std::vector<Chunk> pointerChunks(const mir::AllocMemory &memory) {
  std::vector<mir::Reloc> relocs = memory.relocs;
  std::ranges::sort(relocs, {}, &mir::Reloc::offset);
  std::vector<Chunk> chunks;
  uint64_t at = 0;
  for (const mir::Reloc &reloc : relocs) {
    if (reloc.offset > at)
      chunks.push_back({Chunk::Kind::Data, at, reloc.offset, {}});
    chunks.push_back(
        {Chunk::Kind::Pointer, reloc.offset, reloc.offset + kPointerBytes, reloc.target});
    at = reloc.offset + kPointerBytes;
  }
  if (at < memory.bytes.size() || chunks.empty())
    chunks.push_back({Chunk::Kind::Data, at, memory.bytes.size(), {}});
  return chunks;
}

/// Splits the data chunks at undef ranges.
static std::vector<Chunk> splitUndef(const mir::AllocMemory &memory,
                                     const std::vector<Chunk> &chunks) {
  std::vector<Chunk> result;
  for (const Chunk &chunk : chunks) {
    if (chunk.kind != Chunk::Kind::Data) {
      result.push_back(chunk);
      continue;
    }
    uint64_t at = chunk.start;
    for (const mir::ByteRange &range : memory.undef) {
      const uint64_t start = std::max(range.start, at), end = std::min(range.end, chunk.end);
      if (start >= end)
        continue;
      if (start > at)
        result.push_back({Chunk::Kind::Data, at, start, {}});
      result.push_back({Chunk::Kind::Undef, start, end, {}});
      at = end;
    }
    if (at < chunk.end)
      result.push_back({Chunk::Kind::Data, at, chunk.end, {}});
  }
  return result;
}

static std::vector<Chunk> chunksOf(const mir::AllocMemory &memory) {
  std::vector<Chunk> chunks = pointerChunks(memory);
  if (memory.undef.empty() || memory.undef.size() > kMaxChunks)
    return chunks;
  std::vector<Chunk> split = splitUndef(memory, chunks);
  return split.empty() ? chunks : split;
}

static llvm::Type *chunksType(const ModuleContext &mc, const std::vector<Chunk> &chunks) {
  std::vector<llvm::Type *> types;
  for (const Chunk &chunk : chunks)
    types.push_back(
        chunk.kind == Chunk::Kind::Pointer
            ? static_cast<llvm::Type *>(mc.pointerType())
            : llvm::ArrayType::get(llvm::Type::getInt8Ty(mc.context), chunk.end - chunk.start));
  if (types.size() == 1)
    return types.front();
  return llvm::StructType::get(mc.context, types, /*isPacked=*/true);
}

llvm::Type *initializerType(const ModuleContext &mc, const mir::AllocMemory &memory) {
  return chunksType(mc, chunksOf(memory));
}

static uint64_t littleEndian(const mir::AllocMemory &memory, uint64_t offset, uint64_t size) {
  uint64_t value = 0;
  for (uint64_t i = size; i-- > 0;)
    value = value << 8 | memory.bytes[offset + i];
  return value;
}

llvm::Constant *ModuleContext::initializer(const mir::AllocMemory &memory) {
  const std::vector<Chunk> chunks = chunksOf(memory);
  std::vector<llvm::Constant *> parts;
  for (const Chunk &chunk : chunks) {
    auto *bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(context), chunk.end - chunk.start);
    switch (chunk.kind) {
    case Chunk::Kind::Data: {
      const llvm::ArrayRef<uint8_t> data(memory.bytes.data() + chunk.start,
                                         chunk.end - chunk.start);
      parts.push_back(llvm::all_of(data, [](uint8_t b) { return b == 0; })
                          ? llvm::ConstantAggregateZero::get(bytes)
                          : llvm::ConstantDataArray::get(context, data));
      break;
    }
    case Chunk::Kind::Undef:
      parts.push_back(llvm::UndefValue::get(bytes));
      break;
    case Chunk::Kind::Pointer: {
      llvm::Constant *address =
          allocAddress(chunk.target, littleEndian(memory, chunk.start, kPointerBytes));
      if (!address) {
        error(requester_, "MG0101",
              "a constant that holds the address of shared memory is not supported",
              requesterSpan_);
        address = llvm::ConstantPointerNull::get(pointerType());
      }
      parts.push_back(address);
      break;
    }
    }
  }
  if (parts.size() == 1)
    return parts.front();
  return llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(chunksType(*this, chunks)), parts);
}

void ModuleContext::initialize(
    llvm::GlobalVariable *global,
    std::variant<const mir::AllocMemory *, const mir::Vtable *> content) {
  uninitialized_.emplace_back(global, content);
  if (isInitializing_)
    return;
  isInitializing_ = true;
  while (!uninitialized_.empty()) {
    const auto [next, from] = uninitialized_.back();
    uninitialized_.pop_back();
    next->setInitializer(match(from, [&](const auto *thing) { return initializer(*thing); }));
  }
  isInitializing_ = false;
}

llvm::GlobalVariable *makeGlobal(ModuleContext &mc, llvm::Type *type, bool isConstant,
                                 uint64_t align, MemorySpace space,
                                 llvm::GlobalValue::LinkageTypes linkage, const std::string &name) {
  auto *global =
      new llvm::GlobalVariable(mc.module, type, isConstant, linkage, nullptr, name, nullptr,
                               llvm::GlobalValue::NotThreadLocal, mc.target.addressSpace(space));
  global->setAlignment(llvm::Align(align));
  if (isConstant && linkage == llvm::GlobalValue::PrivateLinkage)
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return global;
}

llvm::GlobalVariable *ModuleContext::memoryGlobal(mir::AllocId id) {
  llvm::GlobalVariable *&slot = allocs_[id.index];
  if (slot)
    return slot;
  const auto &memory = std::get<mir::AllocMemory>(program.allocs[id]);
  slot = makeGlobal(
      *this, initializerType(*this, memory), !memory.isMutable, memory.align, MemorySpace::Global,
      memory.isMutable ? llvm::GlobalValue::InternalLinkage : llvm::GlobalValue::PrivateLinkage,
      uniqueName("mirgpu_alloc_" + std::to_string(id.index)));
  initialize(slot, &memory);
  return slot;
}

llvm::Constant *ModuleContext::toGeneric(llvm::Constant *pointer) const {
  return pointer->getType() == pointerType()
             ? pointer
             : llvm::ConstantExpr::getAddrSpaceCast(pointer, pointerType());
}

llvm::Constant *ModuleContext::allocAddress(mir::AllocId id, uint64_t offset) {
  llvm::Constant *base = match(
      program.allocs[id],
      [&](const mir::AllocMemory &memory) -> llvm::Constant * {
        if (!memory.bytes.empty())
          return toGeneric(memoryGlobal(id));
        // Nothing lies there: any aligned address but null does.
        return llvm::ConstantExpr::getIntToPtr(usize(memory.align), pointerType());
      },
      [&](const mir::AllocFunction &alloc) -> llvm::Constant * {
        return toGeneric(function(alloc.function, requester_, requesterSpan_));
      },
      [&](const mir::AllocStatic &alloc) -> llvm::Constant * {
        return isShared(alloc.target) ? nullptr : toGeneric(staticGlobal(alloc.target));
      },
      [&](const mir::AllocVtable &alloc) { return vtableAddress(alloc.vtable); });
  if (!base || offset == 0)
    return base;
  return llvm::ConstantExpr::getGetElementPtr(llvm::Type::getInt8Ty(context), base,
                                              llvm::ArrayRef<llvm::Constant *>(usize(offset)));
}

static bool isPointerSlot(const mir::VtableEntry &entry) {
  return !std::holds_alternative<mir::VtableSize>(entry) &&
         !std::holds_alternative<mir::VtableAlign>(entry);
}

/// Slots of eight bytes each: drop glue or null, size, align, methods, pointers to supertraits'
/// vtables.
llvm::Constant *ModuleContext::vtableAddress(mir::VtableId id) {
  llvm::GlobalVariable *&slot = vtables_[id.index];
  if (slot)
    return toGeneric(slot);
  const mir::Vtable &vtable = program.vtables[id];
  std::vector<llvm::Type *> types;
  for (const mir::VtableEntry &entry : vtable.entries)
    types.push_back(isPointerSlot(entry) ? static_cast<llvm::Type *>(pointerType()) : usizeType());
  slot = makeGlobal(*this, llvm::StructType::get(context, types, /*isPacked=*/true), true,
                    kPointerBytes, MemorySpace::Global, llvm::GlobalValue::PrivateLinkage,
                    uniqueName("mirgpu_vtable_" + std::to_string(id.index)));
  initialize(slot, &vtable);
  return toGeneric(slot);
}

llvm::Constant *ModuleContext::initializer(const mir::Vtable &vtable) {
  std::vector<llvm::Constant *> slots;
  auto null = llvm::ConstantPointerNull::get(pointerType());
  auto address = [&](mir::FunctionId f) {
    return toGeneric(function(f, requester_, requesterSpan_));
  };
  for (const mir::VtableEntry &entry : vtable.entries)
    slots.push_back(match(
        entry,
        [&](const mir::VtableDrop &drop) -> llvm::Constant * {
          return drop.function.isValid() ? address(drop.function) : null;
        },
        [&](const mir::VtableSize &size) -> llvm::Constant * { return usize(size.size); },
        [&](const mir::VtableAlign &align) -> llvm::Constant * { return usize(align.align); },
        [&](const mir::VtableMethod &method) -> llvm::Constant * {
          return address(method.function);
        },
        [&](const mir::VtableVacant &) -> llvm::Constant * { return null; },
        [&](const mir::VtableSuper &super) -> llvm::Constant * {
          return vtableAddress(super.vtable);
        }));
  return llvm::ConstantStruct::getAnon(context, slots, /*Packed=*/true);
}

std::optional<mir::u128> ModuleContext::readBytes(mir::AllocId id, uint64_t offset,
                                                  uint64_t size) const {
  const auto *memory = std::get_if<mir::AllocMemory>(&program.allocs[id]);
  if (!memory || size > 16 || offset > memory->bytes.size() || size > memory->bytes.size() - offset)
    return std::nullopt;
  auto overlaps = [&](uint64_t start, uint64_t end) {
    return start < offset + size && end > offset;
  };
  if (llvm::any_of(memory->undef,
                   [&](const mir::ByteRange &r) { return overlaps(r.start, r.end); }) ||
      llvm::any_of(memory->relocs, [&](const mir::Reloc &r) {
        return overlaps(r.offset, r.offset + kPointerBytes);
      }))
    return std::nullopt;
  mir::u128 value = 0;
  for (uint64_t i = size; i-- > 0;)
    value = value << 8 | memory->bytes[offset + i];
  return value;
}

std::optional<mir::ConstPtr> ModuleContext::readPointer(mir::AllocId id, uint64_t offset) const {
  const auto *memory = std::get_if<mir::AllocMemory>(&program.allocs[id]);
  if (!memory)
    return std::nullopt;
  for (const mir::Reloc &reloc : memory->relocs)
    if (reloc.offset == offset)
      return mir::ConstPtr{reloc.target, littleEndian(*memory, offset, kPointerBytes)};
  return std::nullopt;
}

llvm::Constant *ModuleContext::textAddress(std::string_view text) {
  llvm::Constant *&slot = texts_[llvm::StringRef(text.data(), text.size())];
  if (slot)
    return slot;
  llvm::Constant *data = llvm::ConstantDataArray::get(
      context, llvm::ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  llvm::GlobalVariable *global =
      makeGlobal(*this, data->getType(), true, 1, MemorySpace::Global,
                 llvm::GlobalValue::PrivateLinkage, uniqueName("mirgpu_text"));
  global->setInitializer(data);
  return slot = toGeneric(global);
}

} // namespace mirgpu::lowering
