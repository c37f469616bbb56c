// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ids of the model's tables and what every part of it uses: text, wide integers, files, spans.
#pragma once

#include "support/ids.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace mirgpu::mir {

using u128 = unsigned __int128;
/// Text that the Program's string pool owns.
using Str = std::string_view;

using FileId = Id<struct FileTag>;
using SpanId = Id<struct SpanTag>;
using TypeId = Id<struct TypeTag>;
using AllocId = Id<struct AllocTag>;
using StaticId = Id<struct StaticTag>;
using VtableId = Id<struct VtableTag>;
using FunctionId = Id<struct FunctionTag>;
using KernelId = Id<struct KernelTag>;
using LocalId = Id<struct LocalTag>;
using BlockId = Id<struct BlockTag>;
using ScopeId = Id<struct ScopeTag>;

struct File {
  Str name;
  Str hash;
};

struct Span {
  FileId file;
  uint32_t line = 0, column = 0, endLine = 0, endColumn = 0; ///< 1-based, end exclusive
  SpanId callSite; ///< of the macro call that made it, or invalid
};

struct ToolAttr {
  Str path; ///< below `mirgpu_tool::`
  std::vector<Str> args;
};

} // namespace mirgpu::mir
