// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The comparisons of verify_shape.h. None of them recurses without bound: pointers and arrays are
// followed a few levels.
#include "mir_reader/verify_shape.h"

#include "mir_reader/query.h"
#include "support/match.h"

namespace mirgpu::mir {

bool sameScalar(const Scalar &a, const Scalar &b) {
  return a.primitive == b.primitive && a.bits == b.bits;
}

bool scalarFits(const Scalar &slot, const Scalar &field) {
  bool slotIsFloat = slot.primitive == Primitive::Float;
  bool fieldIsFloat = field.primitive == Primitive::Float;
  return slot.bits == field.bits && slotIsFloat == fieldIsFloat;
}

/// Also the same values: lowering keeps a scalar of the values 0 and 1 in another way.
static bool sameValues(const Scalar &a, const Scalar &b) {
  return sameScalar(a, b) && a.validStart == b.validStart && a.validEnd == b.validEnd;
}

static bool sameRepr(const Repr &a, const Repr &b) {
  if (a.index() != b.index())
    return false;
  return match(
      a, [&](const ReprScalar &x) { return sameValues(x.scalar, std::get<ReprScalar>(b).scalar); },
      [&](const ReprPair &x) {
        const auto &y = std::get<ReprPair>(b);
        return sameValues(x.a, y.a) && sameValues(x.b, y.b) && x.bOffset == y.bOffset;
      },
      [&](const ReprVector &x) {
        const auto &y = std::get<ReprVector>(b);
        return sameValues(x.scalar, y.scalar) && x.count == y.count;
      },
      [&](const ReprMemory &x) { return x.isSized == std::get<ReprMemory>(b).isSized; });
}

bool sameShape(const Type &a, const Type &b) {
  if (a.unsizedTail.has_value() != b.unsizedTail.has_value())
    return false;
  if (a.unsizedTail && a.unsizedTail->metadata != b.unsizedTail->metadata)
    return false;
  return a.size == b.size && a.align == b.align && sameRepr(a.repr, b.repr);
}

static bool isAssignable(const Program &program, TypeId to, TypeId from, int depth);

/// Whether two different types of one kind and shape may differ by erased lifetimes alone.
static bool sameButForLifetimes(const Program &program, const Type &to, const Type &from,
                                int depth) {
  auto inner = [&](TypeId a, TypeId b) { return isAssignable(program, a, b, depth + 1); };
  auto other = [&]<class T>(const T &) -> const T & { return std::get<T>(from.kind); };
  return match(
      to.kind, [](const TyBool &) { return true; }, [](const TyChar &) { return true; },
      [](const TyStr &) { return true; }, [](const TyNever &) { return true; },
      [&](const TyForeign &) { return to.name == from.name; },
      [&](const TyInt &x) { return x.isSigned == other(x).isSigned && x.bits == other(x).bits; },
      [&](const TyFloat &x) { return x.bits == other(x).bits; },
      [&](const TyArray &x) { return x.len == other(x).len && inner(x.elem, other(x).elem); },
      [&](const TySlice &x) { return inner(x.elem, other(x).elem); },
      [&](const TyTuple &) {
        return to.variants[0].fields.size() == from.variants[0].fields.size();
      },
      [&](const TyAdt &x) { return x.kind == other(x).kind && x.def == other(x).def; },
      [&](const TyClosure &x) { return x.kind == other(x).kind && x.def == other(x).def; },
      [&](const TyPointer &x) {
        return x.isRef == other(x).isRef && inner(x.pointee, other(x).pointee);
      },
      [](const TyFnDef &) { return true; },
      [&](const TyFnPtr &x) { return x.inputs.size() == other(x).inputs.size(); },
      [](const TyDyn &) { return true; },
      [&](const TyPattern &x) { return inner(x.base, other(x).base); },
      [&](const TyUnsafeBinder &x) { return inner(x.inner, other(x).inner); });
}

static bool isAssignable(const Program &program, TypeId to, TypeId from, int depth) {
  constexpr int kMaxDepth = 8;
  if (to == from || depth > kMaxDepth)
    return true;
  const Type &a = program.types[to], &b = program.types[from];
  return a.kind.index() == b.kind.index() && sameShape(a, b) &&
         a.variants.size() == b.variants.size() && sameButForLifetimes(program, a, b, depth);
}

bool isAssignable(const Program &program, TypeId to, TypeId from) {
  return isAssignable(program, to, from, 0);
}

} // namespace mirgpu::mir
