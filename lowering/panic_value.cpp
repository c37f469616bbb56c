// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See panic_value.h: constants and constant memory as known values. Bytes with undef are unknown; a
// pointer-sized field is a pointer exactly if a relocation stands there.
#include "lowering/panic_value.h"

#include "lowering/panic_names.h"
#include "mir_reader/query.h"
#include "support/match.h"

namespace mirgpu::lowering {

using namespace mir;

static TypeId findArgumentsType(const Program &program) {
  for (const Function &function : program.functions)
    if (const PanicEntry *entry = findPanicEntry(function);
        entry && entry->source == PanicSource::Arguments && !function.inputs.empty())
      return function.inputs[0];
  return {};
}

ValuePool::ValuePool(const Program &program)
    : program_(program), argumentsType_(findArgumentsType(program)) {}

const AllocMemory *ValuePool::memoryOf(AllocId alloc) const {
  if (!program_.allocs.contains(alloc))
    return nullptr;
  const AllocMemory *memory = std::get_if<AllocMemory>(&program_.allocs[alloc]);
  return memory && !memory->isMutable ? memory : nullptr;
}

std::optional<std::string> ValuePool::text(AllocId alloc, uint64_t offset, uint64_t length) const {
  const AllocMemory *memory = memoryOf(alloc);
  if (!memory || offset > memory->bytes.size() || length > memory->bytes.size() - offset ||
      !memory->undef.empty())
    return std::nullopt;
  return std::string(memory->bytes.begin() + offset, memory->bytes.begin() + offset + length);
}

static std::optional<u128> readBits(const AllocMemory &memory, uint64_t offset, uint64_t size) {
  if (size > 16 || offset > memory.bytes.size() || size > memory.bytes.size() - offset)
    return std::nullopt;
  for (const ByteRange &range : memory.undef)
    if (range.start < offset + size && offset < range.end)
      return std::nullopt;
  u128 bits = 0;
  for (uint64_t i = size; i-- > 0;)
    bits = bits << 8 | memory.bytes[offset + i];
  return bits;
}

static const Reloc *relocAt(const AllocMemory &memory, uint64_t offset) {
  for (const Reloc &reloc : memory.relocs)
    if (reloc.offset == offset)
      return &reloc;
  return nullptr;
}

/// Whether a reference to `ty` is better known by what it refers to than by where: all but bytes
/// that are read as text.
static bool isFollowed(const Program &program, TypeId ty) {
  return isKind<TyPointer>(program, ty) || isKind<TyAdt>(program, ty) ||
         isKind<TyTuple>(program, ty);
}

Known ValuePool::memoryPointer(AllocId alloc, uint64_t offset, TypeId ty) {
  const AllocMemory *memory = memoryOf(alloc);
  const std::optional<u128> address = readBits(*memory, offset, 8);
  if (!address)
    return nullptr;
  const Reloc *reloc = relocAt(*memory, offset);
  if (!reloc)
    return make(KnownScalar{*address});
  KnownPointer pointer{reloc->target, uint64_t(*address), std::nullopt};
  const TypeId pointee = pointeeOf(program_, ty);
  const Metadata metadata = metadataOf(program_, pointee);
  if (metadata == Metadata::Vtable)
    return nullptr;
  if (metadata == Metadata::Length) {
    const std::optional<u128> length = readBits(*memory, offset + 8, 8);
    if (!length)
      return nullptr;
    pointer.length = uint64_t(*length);
  } else if (isFollowed(program_, pointee)) {
    if (Known target = this->memory(reloc->target, pointer.offset, pointee))
      return make(KnownRef{target});
  }
  return make(pointer);
}

Known ValuePool::memoryFields(AllocId alloc, uint64_t offset, TypeId ty, uint32_t variant) {
  const Type &type = program_.types[ty];
  if (variant >= type.variants.size())
    return nullptr;
  KnownAggregate aggregate{ty, variant, {}};
  for (const Field &field : type.variants[variant].fields)
    aggregate.fields.push_back(memory(alloc, offset + field.offset, field.ty));
  return make(std::move(aggregate));
}

static std::optional<uint32_t> nicheVariant(const EncodingNiche &niche, u128 tag) {
  const u128 mask = niche.tag.bits >= 128 ? ~u128(0) : (u128(1) << niche.tag.bits) - 1;
  const u128 relative = (tag - niche.nicheStart) & mask;
  return relative <= u128(niche.endVariant - niche.startVariant)
             ? niche.startVariant + uint32_t(relative)
             : niche.untagged;
}

static std::optional<uint32_t> directVariant(const Type &type, u128 tag) {
  for (uint32_t i = 0; i < type.variants.size(); ++i)
    if (type.variants[i].discr == tag)
      return i;
  return std::nullopt;
}

Known ValuePool::memoryEnum(AllocId alloc, uint64_t offset, TypeId ty) {
  const Type &type = program_.types[ty];
  const AllocMemory &memory = *memoryOf(alloc);
  const auto variant = match(
      type.encoding, [](const EncodingSingle &e) -> std::optional<uint32_t> { return e.variant; },
      [](const EncodingEmpty &) -> std::optional<uint32_t> { return std::nullopt; },
      [&](const EncodingDirect &e) -> std::optional<uint32_t> {
        const auto tag = readBits(memory, offset + e.tagOffset, e.tag.bits / 8);
        return tag ? directVariant(type, *tag) : std::nullopt;
      },
      [&](const EncodingNiche &e) -> std::optional<uint32_t> {
        if (relocAt(memory, offset + e.tagOffset))
          return e.untagged;
        const auto tag = readBits(memory, offset + e.tagOffset, (e.tag.bits + 7) / 8);
        return tag ? nicheVariant(e, *tag) : std::nullopt;
      });
  return variant ? memoryFields(alloc, offset, ty, *variant) : nullptr;
}

Known ValuePool::memory(AllocId alloc, uint64_t offset, TypeId ty) {
  if (memoryDepth_ >= kMaxMemoryDepth || !mayStep())
    return nullptr;
  ++memoryDepth_;
  const Known value = memoryAt(alloc, offset, ty);
  --memoryDepth_;
  return value;
}

Known ValuePool::memoryAt(AllocId alloc, uint64_t offset, TypeId ty) {
  const AllocMemory *bytes = memoryOf(alloc);
  const Type &type = program_.types[ty];
  if (!bytes || !isSized(type) || offset > bytes->bytes.size() ||
      type.size > bytes->bytes.size() - offset)
    return nullptr;
  if (std::holds_alternative<TyPointer>(type.kind))
    return memoryPointer(alloc, offset, ty);
  if (std::holds_alternative<TyPattern>(type.kind))
    return memory(alloc, offset, std::get<TyPattern>(type.kind).base);
  if (const auto *adt = std::get_if<TyAdt>(&type.kind)) {
    if (adt->kind == AdtKind::Union)
      return nullptr;
    return adt->kind == AdtKind::Enum ? memoryEnum(alloc, offset, ty)
                                      : memoryFields(alloc, offset, ty, 0);
  }
  if (std::holds_alternative<TyTuple>(type.kind))
    return memoryFields(alloc, offset, ty, 0);
  if (scalarOf(type) && !relocAt(*bytes, offset))
    if (const auto bits = readBits(*bytes, offset, type.size))
      return make(KnownScalar{*bits});
  return nullptr;
}

Known ValuePool::constant(const Constant &constant) {
  return match(
      constant.value,
      [&](const ConstZst &) -> Known { return make(KnownAggregate{constant.ty, 0, {}}); },
      [&](const ConstScalar &c) -> Known { return make(KnownScalar{c.bits}); },
      [&](const ConstPtr &c) -> Known {
        const TypeId pointee = pointeeOf(program_, constant.ty);
        if (pointee.isValid() && isFollowed(program_, pointee))
          if (Known target = memory(c.alloc, c.offset, pointee))
            return make(KnownRef{target});
        return make(KnownPointer{c.alloc, c.offset, std::nullopt});
      },
      [&](const ConstSlice &c) -> Known { return make(KnownPointer{c.alloc, 0, c.length}); },
      [&](const ConstIndirect &c) -> Known { return memory(c.alloc, c.offset, constant.ty); },
      [](const ConstUndef &) -> Known { return nullptr; });
}

std::optional<uint32_t> ValuePool::variantOf(Known value, TypeId ty) const {
  if (const auto *aggregate = knownAs<KnownAggregate>(value))
    return aggregate->ty == ty ? std::optional(aggregate->variant) : std::nullopt;
  const Type &type = program_.types[ty];
  const auto *scalar = knownAs<KnownScalar>(value);
  if (!scalar || !scalarOf(type))
    return std::nullopt;
  if (const auto *direct = std::get_if<EncodingDirect>(&type.encoding))
    return directVariant(
        type,
        scalar->bits & (direct->tag.bits >= 128 ? ~u128(0) : (u128(1) << direct->tag.bits) - 1));
  if (const auto *niche = std::get_if<EncodingNiche>(&type.encoding))
    return nicheVariant(*niche, scalar->bits);
  return std::nullopt;
}

} // namespace mirgpu::lowering
