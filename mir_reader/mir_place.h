// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places, operands and rvalues.
#pragma once

#include "mir_reader/mir_memory.h"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace mirgpu::mir {

struct ProjDeref {};
struct ProjField {
  uint32_t field = 0;
  TypeId ty;
};
struct ProjIndex {
  LocalId local;
};
struct ProjConstantIndex {
  uint64_t offset = 0, minLength = 0;
  bool fromEnd = false;
};
struct ProjSubslice {
  uint64_t from = 0, to = 0;
  bool fromEnd = false;
};
struct ProjDowncast {
  uint32_t variant = 0;
};
struct ProjOpaqueCast {
  TypeId ty;
};
struct ProjUnwrapUnsafeBinder {
  TypeId ty;
};
using Projection = std::variant<ProjDeref, ProjField, ProjIndex, ProjConstantIndex, ProjSubslice,
                                ProjDowncast, ProjOpaqueCast, ProjUnwrapUnsafeBinder>;

struct Place {
  LocalId local;
  std::vector<Projection> projection;
};

struct Copy {
  Place place;
};
struct Move {
  Place place;
};
enum class RuntimeCheck : uint8_t { Ub, Contract, Overflow };
struct RuntimeChecks {
  RuntimeCheck check = RuntimeCheck::Ub;
};
using Operand = std::variant<Copy, Move, Constant, RuntimeChecks>;

enum class BinOp : uint8_t {
  Add,
  Sub,
  Mul,
  AddUnchecked,
  SubUnchecked,
  MulUnchecked,
  AddWithOverflow,
  SubWithOverflow,
  MulWithOverflow,
  Div,
  Rem,
  BitXor,
  BitAnd,
  BitOr,
  Shl,
  ShlUnchecked,
  Shr,
  ShrUnchecked,
  Eq,
  Lt,
  Le,
  Ne,
  Ge,
  Gt,
  Cmp,
  Offset,
};
enum class UnOp : uint8_t { Not, Neg, PtrMetadata };
enum class CastKind : uint8_t {
  PointerExposeProvenance,
  PointerWithExposedProvenance,
  ReifyFnPointer,
  UnsafeFnPointer,
  ClosureFnPointer,
  Unsize,
  IntToInt,
  FloatToInt,
  FloatToFloat,
  IntToFloat,
  PtrToPtr,
  FnPtrToPtr,
  Transmute,
  Subtype,
};
enum class BorrowKind : uint8_t { Shared, Mut, Fake };

struct UnsizeLength {
  uint64_t length = 0;
};
struct UnsizeVtable {
  VtableId vtable;
};
struct UnsizeUpcast {
  std::optional<uint32_t> slot; /*none: the vtable stays*/
};
struct UnsizeInfo {
  std::vector<uint32_t> path;
  std::variant<UnsizeLength, UnsizeVtable, UnsizeUpcast> to;
};

struct Use {
  Operand operand;
};
struct Repeat {
  Operand operand;
  uint64_t count = 0;
};
struct Ref {
  BorrowKind kind = BorrowKind::Shared;
  Place place;
};
struct ThreadLocalRef {
  StaticId target;
};
struct RawPtr {
  BorrowKind kind = BorrowKind::Shared;
  Place place;
};
struct Cast {
  CastKind kind = CastKind::Transmute;
  Operand operand;
  TypeId ty;
  FunctionId function;              ///< ReifyFnPointer and ClosureFnPointer
  std::optional<UnsizeInfo> unsize; ///< Unsize
};
struct BinaryOp {
  BinOp op = BinOp::Add;
  Operand lhs, rhs;
};
struct UnaryOp {
  UnOp op = UnOp::Not;
  Operand operand;
};
struct Discriminant {
  Place place;
};
struct Aggregate {
  TypeId ty;
  std::optional<uint32_t> variant, activeField;
  std::vector<Operand> operands;
};
struct CopyForDeref {
  Place place;
};
struct WrapUnsafeBinder {
  Operand operand;
  TypeId ty;
};
using Rvalue = std::variant<Use, Repeat, Ref, ThreadLocalRef, RawPtr, Cast, BinaryOp, UnaryOp,
                            Discriminant, Aggregate, CopyForDeref, WrapUnsafeBinder>;

} // namespace mirgpu::mir
