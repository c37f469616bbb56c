// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of allocs, statics, vtables and constants: ranges and relocations inside their bytes,
// sorted and apart, and constants that fit their types.
#include "mir_reader/verifier.h"
#include "mir_reader/verify_context.h"

#include "support/match.h"

namespace mirgpu::mir {

static constexpr uint64_t kPointerBytes = 8;

// ---- Allocs
// ---------------------------------------------------------------------------------------

static void verifyUndef(Verifier &v, const AllocMemory &memory) {
  uint64_t last = 0;
  for (size_t i = 0; i < memory.undef.size(); ++i) {
    Verifier::At at(v, "undef", i);
    const ByteRange &range = memory.undef[i];
    v.check(range.start >= last && range.start < range.end && range.end <= memory.bytes.size(),
            "undefined ranges must be sorted, apart and inside the bytes");
    last = range.end;
  }
}

static void verifyRelocs(Verifier &v, const AllocMemory &memory) {
  uint64_t last = 0, size = memory.bytes.size();
  auto undef = memory.undef.begin();
  for (size_t i = 0; i < memory.relocs.size() && !v.failed(); ++i) {
    Verifier::At at(v, "relocs", i);
    const Reloc &reloc = memory.relocs[i];
    v.alloc(reloc.target);
    bool fits =
        reloc.offset >= last && size >= kPointerBytes && reloc.offset <= size - kPointerBytes;
    if (!v.check(fits, "relocations must be sorted, apart and inside the bytes"))
      return;
    last = reloc.offset + kPointerBytes;
    while (undef != memory.undef.end() && undef->end <= reloc.offset)
      ++undef;
    v.check(undef == memory.undef.end() || undef->start >= last,
            "a relocation lies on undefined bytes");
  }
}

static void verifyMemory(Verifier &v, const AllocMemory &memory) {
  v.check(isPowerOfTwo(memory.align) && memory.align <= kMaxAlign,
          "the alignment must be a power of two of at most 2^29");
  verifyUndef(v, memory);
  if (!v.failed())
    verifyRelocs(v, memory);
}

void verifyAllocs(Verifier &v) {
  for (uint32_t i = 0; i < v.program.allocs.size() && !v.failed(); ++i) {
    Verifier::At at(v, "allocs", i);
    match(
        v.program.allocs[AllocId(i)], [&](const AllocMemory &memory) { verifyMemory(v, memory); },
        [&](const AllocFunction &alloc) { v.function(alloc.function); },
        [&](const AllocStatic &alloc) { v.inRange(v.program.statics, alloc.target, "static"); },
        [&](const AllocVtable &alloc) { v.inRange(v.program.vtables, alloc.vtable, "vtable"); });
  }
}

/// The alloc's memory; null, with an error, if it is not memory.
static const AllocMemory *memoryOf(Verifier &v, AllocId alloc) {
  if (!v.alloc(alloc))
    return nullptr;
  const auto *memory = std::get_if<AllocMemory>(&v.program.allocs[alloc]);
  v.check(memory, "alloc " + llvm::Twine(alloc.index) + " must be memory");
  return memory;
}

// ---- Statics
// --------------------------------------------------------------------------------------

static void verifyStatic(Verifier &v, const Static &object) {
  v.span(object.span);
  if (!v.type(object.ty))
    return;
  v.check(isPowerOfTwo(object.align) && object.align <= kMaxAlign,
          "the alignment must be a power of two of at most 2^29");
  v.check(object.isExtern == !object.init.isValid(),
          "a static must be extern or have an initializer");
  if (!object.init.isValid())
    return;
  const Type &type = v.program.types[object.ty];
  const AllocMemory *memory = memoryOf(v, object.init);
  v.check(isSized(type) && memory && memory->bytes.size() == type.size,
          "the initializer must have the size of the static's type");
}

void verifyStatics(Verifier &v) {
  for (uint32_t i = 0; i < v.program.statics.size() && !v.failed(); ++i) {
    Verifier::At at(v, "statics", i);
    verifyStatic(v, v.program.statics[StaticId(i)]);
  }
}

// ---- Vtables
// --------------------------------------------------------------------------------------

/// Entries 0 to 2 are drop, size and align of the type.
static void verifyVtableHead(Verifier &v, const Vtable &vtable) {
  const std::vector<VtableEntry> &entries = vtable.entries;
  const Type &type = v.program.types[vtable.ty];
  if (!v.check(entries.size() >= 3 && isSized(type), "a vtable must begin with drop, size, align"))
    return;
  const auto *size = std::get_if<VtableSize>(&entries[1]);
  const auto *align = std::get_if<VtableAlign>(&entries[2]);
  v.check(std::holds_alternative<VtableDrop>(entries[0]) && size && align,
          "a vtable must begin with drop, size, align");
  v.check(!size || size->size == type.size, "the size must be that of the vtable's type");
  v.check(!align || align->align == type.align, "the alignment must be that of the vtable's type");
}

static void verifyVtable(Verifier &v, const Vtable &vtable) {
  if (!v.type(vtable.ty))
    return;
  verifyVtableHead(v, vtable);
  for (size_t i = 0; i < vtable.entries.size() && !v.failed(); ++i) {
    Verifier::At at(v, "entries", i);
    match(
        vtable.entries[i], [&](const VtableDrop &entry) { v.functionOrNone(entry.function); },
        [](const VtableSize &) {}, [](const VtableAlign &) {},
        [&](const VtableMethod &entry) { v.function(entry.function); }, [](const VtableVacant &) {},
        [&](const VtableSuper &entry) { v.inRange(v.program.vtables, entry.vtable, "vtable"); });
  }
}

void verifyVtables(Verifier &v) {
  for (uint32_t i = 0; i < v.program.vtables.size() && !v.failed(); ++i) {
    Verifier::At at(v, "vtables", i);
    verifyVtable(v, v.program.vtables[VtableId(i)]);
  }
}

// ---- Constants
// ------------------------------------------------------------------------------------

static void verifySlice(Verifier &v, const Constant &constant, const ConstSlice &slice) {
  const AllocMemory *memory = memoryOf(v, slice.alloc);
  if (!memory)
    return;
  TypeId pointee = pointeeOf(v.program, constant.ty);
  if (!v.check(pointee.isValid() && metadataOf(v.program, pointee) == Metadata::Length,
               "a slice constant must have a type of pointer and length"))
    return;
  TypeId elem = elementOf(v.program, pointee);
  uint64_t elemSize = elem.isValid() ? v.program.types[elem].size : 1, size = 0;
  bool fits = !__builtin_mul_overflow(elemSize, slice.length, &size);
  v.check(fits && size <= memory->bytes.size(), "the slice is longer than its alloc");
}

static void verifyScalarConst(Verifier &v, const Type &type, const ConstScalar &value) {
  const Scalar *scalar = scalarOf(type);
  v.check(scalar && value.bits <= maxOfBits(scalar->bits),
          "a scalar constant must have a scalar type whose bits it fits");
}

void verifyConstant(Verifier &v, const Constant &constant) {
  v.span(constant.span);
  if (!v.type(constant.ty))
    return;
  const Type &type = v.program.types[constant.ty];
  if (!v.check(isSized(type), "the type of a constant must be sized"))
    return;
  match(
      constant.value,
      [&](const ConstZst &) {
        v.check(isZst(type), "`" + v.name(constant.ty) + "` is not a zero-sized type");
      },
      [&](const ConstScalar &value) { verifyScalarConst(v, type, value); },
      [&](const ConstPtr &value) {
        const Scalar *scalar = scalarOf(type);
        v.alloc(value.alloc);
        v.check(scalar && scalar->primitive == Primitive::Pointer,
                "a pointer constant must have the type of a thin pointer");
      },
      [&](const ConstSlice &value) { verifySlice(v, constant, value); },
      [&](const ConstIndirect &value) {
        const AllocMemory *memory = memoryOf(v, value.alloc);
        v.check(memory && value.offset <= memory->bytes.size() &&
                    type.size <= memory->bytes.size() - value.offset,
                "the constant's bytes must lie inside its alloc");
      },
      [](const ConstUndef &) {});
}

} // namespace mirgpu::mir
