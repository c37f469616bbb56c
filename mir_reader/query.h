// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about a Program that reader, verifier, printer and lowering share: the type of a place
// or an operand, a field of a type, what a pointer points to. On a verified Program every function
// that takes a Place, Operand or id of that Program has an answer; the `try` forms answer "none"
// for what is ill-typed and are what the verifier itself is written with.
#pragma once

#include "mir_reader/mir.h"
#include "support/diagnostics.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <span>

namespace mirgpu::mir {

/// A string of the Program as LLVM's text classes take it.
inline llvm::StringRef text(Str name) { return {name.data(), name.size()}; }

// ---- Types
// ----------------------------------------------------------------------------------------

/// The kind-specific part of `ty` if it is a `T` (such as TyAdt), else null.
template <class T> const T *kindAs(const Program &program, TypeId ty) {
  return std::get_if<T>(&program.types[ty].kind);
}
template <class T> bool isKind(const Program &program, TypeId ty) {
  return std::holds_alternative<T>(program.types[ty].kind);
}

inline bool isSized(const Type &type) { return !type.unsizedTail; }
/// Sized and without bytes.
inline bool isZst(const Type &type) { return isSized(type) && type.size == 0; }
inline bool isZst(const Program &program, TypeId ty) { return isZst(program.types[ty]); }

/// The one scalar of a type whose representation is a scalar, else null.
inline const Scalar *scalarOf(const Type &type) {
  const auto *repr = std::get_if<ReprScalar>(&type.repr);
  return repr ? &repr->scalar : nullptr;
}
/// The two scalars of a type whose representation is a pair, else null.
inline const ReprPair *pairOf(const Type &type) { return std::get_if<ReprPair>(&type.repr); }

/// What a reference or raw pointer points to; invalid for any other type.
TypeId pointeeOf(const Program &program, TypeId pointer);
/// The metadata that a pointer to `pointee` carries (None: a thin pointer).
Metadata metadataOf(const Program &program, TypeId pointee);
/// Whether `ty` is a reference or raw pointer of two words.
bool isFatPointer(const Program &program, TypeId ty);
/// The element of an array or slice; invalid for any other type.
TypeId elementOf(const Program &program, TypeId ty);

/// Whether an ADT carries a flag of docs/mir_format.md, such as `box`, `simd`, `unsafe_cell`. False
/// for other types.
bool hasFlag(const Type &type, Str flag);
inline bool isUnion(const Type &type) {
  const auto *adt = std::get_if<TyAdt>(&type.kind);
  return adt && adt->kind == AdtKind::Union;
}
/// Whether the type has several variants by kind: an enum or a coroutine (they need a downcast
/// before a variant's field).
bool isMultiVariant(const Type &type);
/// The type of `discriminant(place)` as the file gives it: enums and coroutines. Invalid for other
/// types, whose discriminant is 0 at the type of the destination.
TypeId discriminantType(const Type &type);

/// A SIMD type's lanes; none for any other type.
struct SimdShape {
  Scalar element;
  uint64_t count = 0;
};
std::optional<SimdShape> simdOf(const Type &type);

/// The first attribute with this path below `mirgpu_tool::`, or null.
const ToolAttr *findToolAttr(std::span<const ToolAttr> attributes, Str path);

/// The type `bool` of this program; invalid if the program has none. A linear search: keep the
/// answer.
TypeId findBool(const Program &program);

// ---- Places, operands, rvalues
// --------------------------------------------------------------------

/// The type of a place, and the variant that a downcast has chosen.
struct PlaceTy {
  TypeId ty;
  std::optional<uint32_t> variant;
  friend bool operator==(const PlaceTy &, const PlaceTy &) = default;
};

/// Field `index` of a struct, tuple, union, closure, of a coroutine's upvars, or of the variant
/// chosen by a downcast; null where there is none.
const Field *fieldOf(const Program &program, PlaceTy base, uint64_t index);
/// As above; `variant` none: variant 0.
const Field *fieldOf(const Program &program, TypeId ty, std::optional<uint32_t> variant,
                     uint64_t index);

/// One step of a projection; none where it does not fit `base`.
std::optional<PlaceTy> tryProject(const Program &program, const Body &body, PlaceTy base,
                                  const Projection &projection);
/// The type of a whole place; none where it is ill-typed.
std::optional<PlaceTy> tryPlaceTy(const Program &program, const Body &body, const Place &place);

/// One step of a projection of a verified body.
PlaceTy project(const Program &program, const Body &body, PlaceTy base,
                const Projection &projection);
/// The type, and variant if the last step is a downcast, of a place of a verified body.
PlaceTy placeTy(const Program &program, const Body &body, const Place &place);
TypeId placeType(const Program &program, const Body &body, const Place &place);

/// The type of an operand of a verified body. (RuntimeChecks is `bool`, found by a linear search.)
TypeId operandType(const Program &program, const Body &body, const Operand &operand);

/// The type of an rvalue where the rvalue alone names it; invalid for references, raw pointers,
/// repeats, comparisons,
/// `*_with_overflow`, `ptr_metadata`, thread-local references and discriminants of types without a
/// discriminant type: take the destination's type there, which a verified body has made consistent.
TypeId rvalueType(const Program &program, const Body &body, const Rvalue &rvalue);

// ---- Calls
// ----------------------------------------------------------------------------------------

/// What a function type says. `function` is valid for a `fn_def` whose function is in the file.
struct Signature {
  std::span<const TypeId> inputs;
  TypeId output;
  Str abi;
  bool isVariadic = false;
  FunctionId function;
};
/// The signature of a `fn_ptr`, or of a `fn_def` whose function is in the file; none for any other
/// type. The inputs of a rust-call function are those of its body.
std::optional<Signature> signatureOf(const Program &program, TypeId ty);
Signature signatureOf(const Program &program, FunctionId function);

// ---- Control flow
// ---------------------------------------------------------------------------------

/// Calls `visit` with each block that control may go to next, unwinding included, in the order of
/// the terminator's parts.
void forEachSuccessor(const TerminatorKind &terminator, llvm::function_ref<void(BlockId)> visit);

// ---- Spans
// ----------------------------------------------------------------------------------------

/// `span` for a diagnostic; an empty SourceSpan for an invalid id.
SourceSpan sourceSpan(const Program &program, SpanId span);
/// Follows macro calls outwards to the place that the user wrote.
SpanId outermostCallSite(const Program &program, SpanId span);

} // namespace mirgpu::mir
