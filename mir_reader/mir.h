// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model of serialized MIR: plain structs with the names of rustc 1.96's MIR, one struct for
// each thing docs/mir_format.md describes. A `Program` that `mir::read` returns is verified
// (verifier.h): every id names an element of its table, places and operands have consistent types,
// every block ends in a terminator, layouts are sane. It is immutable afterwards.
#pragma once

#include "mir_reader/mir_block.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

namespace mirgpu::mir {

struct Local {
  TypeId ty;
  bool isMutable = false;
  SpanId span;
  Str name;
};

struct Inlined {
  Str callee;
  FunctionId function;
  SpanId callSite;
  bool trackCaller = false;
};
struct Scope {
  ScopeId parent;
  SpanId span;
  std::optional<Inlined> inlined;
};

struct DebugFragment {
  TypeId ty;
  std::vector<Projection> projection;
};
struct DebugVar {
  Str name;
  ScopeId scope;
  SpanId span;
  std::optional<uint32_t> argument; ///< 1-based
  std::variant<Place, Constant> value;
  std::optional<DebugFragment> fragment;
};

struct Body {
  uint32_t argCount = 0;
  IndexedVector<LocalId, Local> locals; ///< 0 is the return place, then the arguments
  IndexedVector<ScopeId, Scope> scopes;
  std::vector<DebugVar> debug;
  IndexedVector<BlockId, BasicBlock> blocks; ///< 0 is the entry
};

enum class InlineHint : uint8_t { None, Hint, Always, Never };

struct Function {
  Str symbol, defPath, shim, abi;
  bool isVariadic = false, isForeign = false, trackCaller = false, cold = false, naked = false,
       isLocal = false;
  std::optional<LocalId> spreadArg;
  InlineHint inlineHint = InlineHint::None;
  std::vector<Str> targetFeatures;
  Str linkName, exportName, linkage, section, lang, crate; ///< empty: none
  Str trait; ///< `Debug` for a method of an impl of `core::fmt::Debug`, else empty
  std::vector<ToolAttr> toolAttrs;
  std::vector<TypeId> inputs;
  TypeId output;
  std::vector<Str> passModes; ///< empty: none
  std::optional<Body> body;
  SpanId span;
};

enum class ParamKind : uint8_t {
  Scalar,
  Pointer,
  Slice,
  SliceMut,
  DisjointSlice,
  Aggregate,
  Zst,
  Dyn,
  FnPtr
};
struct KernelParam {
  Str name;
  ParamKind kind = ParamKind::Scalar;
  TypeId ty;
};
struct LaunchBounds {
  uint32_t maxThreads = 0, minBlocks = 0;
};
struct Kernel {
  FunctionId function;
  Str key, entry;
  std::vector<KernelParam> params;
  std::optional<LaunchBounds> launchBounds;
};

struct Test {
  Str path;
  FunctionId function;
  bool ignored = false;
  bool shouldPanic = false;
  std::optional<Str> expected;
};

struct TargetInfo {
  Str triple, dataLayout;
  uint32_t pointerWidth = 64;
  bool littleEndian = true;
};
struct Session {
  bool overflowChecks = false, ubChecks = false, contractChecks = false;
  Str panic, optLevel, debuginfo;
};

/// Owns every string of a Program; a view stays valid while the pool lives, also when the pool is
/// moved.
class StringPool {
public:
  Str intern(Str text) {
    if (auto it = index_.find(text); it != index_.end())
      return *it;
    return *index_.insert(storage_.emplace_back(text)).first;
  }

private:
  std::deque<std::string> storage_;
  std::unordered_set<Str> index_;
};

struct Program {
  std::unique_ptr<StringPool> strings = std::make_unique<StringPool>();
  Str producer, rustc;
  TargetInfo target;
  Session session;
  Str crateName;
  std::vector<Str> crateAttributes;
  Str sourceRoot;
  IndexedVector<FileId, File> files;
  IndexedVector<SpanId, Span> spans;
  IndexedVector<TypeId, Type> types;
  IndexedVector<AllocId, Alloc> allocs;
  IndexedVector<StaticId, Static> statics;
  IndexedVector<VtableId, Vtable> vtables;
  IndexedVector<FunctionId, Function> functions;
  IndexedVector<KernelId, Kernel> kernels;
  std::vector<Test> tests;
};

} // namespace mirgpu::mir
