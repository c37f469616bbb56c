// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types with what the back end needs of them: size, alignment, representation, variants with field
// offsets, encoding.
#include "mir_reader/print_parts.h"

#include "support/match.h"

namespace mirgpu::mir {

static void printScalar(Printer &p, const Scalar &scalar) {
  switch (scalar.primitive) {
  case Primitive::Int:
    p.os << (scalar.isSigned ? "i" : "u") << scalar.bits;
    break;
  case Primitive::Float:
    p.os << "f" << scalar.bits;
    break;
  case Primitive::Pointer:
    p.os << "ptr";
    break;
  }
  u128 max = scalar.bits >= 128 ? ~u128(0) : (u128(1) << scalar.bits) - 1;
  if (!scalar.isInit)
    p.os << "?";
  if (scalar.validStart == 0 && scalar.validEnd == max)
    return;
  p.os << "[";
  p.number(scalar.validStart);
  p.os << "..=";
  p.number(scalar.validEnd);
  p.os << "]";
}

static void printRepr(Printer &p, const Repr &repr) {
  match(
      repr, [&](const ReprScalar &scalar) { printScalar(p, scalar.scalar); },
      [&](const ReprPair &pair) {
        p.os << "pair(";
        printScalar(p, pair.a);
        p.os << ", ";
        printScalar(p, pair.b);
        p.os << " at " << pair.bOffset << ")";
      },
      [&](const ReprVector &vector) {
        p.os << "vector(" << vector.count << " x ";
        printScalar(p, vector.scalar);
        p.os << ")";
      },
      [&](const ReprMemory &) { p.os << "memory"; });
}

static void printTag(Printer &p, const char *word, const Scalar &tag, uint64_t offset) {
  p.os << ", " << word << " tag ";
  printScalar(p, tag);
  p.os << " at " << offset;
}

static void printEncoding(Printer &p, const Type &type) {
  match(
      type.encoding,
      [&](const EncodingSingle &single) {
        if (isMultiVariant(type))
          p.os << ", always variant " << single.variant;
      },
      [&](const EncodingEmpty &) { p.os << ", no variant"; },
      [&](const EncodingDirect &direct) { printTag(p, "direct", direct.tag, direct.tagOffset); },
      [&](const EncodingNiche &niche) {
        printTag(p, "niche", niche.tag, niche.tagOffset);
        p.os << ", variants " << niche.startVariant << "..=" << niche.endVariant << " from ";
        p.number(niche.nicheStart);
        p.os << ", else " << niche.untagged;
      });
}

static void printVariant(Printer &p, const Type &type, const Variant &variant) {
  p.os << "//     ";
  if (isMultiVariant(type)) {
    p.os << text(variant.name) << " = ";
    p.number(variant.discr);
    p.os << (variant.uninhabited ? " (uninhabited) " : " ");
  }
  p.os << "{ ";
  p.list(variant.fields, [&](const Field &field) {
    p.os << text(field.name) << ": ";
    p.type(field.ty);
    p.os << " at " << field.offset;
  });
  p.os << " }\n";
}

static void printType(Printer &p, const Type &type) {
  p.os << "type " << text(type.name) << ": size " << type.size << ", align " << type.align << ", ";
  printRepr(p, type.repr);
  printEncoding(p, type);
  if (type.unsizedTail) {
    p.os << ", unsized (" << text(wordFor(type.unsizedTail->metadata)) << ", tail ";
    p.type(type.unsizedTail->tail);
    p.os << ")";
  }
  if (const auto *adt = std::get_if<TyAdt>(&type.kind))
    for (Str flag : adt->flags)
      p.os << ", " << text(flag);
  p.os << (type.uninhabited ? ", uninhabited" : "") << (type.freeze ? "" : ", interior mutable")
       << "\n";
  for (const Variant &variant : type.variants)
    if (isMultiVariant(type) || !variant.fields.empty())
      printVariant(p, type, variant);
}

void Printer::types() {
  os << "\n";
  for (const Type &type : program.types)
    printType(*this, type);
}

} // namespace mirgpu::mir
