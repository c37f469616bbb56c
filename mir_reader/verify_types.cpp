// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of types by kind: that every id in a type names something, and that size,
// representation, variants and unsized tail are those which the kind prescribes. What holds for all
// kinds alike is in verify_layout.cpp.
#include "mir_reader/verifier.h"
#include "mir_reader/verify_context.h"

#include "support/match.h"

namespace mirgpu::mir {

// ---- Ids
// ------------------------------------------------------------------------------------------

static void adtIds(Verifier &v, const TyAdt &adt) {
  for (const GenericArg &argument : adt.args)
    v.type(argument.ty);
  if (adt.kind == AdtKind::Enum)
    v.type(adt.discrTy);
}

static void fnPtrIds(Verifier &v, const TyFnPtr &pointer) {
  for (TypeId input : pointer.inputs)
    v.type(input);
  v.type(pointer.output);
}

static void kindIds(Verifier &v, const TypeKind &kind) {
  match(
      kind, [](const TyBool &) {}, [](const TyChar &) {}, [](const TyStr &) {},
      [](const TyNever &) {}, [](const TyForeign &) {}, [](const TyInt &) {},
      [](const TyFloat &) {}, [&](const TyArray &array) { v.type(array.elem); },
      [&](const TySlice &slice) { v.type(slice.elem); }, [](const TyTuple &) {},
      [&](const TyAdt &adt) { adtIds(v, adt); },
      [&](const TyClosure &closure) {
        if (closure.kind == ClosureKind::Coroutine)
          v.type(closure.discrTy);
      },
      [&](const TyPointer &pointer) { v.type(pointer.pointee); },
      [&](const TyFnDef &def) { v.functionOrNone(def.function); },
      [&](const TyFnPtr &pointer) { fnPtrIds(v, pointer); }, [](const TyDyn &) {},
      [&](const TyPattern &pattern) { v.type(pattern.base); },
      [&](const TyUnsafeBinder &binder) { v.type(binder.inner); });
}

void verifyTypeIds(Verifier &v) {
  for (uint32_t i = 0; i < v.program.types.size() && !v.failed(); ++i) {
    Verifier::At at(v, "types", i);
    const Type &type = v.program.types[TypeId(i)];
    kindIds(v, type.kind);
    for (const Variant &variant : type.variants)
      for (const Field &field : variant.fields)
        v.type(field.ty);
    if (type.unsizedTail)
      v.type(type.unsizedTail->tail);
    v.span(type.span);
  }
}

// ---- Kinds
// ----------------------------------------------------------------------------------------

/// The type is sized, has this size, and is one scalar of this primitive.
static void oneScalar(Verifier &v, const Type &type, Primitive primitive, uint32_t bits) {
  const Scalar *scalar = scalarOf(type);
  v.check(scalar && scalar->primitive == primitive && scalar->bits == bits,
          "the representation must be a scalar of " + llvm::Twine(bits) + " bits of the type");
  v.check(isSized(type) && type.size == bits / 8, "the size must be " + llvm::Twine(bits / 8));
}

static bool isIntBits(uint32_t bits) {
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

/// As `oneScalar`, for a type whose values are exactly those from 0 to `max`, all initialized.
static void oneFullScalar(Verifier &v, const Type &type, Primitive primitive, uint32_t bits,
                          u128 max, bool isSigned = false) {
  oneScalar(v, type, primitive, bits);
  const Scalar *scalar = scalarOf(type);
  v.check(scalar && scalar->isSigned == isSigned, "the scalar's sign must be the type's");
  v.check(scalar && scalar->validStart == 0 && scalar->validEnd == max && scalar->isInit,
          "the valid range must be that of every value of the type");
}

static void arrayKind(Verifier &v, const Type &type, const TyArray &array) {
  const Type &elem = v.program.types[array.elem];
  uint64_t size = 0;
  bool fits = !__builtin_mul_overflow(elem.size, array.len, &size);
  v.check(isSized(elem) && isSized(type), "an array and its element must be sized");
  v.check(fits && size == type.size, "the size must be the element's times the length");
  v.check(type.align == elem.align, "the alignment must be the element's");
  v.check(std::holds_alternative<ReprMemory>(type.repr), "an array must be kept in memory");
}

/// `str`, slices, `dyn` and foreign types: unsized, their own tail.
static void tailKind(Verifier &v, const Type &type, Metadata metadata) {
  v.check(type.unsizedTail && type.unsizedTail->metadata == metadata,
          "the type must be unsized, with metadata of its kind");
  v.check(type.unsizedTail && &v.program.types[type.unsizedTail->tail] == &type,
          "the type must be its own unsized tail");
  v.check(type.size == 0, "the size of the sized prefix must be 0");
}

static void pointerKind(Verifier &v, const Type &type, const TyPointer &pointer) {
  v.check(isSized(type), "a pointer must be sized");
  if (pointer.info) {
    v.check(isPowerOfTwo(pointer.info->align) && pointer.info->align <= kMaxAlign,
            "the pointee's alignment must be a power of two of at most 2^29");
    v.check(pointer.info->size < kMaxSize, "the pointee's size must be below 2^61");
  }
  if (metadataOf(v.program, pointer.pointee) == Metadata::None)
    return oneScalar(v, type, Primitive::Pointer, 64);
  const ReprPair *pair = pairOf(type);
  Primitive second = metadataOf(v.program, pointer.pointee) == Metadata::Length
                         ? Primitive::Int
                         : Primitive::Pointer;
  v.check(pair && pair->a.primitive == Primitive::Pointer && pair->b.primitive == second &&
              pair->b.bits == 64 && pair->bOffset == 8 && type.size == 16,
          "a pointer to an unsized type must be a pair of pointer and metadata");
}

static void wrapperKind(Verifier &v, const Type &type, TypeId innerId) {
  const Type &inner = v.program.types[innerId];
  v.check(isSized(type) && isSized(inner) && type.size == inner.size && type.align == inner.align,
          "size and alignment must be those of `" + v.name(innerId) + "`");
  v.check(type.repr.index() == inner.repr.index(),
          "the representation must be that of `" + v.name(innerId) + "`");
}

static bool isIntType(Verifier &v, TypeId ty) { return isKind<TyInt>(v.program, ty); }

static void adtKind(Verifier &v, const Type &type, const TyAdt &adt) {
  switch (adt.kind) {
  case AdtKind::Struct:
  case AdtKind::Union:
    v.check(type.variants.size() == 1, "a struct or union must have one variant");
    break;
  case AdtKind::Enum:
    v.check(isIntType(v, adt.discrTy), "the discriminant's type must be an integer");
    break;
  }
}

static void closureKind(Verifier &v, const Type &type, const TyClosure &closure) {
  if (closure.kind == ClosureKind::Coroutine) {
    v.check(!type.variants.empty(), "a coroutine must have a variant");
    v.check(isIntType(v, closure.discrTy), "the discriminant's type must be an integer");
    return;
  }
  v.check(type.variants.size() == 1, "a closure must have one variant");
}

static void floatKind(Verifier &v, const Type &type, const TyFloat &real) {
  v.check(isIntBits(real.bits) && real.bits != 8, "no such width of a float");
  oneFullScalar(v, type, Primitive::Float, real.bits, maxOfBits(real.bits));
}

static void intKind(Verifier &v, const Type &type, const TyInt &integer) {
  v.check(isIntBits(integer.bits), "no such width of an integer");
  oneFullScalar(v, type, Primitive::Int, integer.bits, maxOfBits(integer.bits), integer.isSigned);
}

/// Whether types of this kind have variants.
static bool hasVariants(const TypeKind &kind) {
  return std::holds_alternative<TyTuple>(kind) || std::holds_alternative<TyAdt>(kind) ||
         std::holds_alternative<TyClosure>(kind);
}

static void verifyKind(Verifier &v, const Type &type) {
  v.check(hasVariants(type.kind) || type.variants.empty(), "a type of this kind has no variants");
  match(
      type.kind, [&](const TyBool &) { oneFullScalar(v, type, Primitive::Int, 8, 1); },
      [&](const TyChar &) { oneFullScalar(v, type, Primitive::Int, 32, 0x10ffff); },
      [&](const TyStr &) { tailKind(v, type, Metadata::Length); },
      [&](const TyNever &) {
        v.check(isZst(type) && type.uninhabited, "`!` must have no size and no values");
      },
      [&](const TyForeign &) { tailKind(v, type, Metadata::None); },
      [&](const TyInt &integer) { intKind(v, type, integer); },
      [&](const TyFloat &real) { floatKind(v, type, real); },
      [&](const TyArray &array) { arrayKind(v, type, array); },
      [&](const TySlice &slice) {
        v.check(isSized(v.program.types[slice.elem]), "a slice's element must be sized");
        tailKind(v, type, Metadata::Length);
      },
      [&](const TyTuple &) { v.check(type.variants.size() == 1, "a tuple must have one variant"); },
      [&](const TyAdt &adt) { adtKind(v, type, adt); },
      [&](const TyClosure &closure) { closureKind(v, type, closure); },
      [&](const TyPointer &pointer) { pointerKind(v, type, pointer); },
      [&](const TyFnDef &) { v.check(isZst(type), "a function item must have no size"); },
      [&](const TyFnPtr &) { oneScalar(v, type, Primitive::Pointer, 64); },
      [&](const TyDyn &) { tailKind(v, type, Metadata::Vtable); },
      [&](const TyPattern &pattern) { wrapperKind(v, type, pattern.base); },
      [&](const TyUnsafeBinder &binder) { wrapperKind(v, type, binder.inner); });
}

void verifyTypeKinds(Verifier &v) {
  for (uint32_t i = 0; i < v.program.types.size() && !v.failed(); ++i) {
    Verifier::At at(v, "types", i);
    const Type &type = v.program.types[TypeId(i)];
    verifyKind(v, type);
    if (!v.failed())
      verifyLayout(v, type);
    if (!v.failed())
      verifyEncoding(v, type);
  }
}

} // namespace mirgpu::mir
