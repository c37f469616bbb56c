// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rvalues: `Add(copy _1, const 2_u32)`, `move _3 as u64 (IntToInt)`, `&mut (*_1)`.
#include "mir_reader/print_parts.h"

#include "support/match.h"

namespace mirgpu::mir {

/// The format's word in the spelling of rustc's dumps: `add_with_overflow` is `AddWithOverflow`.
static std::string camel(std::string_view word) {
  std::string out;
  bool isUpper = true;
  for (char c : word) {
    if (c != '_')
      out += isUpper ? static_cast<char>(c - 'a' + 'A') : c;
    isUpper = c == '_';
  }
  return out;
}

static void printBorrow(Printer &p, const Ref &ref) {
  switch (ref.kind) {
  case BorrowKind::Shared:
    p.os << "&";
    break;
  case BorrowKind::Mut:
    p.os << "&mut ";
    break;
  case BorrowKind::Fake:
    p.os << "&fake ";
    break;
  }
  p.place(ref.place);
}

static void printUnsize(Printer &p, const UnsizeInfo &unsize) {
  p.os << " [";
  p.list(unsize.path, [&](uint32_t field) { p.os << "." << field; }, "");
  p.os << (unsize.path.empty() ? "" : " ");
  match(
      unsize.to, [&](const UnsizeLength &to) { p.os << "length " << to.length; },
      [&](const UnsizeVtable &to) { p.os << "vtable" << to.vtable.index; },
      [&](const UnsizeUpcast &to) {
        p.os << "upcast";
        if (to.slot)
          p.os << " slot " << *to.slot;
      });
  p.os << "]";
}

static void printCast(Printer &p, const Cast &cast) {
  p.operand(cast.operand);
  p.os << " as ";
  p.type(cast.ty);
  p.os << " (" << camel(wordFor(cast.kind)) << ")";
  if (cast.function.isValid())
    p.os << " [" << text(p.program.functions[cast.function].symbol) << "]";
  if (cast.unsize)
    printUnsize(p, *cast.unsize);
}

static void printAggregate(Printer &p, const Aggregate &aggregate) {
  const Type &type = p.program.types[aggregate.ty];
  p.type(aggregate.ty);
  if (aggregate.variant && isMultiVariant(type))
    p.os << "::" << text(type.variants[*aggregate.variant].name);
  if (aggregate.activeField)
    p.os << "." << *aggregate.activeField;
  p.os << " { ";
  p.operands(aggregate.operands);
  p.os << (aggregate.operands.empty() ? "}" : " }");
}

void Printer::rvalue(const Rvalue &rvalue) {
  match(
      rvalue, [&](const Use &use) { operand(use.operand); },
      [&](const Repeat &repeat) {
        os << "[";
        operand(repeat.operand);
        os << "; " << repeat.count << "]";
      },
      [&](const Ref &ref) { printBorrow(*this, ref); },
      [&](const ThreadLocalRef &ref) {
        os << "&thread_local " << text(program.statics[ref.target].symbol);
      },
      [&](const RawPtr &raw) {
        os << "&raw " << text(names::rawBorrowKinds[static_cast<size_t>(raw.kind)]) << " ";
        place(raw.place);
      },
      [&](const Cast &cast) { printCast(*this, cast); },
      [&](const BinaryOp &binary) {
        os << camel(wordFor(binary.op)) << "(";
        operand(binary.lhs);
        os << ", ";
        operand(binary.rhs);
        os << ")";
      },
      [&](const UnaryOp &unary) {
        os << camel(wordFor(unary.op)) << "(";
        operand(unary.operand);
        os << ")";
      },
      [&](const Discriminant &value) {
        os << "discriminant(";
        place(value.place);
        os << ")";
      },
      [&](const Aggregate &value) { printAggregate(*this, value); },
      [&](const CopyForDeref &copy) {
        os << "deref_copy ";
        place(copy.place);
      },
      [&](const WrapUnsafeBinder &wrap) {
        os << "wrap_binder!(";
        operand(wrap.operand);
        os << "; ";
        type(wrap.ty);
        os << ")";
      });
}

} // namespace mirgpu::mir
