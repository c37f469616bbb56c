// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places (`((*_1).0: u32)`), constants (`const 42_u32`) and operands (`copy _1`).
#include "mir_reader/print_parts.h"

#include "support/match.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

namespace mirgpu::mir {

void Printer::type(TypeId ty) { os << text(program.types[ty].name); }

void Printer::number(u128 value) {
  char digits[40];
  char *at = std::end(digits);
  do {
    *--at = static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  os << llvm::StringRef(at, std::end(digits) - at);
}

// ---- Places
// ---------------------------------------------------------------------------------------

/// `[2 of 4]`, `[-1 of 4]`.
static std::string constantIndex(const ProjConstantIndex &index) {
  std::string sign = index.fromEnd ? "-" : "";
  return "[" + sign + std::to_string(index.offset) + " of " + std::to_string(index.minLength) + "]";
}

static std::string subslice(const ProjSubslice &sub) {
  std::string sign = sub.fromEnd ? "-" : "";
  return "[" + std::to_string(sub.from) + ".." + sign + std::to_string(sub.to) + "]";
}

static std::string project(const Program &program, const std::string &base,
                           const Projection &projection) {
  auto name = [&](TypeId ty) { return std::string(program.types[ty].name); };
  return match(
      projection, [&](const ProjDeref &) { return "(*" + base + ")"; },
      [&](const ProjField &step) {
        return "(" + base + "." + std::to_string(step.field) + ": " + name(step.ty) + ")";
      },
      [&](const ProjIndex &step) { return base + "[_" + std::to_string(step.local.index) + "]"; },
      [&](const ProjConstantIndex &step) { return base + constantIndex(step); },
      [&](const ProjSubslice &step) { return base + subslice(step); },
      [&](const ProjDowncast &step) {
        return "(" + base + " as variant#" + std::to_string(step.variant) + ")";
      },
      [&](const ProjOpaqueCast &step) { return "(" + base + " as " + name(step.ty) + ")"; },
      [&](const ProjUnwrapUnsafeBinder &step) {
        return "unwrap_binder!(" + base + "; " + name(step.ty) + ")";
      });
}

void Printer::projections(llvm::StringRef base, const std::vector<Projection> &steps) {
  std::string place = base.str();
  for (const Projection &step : steps)
    place = project(program, place, step);
  os << place;
}

void Printer::place(const Place &place) {
  projections("_" + std::to_string(place.local.index), place.projection);
}

// ---- Constants
// ------------------------------------------------------------------------------------

/// The value of an integer at its type: signed where the type is.
static void printInt(Printer &p, const TyInt &ty, u128 bits) {
  bool isNegative = ty.isSigned && (bits >> (ty.bits - 1) & 1);
  if (isNegative) {
    p.os << '-';
    bits = ty.bits >= 128 ? -bits : ((u128(1) << ty.bits) - bits);
  }
  p.number(bits);
}

static void printScalar(Printer &p, TypeId ty, u128 bits) {
  if (isKind<TyBool>(p.program, ty) && bits <= 1) {
    p.os << (bits ? "true" : "false");
    return;
  }
  if (const auto *integer = kindAs<TyInt>(p.program, ty)) {
    printInt(p, *integer, bits);
    p.os << '_';
  } else {
    p.os << "bits ";
    p.number(bits);
    p.os << ": ";
  }
  p.type(ty);
}

/// The text of a `str` constant, cut, if its bytes are at hand.
static void printStr(Printer &p, const ConstSlice &slice) {
  constexpr uint64_t kMost = 60;
  const auto *memory = std::get_if<AllocMemory>(&p.program.allocs[slice.alloc]);
  if (!memory || slice.length > memory->bytes.size())
    return;
  const char *bytes = reinterpret_cast<const char *>(memory->bytes.data());
  p.os << " \"";
  p.os.write_escaped(llvm::StringRef(bytes, std::min(slice.length, kMost)));
  p.os << (slice.length > kMost ? "…\"" : "\"");
}

void Printer::constant(const Constant &constant) {
  os << "const ";
  TypeId pointee = pointeeOf(program, constant.ty);
  bool isStr = pointee.isValid() && isKind<TyStr>(program, pointee);
  auto inAlloc = [&](const char *word, AllocId alloc, uint64_t offset) {
    os << word << "alloc" << alloc.index;
    if (offset != 0)
      os << "+" << offset;
    os << ": ";
    type(constant.ty);
  };
  match(
      constant.value, [&](const ConstZst &) { type(constant.ty); },
      [&](const ConstScalar &value) { printScalar(*this, constant.ty, value.bits); },
      [&](const ConstPtr &value) { inAlloc("&", value.alloc, value.offset); },
      [&](const ConstSlice &value) {
        os << "&alloc" << value.alloc.index << "[.." << value.length << "]";
        if (isStr)
          printStr(*this, value);
        os << ": ";
        type(constant.ty);
      },
      [&](const ConstIndirect &value) { inAlloc("", value.alloc, value.offset); },
      [&](const ConstUndef &) {
        os << "undef: ";
        type(constant.ty);
      });
}

void Printer::operand(const Operand &operand) {
  match(
      operand,
      [&](const Copy &copy) {
        os << "copy ";
        place(copy.place);
      },
      [&](const Move &move) {
        os << "move ";
        place(move.place);
      },
      [&](const Constant &value) { constant(value); },
      [&](const RuntimeChecks &checks) {
        os << "runtime_checks(" << text(wordFor(checks.check)) << ")";
      });
}

} // namespace mirgpu::mir
