// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants and memory: allocations, statics, vtables.
#pragma once

#include "mir_reader/mir_types.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace mirgpu::mir {

struct ByteRange {
  uint64_t start = 0, end = 0;
};
struct Reloc {
  uint64_t offset = 0;
  AllocId target; /*the addend stands in the bytes*/
};

struct AllocMemory {
  uint64_t align = 1;
  bool isMutable = false;
  std::vector<uint8_t> bytes;
  std::vector<ByteRange> undef;
  std::vector<Reloc> relocs;
};
struct AllocFunction {
  FunctionId function;
};
struct AllocStatic {
  StaticId target;
};
struct AllocVtable {
  VtableId vtable;
};
using Alloc = std::variant<AllocMemory, AllocFunction, AllocStatic, AllocVtable>;

struct Static {
  Str symbol;
  TypeId ty;
  bool isMutable = false, interiorMutable = false, threadLocal = false, isExtern = false;
  Str section, linkage; ///< empty: none
  uint64_t align = 1;
  std::vector<ToolAttr> toolAttrs;
  AllocId init; ///< invalid: extern
  SpanId span;
};

struct VtableDrop {
  FunctionId function; /*invalid: null*/
};
struct VtableSize {
  uint64_t size = 0;
};
struct VtableAlign {
  uint64_t align = 1;
};
struct VtableMethod {
  FunctionId function;
};
struct VtableVacant {};
struct VtableSuper {
  VtableId vtable;
};
using VtableEntry =
    std::variant<VtableDrop, VtableSize, VtableAlign, VtableMethod, VtableVacant, VtableSuper>;

struct Vtable {
  TypeId ty;
  Str traitName;
  std::vector<VtableEntry> entries;
};

struct ConstZst {};
struct ConstScalar {
  u128 bits = 0;
};
struct ConstPtr {
  AllocId alloc;
  uint64_t offset = 0;
};
struct ConstSlice {
  AllocId alloc;
  uint64_t length = 0;
};
struct ConstIndirect {
  AllocId alloc;
  uint64_t offset = 0;
};
struct ConstUndef {};
using ConstValue =
    std::variant<ConstZst, ConstScalar, ConstPtr, ConstSlice, ConstIndirect, ConstUndef>;

struct Constant {
  TypeId ty;
  ConstValue value;
  SpanId span;
};

} // namespace mirgpu::mir
