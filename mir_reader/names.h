// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words that docs/mir_format.md uses for the enumerators of mir.h, one array an enum, in the
// enumerators' order. The reader maps a word to its enumerator and the printer goes back through
// the same array, so they cannot drift apart.
#pragma once

#include "mir_reader/mir.h"

#include <array>
#include <span>
#include <string_view>

namespace mirgpu::mir {

namespace names {
using Word = std::string_view;
inline constexpr std::array<Word, 3> primitives = {"int", "float", "pointer"};
inline constexpr std::array<Word, 7> pointerSafeties = {
    "", "shared_frozen", "shared", "mut_unpin", "mut", "box_unpin", "box"};
inline constexpr std::array<Word, 3> adtKinds = {"struct", "union", "enum"};
inline constexpr std::array<Word, 3> closureKinds = {"closure", "coroutine", "coroutine_closure"};
inline constexpr std::array<Word, 3> metadatas = {"none", "length", "vtable"};
inline constexpr std::array<Word, 3> runtimeChecks = {"ub", "contract", "overflow"};
inline constexpr std::array<Word, 26> binOps = {"add",
                                                "sub",
                                                "mul",
                                                "add_unchecked",
                                                "sub_unchecked",
                                                "mul_unchecked",
                                                "add_with_overflow",
                                                "sub_with_overflow",
                                                "mul_with_overflow",
                                                "div",
                                                "rem",
                                                "bit_xor",
                                                "bit_and",
                                                "bit_or",
                                                "shl",
                                                "shl_unchecked",
                                                "shr",
                                                "shr_unchecked",
                                                "eq",
                                                "lt",
                                                "le",
                                                "ne",
                                                "ge",
                                                "gt",
                                                "cmp",
                                                "offset"};
inline constexpr std::array<Word, 3> unOps = {"not", "neg", "ptr_metadata"};
inline constexpr std::array<Word, 14> castKinds = {"pointer_expose_provenance",
                                                   "pointer_with_exposed_provenance",
                                                   "reify_fn_pointer",
                                                   "unsafe_fn_pointer",
                                                   "closure_fn_pointer",
                                                   "unsize",
                                                   "int_to_int",
                                                   "float_to_int",
                                                   "float_to_float",
                                                   "int_to_float",
                                                   "ptr_to_ptr",
                                                   "fn_ptr_to_ptr",
                                                   "transmute",
                                                   "subtype"};
inline constexpr std::array<Word, 3> borrowKinds = {"shared", "mut", "fake"};
inline constexpr std::array<Word, 3> rawBorrowKinds = {"const", "mut", "fake"};
inline constexpr std::array<Word, 11> assertKinds = {"bounds_check",
                                                     "overflow",
                                                     "overflow_neg",
                                                     "division_by_zero",
                                                     "remainder_by_zero",
                                                     "resumed_after_return",
                                                     "resumed_after_panic",
                                                     "resumed_after_drop",
                                                     "misaligned_pointer_dereference",
                                                     "null_pointer_dereference",
                                                     "invalid_enum_construction"};
inline constexpr std::array<Word, 4> inlineHints = {"none", "hint", "always", "never"};
inline constexpr std::array<Word, 9> paramKinds = {
    "scalar",    "pointer", "slice", "slice_mut", "disjoint_slice",
    "aggregate", "zst",     "dyn",   "fn_ptr"};
} // namespace names

constexpr std::span<const std::string_view> wordsOf(Primitive) { return names::primitives; }
constexpr std::span<const std::string_view> wordsOf(PointerSafety) {
  return names::pointerSafeties;
}
constexpr std::span<const std::string_view> wordsOf(AdtKind) { return names::adtKinds; }
constexpr std::span<const std::string_view> wordsOf(ClosureKind) { return names::closureKinds; }
constexpr std::span<const std::string_view> wordsOf(Metadata) { return names::metadatas; }
constexpr std::span<const std::string_view> wordsOf(RuntimeCheck) { return names::runtimeChecks; }
constexpr std::span<const std::string_view> wordsOf(BinOp) { return names::binOps; }
constexpr std::span<const std::string_view> wordsOf(UnOp) { return names::unOps; }
constexpr std::span<const std::string_view> wordsOf(CastKind) { return names::castKinds; }
constexpr std::span<const std::string_view> wordsOf(BorrowKind) { return names::borrowKinds; }
constexpr std::span<const std::string_view> wordsOf(AssertKind) { return names::assertKinds; }
constexpr std::span<const std::string_view> wordsOf(InlineHint) { return names::inlineHints; }
constexpr std::span<const std::string_view> wordsOf(ParamKind) { return names::paramKinds; }

static_assert(names::binOps.size() == static_cast<size_t>(BinOp::Offset) + 1);
static_assert(names::castKinds.size() == static_cast<size_t>(CastKind::Subtype) + 1);
static_assert(names::assertKinds.size() ==
              static_cast<size_t>(AssertKind::InvalidEnumConstruction) + 1);
static_assert(names::paramKinds.size() == static_cast<size_t>(ParamKind::FnPtr) + 1);
static_assert(names::pointerSafeties.size() == static_cast<size_t>(PointerSafety::Box) + 1);

/// The format's word for an enumerator.
template <class E> constexpr std::string_view wordFor(E value) {
  return wordsOf(E{})[static_cast<size_t>(value)];
}

} // namespace mirgpu::mir
