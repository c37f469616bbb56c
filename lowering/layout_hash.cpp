// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See layout_hash.h: one recursive walk over a type. Types on the way down are kept, so that a type
// that holds a pointer to itself ends in a back reference. A small file can describe a type with
// more parts than any memory has, or a chain of pointers as long as the file: what lies beyond the
// limits counts by its size and alignment alone.
#include "lowering/layout_hash.h"

#include "mir_reader/query.h"
#include "support/match.h"

#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"

#include <algorithm>

namespace mirgpu::lowering {

using namespace mir;

static constexpr uint64_t kMaxParts = 1 << 16;
static constexpr size_t kMaxDepth = 256;

namespace {
class Encoder {
public:
  explicit Encoder(const Program &program) : program_(program) {}

  void encode(TypeId ty) {
    ty = transparent(ty);
    if (const auto it = std::find(path_.rbegin(), path_.rend(), ty); it != path_.rend()) {
      tag('R');
      number(uint64_t(it - path_.rbegin()));
      return;
    }
    path_.push_back(ty);
    const Type &type = program_.types[ty];
    number(type.size);
    number(type.align);
    if (parts_++ < kMaxParts && path_.size() < kMaxDepth)
      encodeKind(type);
    else
      tag('x');
    path_.pop_back();
  }

  uint64_t result() {
    const auto digest = blake_.final<8>();
    return llvm::support::endian::read64le(digest.data());
  }

private:
  void tag(char letter) {
    blake_.update(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(&letter), 1));
  }
  void number(uint64_t value) {
    uint8_t bytes[8];
    llvm::support::endian::write64le(bytes, value);
    blake_.update(llvm::ArrayRef(bytes));
  }

  bool hasBytes(TypeId ty) const { return !isZst(program_, ty); }

  /// The field that a wrapper stands for, through all wrappers.
  TypeId transparent(TypeId ty) const {
    while (true) {
      const Type &type = program_.types[ty];
      const auto *adt = std::get_if<TyAdt>(&type.kind);
      if (const auto *pattern = std::get_if<TyPattern>(&type.kind)) {
        ty = pattern->base;
        continue;
      }
      if (!adt || adt->kind != AdtKind::Struct || type.variants.size() != 1 || !isSized(type))
        return ty;
      TypeId only;
      unsigned count = 0;
      for (const Field &field : type.variants[0].fields)
        if (hasBytes(field.ty)) {
          only = field.ty;
          ++count;
        }
      if (count != 1 || program_.types[only].size != type.size ||
          program_.types[only].align != type.align)
        return ty;
      ty = only;
    }
  }

  void encodeFields(const Variant &variant) {
    std::vector<const Field *> fields;
    for (const Field &field : variant.fields)
      if (hasBytes(field.ty))
        fields.push_back(&field);
    number(fields.size());
    for (const Field *field : fields) {
      number(field->offset);
      encode(field->ty);
    }
  }

  void encodeVariants(const Type &type, char letter) {
    tag(letter);
    if (letter == 'E') {
      number(type.encoding.index());
      number(type.variants.size());
    }
    for (const Variant &variant : type.variants) {
      if (letter == 'E') {
        number(uint64_t(variant.discr));
        number(uint64_t(variant.discr >> 64));
      }
      encodeFields(variant);
    }
  }

  void encodeOther(const Type &type) {
    tag('r');
    const Scalar *scalar = scalarOf(type);
    number(scalar ? scalar->bits : 0);
  }

  void encodeKind(const Type &type) {
    match(
        type.kind, [&](const TyBool &) { tag('b'); }, [&](const TyChar &) { tag('c'); },
        [&](const TyStr &) {
          tag('s');
          number(1), number(1), tag('i'), number(0), number(8); // of u8
        },
        [&](const TyInt &t) { tag('i'), number(t.isSigned), number(t.bits); },
        [&](const TyFloat &t) { tag('f'), number(t.bits); },
        [&](const TyArray &t) {
          tag('a'), number(t.len);
          encode(t.elem);
        },
        [&](const TySlice &t) {
          tag('s');
          encode(t.elem);
        },
        [&](const TyPointer &t) {
          tag('p'), number(uint64_t(metadataOf(program_, t.pointee)));
          encode(t.pointee);
        },
        [&](const TyTuple &) { encodeVariants(type, 'S'); },
        [&](const TyAdt &t) {
          encodeVariants(type, t.kind == AdtKind::Enum    ? 'E'
                               : t.kind == AdtKind::Union ? 'U'
                                                          : 'S');
        },
        [&](const TyClosure &t) {
          encodeVariants(type, t.kind == ClosureKind::Coroutine ? 'E' : 'S');
        },
        [&](const TyDyn &) { tag('d'); }, [&](const TyForeign &) { tag('d'); },
        [&](const TyFnPtr &) { tag('n'); }, [&](const TyFnDef &) { encodeOther(type); },
        [&](const TyNever &) { encodeOther(type); }, [&](const TyPattern &t) { encode(t.base); },
        [&](const TyUnsafeBinder &t) { encode(t.inner); });
  }

  const Program &program_;
  llvm::BLAKE3 blake_;
  std::vector<TypeId> path_;
  uint64_t parts_ = 0;
};
} // namespace

uint64_t layoutHash(const Program &program, TypeId ty) {
  Encoder encoder(program);
  encoder.encode(ty);
  return encoder.result();
}

} // namespace mirgpu::lowering
