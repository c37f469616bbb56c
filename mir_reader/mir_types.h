// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and their layouts, as docs/mir_format.md "Types" describes them.
#pragma once

#include "mir_reader/mir_ids.h"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace mirgpu::mir {

enum class Primitive : uint8_t { Int, Float, Pointer };

/// A scalar as the backend sees it. `validStart > validEnd` is a range that wraps.
struct Scalar {
  Primitive primitive = Primitive::Int;
  uint32_t bits = 0;
  bool isSigned = false;
  uint32_t addressSpace = 0;
  u128 validStart = 0, validEnd = 0;
  bool isInit = true; ///< false: the bits may be undef
};

struct ReprScalar {
  Scalar scalar;
};
struct ReprPair {
  Scalar a, b;
  uint64_t bOffset = 0;
};
struct ReprVector {
  Scalar scalar;
  uint64_t count = 0;
};
struct ReprMemory {
  bool isSized = true;
};
using Repr = std::variant<ReprScalar, ReprPair, ReprVector, ReprMemory>;

struct EncodingSingle {
  uint32_t variant = 0;
};
struct EncodingEmpty {};
struct EncodingDirect {
  Scalar tag;
  uint64_t tagOffset = 0;
};
struct EncodingNiche {
  Scalar tag;
  uint64_t tagOffset = 0;
  uint32_t untagged = 0, startVariant = 0, endVariant = 0;
  u128 nicheStart = 0;
};
/// How the active variant is stored.
using Encoding = std::variant<EncodingSingle, EncodingEmpty, EncodingDirect, EncodingNiche>;

struct Field {
  Str name;
  TypeId ty;
  uint64_t offset = 0; ///< in bytes
};

struct Variant {
  Str name;
  u128 discr = 0; ///< the discriminant's value, not its index
  bool uninhabited = false;
  std::vector<Field> fields;
};

enum class PointerSafety : uint8_t { Raw, SharedFrozen, Shared, MutUnpin, Mut, BoxUnpin, Box };

/// What rustc promises of a pointer's target.
struct PointeeInfo {
  uint64_t size = 0, align = 1;
  PointerSafety safety = PointerSafety::Raw;
};

struct GenericArg {
  TypeId ty;                    ///< the type argument, or the constant's type
  std::optional<u128> constant; ///< present for a const argument
};

struct TyBool {};
struct TyChar {};
struct TyStr {};
struct TyNever {};
struct TyForeign {};
struct TyInt {
  bool isSigned = false;
  uint32_t bits = 0;
};
struct TyFloat {
  uint32_t bits = 0;
};
struct TyArray {
  TypeId elem;
  uint64_t len = 0;
};
struct TySlice {
  TypeId elem;
};
struct TyTuple {};
enum class AdtKind : uint8_t { Struct, Union, Enum };
struct TyAdt {
  AdtKind kind = AdtKind::Struct;
  Str def;
  std::vector<GenericArg> args;
  std::vector<Str> flags;
  TypeId discrTy; ///< enums alone
};
enum class ClosureKind : uint8_t { Closure, Coroutine, CoroutineClosure };
struct TyClosure {
  ClosureKind kind = ClosureKind::Closure;
  Str def;
  TypeId discrTy; /*coroutines alone*/
};
struct TyPointer {
  bool isRef = false, isMutable = false;
  TypeId pointee;
  std::optional<PointeeInfo> info;
};
struct TyFnDef {
  FunctionId function; /*invalid: an intrinsic, or never called here*/
};
struct TyFnPtr {
  std::vector<TypeId> inputs;
  TypeId output;
  Str abi;
  bool isUnsafe = false, isVariadic = false;
};
struct TyDyn {
  Str principal; /*empty: none*/
};
struct TyPattern {
  TypeId base;
};
struct TyUnsafeBinder {
  TypeId inner;
};
using TypeKind = std::variant<TyBool, TyChar, TyStr, TyNever, TyForeign, TyInt, TyFloat, TyArray,
                              TySlice, TyTuple, TyAdt, TyClosure, TyPointer, TyFnDef, TyFnPtr,
                              TyDyn, TyPattern, TyUnsafeBinder>;

enum class Metadata : uint8_t { None, Length, Vtable };
struct Unsized {
  Metadata metadata = Metadata::None;
  TypeId tail;
};

struct Type {
  Str name;
  TypeKind kind;
  uint64_t size = 0, align = 1; ///< bytes; of the sized prefix where unsized
  Repr repr;
  Encoding encoding;
  bool uninhabited = false;
  bool freeze = true;
  std::optional<Unsized> unsizedTail;
  std::vector<Variant> variants; ///< one for structs, tuples, unions, closures; none for primitives
  std::vector<ToolAttr> toolAttrs;
  SpanId span;
};

} // namespace mirgpu::mir
