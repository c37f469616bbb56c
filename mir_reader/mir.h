// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model of serialized MIR: plain structs with the names of rustc 1.96's MIR, one struct for each thing docs/mir_format.md
// describes. A `Program` that `mir::read` returns is verified (verifier.h): every id names an element of its table, places and
// operands have consistent types, every block ends in a terminator, layouts are sane. It is immutable afterwards.
#pragma once

#include "support/ids.h"

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

// ---- Files and spans ------------------------------------------------------------------------------------------------------

struct File {
  Str name;
  Str hash;
};

struct Span {
  FileId file;
  uint32_t line = 0, column = 0, endLine = 0, endColumn = 0; ///< 1-based, end exclusive
  SpanId callSite;                                            ///< of the macro call that made it, or invalid
};

struct ToolAttr {
  Str path; ///< below `mirgpu_tool::`
  std::vector<Str> args;
};

// ---- Types and layouts ------------------------------------------------------------------------------------------------------

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

struct ReprScalar { Scalar scalar; };
struct ReprPair { Scalar a, b; uint64_t bOffset = 0; };
struct ReprVector { Scalar scalar; uint64_t count = 0; };
struct ReprMemory { bool isSized = true; };
using Repr = std::variant<ReprScalar, ReprPair, ReprVector, ReprMemory>;

struct EncodingSingle { uint32_t variant = 0; };
struct EncodingEmpty {};
struct EncodingDirect { Scalar tag; uint64_t tagOffset = 0; };
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
struct TyInt { bool isSigned = false; uint32_t bits = 0; };
struct TyFloat { uint32_t bits = 0; };
struct TyArray { TypeId elem; uint64_t len = 0; };
struct TySlice { TypeId elem; };
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
struct TyClosure { ClosureKind kind = ClosureKind::Closure; Str def; TypeId discrTy; /*coroutines alone*/ };
struct TyPointer { bool isRef = false, isMutable = false; TypeId pointee; std::optional<PointeeInfo> info; };
struct TyFnDef { FunctionId function; /*invalid: an intrinsic, or never called here*/ };
struct TyFnPtr { std::vector<TypeId> inputs; TypeId output; Str abi; bool isUnsafe = false, isVariadic = false; };
struct TyDyn { Str principal; /*empty: none*/ };
struct TyPattern { TypeId base; };
struct TyUnsafeBinder { TypeId inner; };
using TypeKind = std::variant<TyBool, TyChar, TyStr, TyNever, TyForeign, TyInt, TyFloat, TyArray, TySlice, TyTuple, TyAdt, TyClosure,
                              TyPointer, TyFnDef, TyFnPtr, TyDyn, TyPattern, TyUnsafeBinder>;

enum class Metadata : uint8_t { None, Length, Vtable };
struct Unsized { Metadata metadata = Metadata::None; TypeId tail; };

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

// ---- Constants, memory ------------------------------------------------------------------------------------------------------

struct ByteRange { uint64_t start = 0, end = 0; };
struct Reloc { uint64_t offset = 0; AllocId target; /*the addend stands in the bytes*/ };

struct AllocMemory {
  uint64_t align = 1;
  bool isMutable = false;
  std::vector<uint8_t> bytes;
  std::vector<ByteRange> undef;
  std::vector<Reloc> relocs;
};
struct AllocFunction { FunctionId function; };
struct AllocStatic { StaticId target; };
struct AllocVtable { VtableId vtable; };
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

struct VtableDrop { FunctionId function; /*invalid: null*/ };
struct VtableSize { uint64_t size = 0; };
struct VtableAlign { uint64_t align = 1; };
struct VtableMethod { FunctionId function; };
struct VtableVacant {};
struct VtableSuper { VtableId vtable; };
using VtableEntry = std::variant<VtableDrop, VtableSize, VtableAlign, VtableMethod, VtableVacant, VtableSuper>;

struct Vtable { TypeId ty; Str traitName; std::vector<VtableEntry> entries; };

struct ConstZst {};
struct ConstScalar { u128 bits = 0; };
struct ConstPtr { AllocId alloc; uint64_t offset = 0; };
struct ConstSlice { AllocId alloc; uint64_t length = 0; };
struct ConstIndirect { AllocId alloc; uint64_t offset = 0; };
struct ConstUndef {};
using ConstValue = std::variant<ConstZst, ConstScalar, ConstPtr, ConstSlice, ConstIndirect, ConstUndef>;

struct Constant { TypeId ty; ConstValue value; SpanId span; };

// ---- Places, operands, rvalues ---------------------------------------------------------------------------------------------

struct ProjDeref {};
struct ProjField { uint32_t field = 0; TypeId ty; };
struct ProjIndex { LocalId local; };
struct ProjConstantIndex { uint64_t offset = 0, minLength = 0; bool fromEnd = false; };
struct ProjSubslice { uint64_t from = 0, to = 0; bool fromEnd = false; };
struct ProjDowncast { uint32_t variant = 0; };
struct ProjOpaqueCast { TypeId ty; };
struct ProjUnwrapUnsafeBinder { TypeId ty; };
using Projection = std::variant<ProjDeref, ProjField, ProjIndex, ProjConstantIndex, ProjSubslice, ProjDowncast, ProjOpaqueCast,
                                ProjUnwrapUnsafeBinder>;

struct Place { LocalId local; std::vector<Projection> projection; };

struct Copy { Place place; };
struct Move { Place place; };
enum class RuntimeCheck : uint8_t { Ub, Contract, Overflow };
struct RuntimeChecks { RuntimeCheck check = RuntimeCheck::Ub; };
using Operand = std::variant<Copy, Move, Constant, RuntimeChecks>;

enum class BinOp : uint8_t {
  Add, Sub, Mul, AddUnchecked, SubUnchecked, MulUnchecked, AddWithOverflow, SubWithOverflow, MulWithOverflow, Div, Rem, BitXor, BitAnd,
  BitOr, Shl, ShlUnchecked, Shr, ShrUnchecked, Eq, Lt, Le, Ne, Ge, Gt, Cmp, Offset,
};
enum class UnOp : uint8_t { Not, Neg, PtrMetadata };
enum class CastKind : uint8_t {
  PointerExposeProvenance, PointerWithExposedProvenance, ReifyFnPointer, UnsafeFnPointer, ClosureFnPointer, Unsize, IntToInt, FloatToInt,
  FloatToFloat, IntToFloat, PtrToPtr, FnPtrToPtr, Transmute, Subtype,
};
enum class BorrowKind : uint8_t { Shared, Mut, Fake };

struct UnsizeLength { uint64_t length = 0; };
struct UnsizeVtable { VtableId vtable; };
struct UnsizeUpcast { std::optional<uint32_t> slot; /*none: the vtable stays*/ };
struct UnsizeInfo { std::vector<uint32_t> path; std::variant<UnsizeLength, UnsizeVtable, UnsizeUpcast> to; };

struct Use { Operand operand; };
struct Repeat { Operand operand; uint64_t count = 0; };
struct Ref { BorrowKind kind = BorrowKind::Shared; Place place; };
struct ThreadLocalRef { StaticId target; };
struct RawPtr { BorrowKind kind = BorrowKind::Shared; Place place; };
struct Cast {
  CastKind kind = CastKind::Transmute;
  Operand operand;
  TypeId ty;
  FunctionId function;              ///< ReifyFnPointer and ClosureFnPointer
  std::optional<UnsizeInfo> unsize; ///< Unsize
};
struct BinaryOp { BinOp op = BinOp::Add; Operand lhs, rhs; };
struct UnaryOp { UnOp op = UnOp::Not; Operand operand; };
struct Discriminant { Place place; };
struct Aggregate {
  TypeId ty;
  std::optional<uint32_t> variant, activeField;
  std::vector<Operand> operands;
};
struct CopyForDeref { Place place; };
struct WrapUnsafeBinder { Operand operand; TypeId ty; };
using Rvalue = std::variant<Use, Repeat, Ref, ThreadLocalRef, RawPtr, Cast, BinaryOp, UnaryOp, Discriminant, Aggregate, CopyForDeref,
                            WrapUnsafeBinder>;

// ---- Statements, terminators -----------------------------------------------------------------------------------------------

struct Assign { Place place; Rvalue rvalue; };
struct SetDiscriminant { Place place; uint32_t variant = 0; };
struct StorageLive { LocalId local; };
struct StorageDead { LocalId local; };
struct Assume { Operand operand; };
struct CopyNonOverlapping { Operand src, dst, count; };
struct Nop {};
using StatementKind = std::variant<Assign, SetDiscriminant, StorageLive, StorageDead, Assume, CopyNonOverlapping, Nop>;

struct Statement { SpanId span; ScopeId scope; StatementKind kind; };

struct CalleeDirect { FunctionId function; TypeId ty; };
struct CalleeIntrinsic { Str name; std::vector<GenericArg> args; FunctionId fallback; TypeId ty; };
struct CalleeVirtual { uint32_t slot = 0; Str method; TypeId ty; };
struct CalleePointer { Operand operand; TypeId ty; };
struct CalleeDropGlue { FunctionId function; };
struct CalleeDropVirtual {};
struct CalleeNothing {};
struct CalleeConstant { Constant value; };
using Callee = std::variant<CalleeDirect, CalleeIntrinsic, CalleeVirtual, CalleePointer, CalleeDropGlue, CalleeDropVirtual, CalleeNothing,
                            CalleeConstant>;

struct CallerLocation {
  bool forward = false; ///< pass on the function's own caller location
  AllocId alloc;        ///< else the `core::panic::Location`
};

enum class UnwindKind : uint8_t { Continue, Unreachable, Terminate, Cleanup };
struct Unwind { UnwindKind kind = UnwindKind::Unreachable; BlockId block; };

enum class AssertKind : uint8_t {
  BoundsCheck, Overflow, OverflowNeg, DivisionByZero, RemainderByZero, ResumedAfterReturn, ResumedAfterPanic, ResumedAfterDrop,
  MisalignedPointerDereference, NullPointerDereference, InvalidEnumConstruction,
};

struct Goto { BlockId target; bool folded = false; };
struct SwitchArm { u128 value = 0; BlockId target; };
struct SwitchInt { Operand operand; TypeId ty; std::vector<SwitchArm> arms; BlockId otherwise; };
struct UnwindResume {};
struct UnwindTerminate {};
struct Return {};
struct Unreachable {};
struct Drop { Place place; Callee callee; BlockId target; Unwind unwind; };
struct Call {
  Callee callee;
  std::vector<Operand> args;
  Place dest;
  BlockId target; ///< invalid: diverges
  Unwind unwind;
  SpanId fnSpan;
  std::optional<CallerLocation> callerLocation;
};
struct TailCall { Callee callee; std::vector<Operand> args; SpanId fnSpan; std::optional<CallerLocation> callerLocation; };
struct Assert {
  Operand cond;
  bool expected = true;
  AssertKind kind = AssertKind::BoundsCheck;
  std::optional<BinOp> op; ///< Overflow alone
  std::vector<Operand> operands;
  BlockId target;
  Unwind unwind;
  std::optional<CallerLocation> callerLocation;
};

struct AsmPieceText { Str text; };
struct AsmPieceOperand { uint32_t operand = 0; Str modifier; };
using AsmPiece = std::variant<AsmPieceText, AsmPieceOperand>;
struct AsmIn { Str regClass; Operand value; };
struct AsmOut { Str regClass; bool late = false; std::optional<Place> place; };
struct AsmInOut { Str regClass; bool late = false; Operand in; std::optional<Place> out; };
struct AsmConst { Constant value; };
struct AsmSymFn { FunctionId function; };
struct AsmSymStatic { StaticId target; };
struct AsmLabel { uint32_t target = 0; };
using AsmOperand = std::variant<AsmIn, AsmOut, AsmInOut, AsmConst, AsmSymFn, AsmSymStatic, AsmLabel>;
struct InlineAsm {
  std::vector<AsmPiece> pieces;
  std::vector<AsmOperand> operands;
  std::vector<Str> options;
  std::vector<SpanId> lineSpans;
  std::vector<BlockId> targets;
  Unwind unwind;
};

using TerminatorKind = std::variant<Goto, SwitchInt, UnwindResume, UnwindTerminate, Return, Unreachable, Drop, Call, TailCall, Assert,
                                    InlineAsm>;
struct Terminator { SpanId span; ScopeId scope; TerminatorKind kind; };

struct BasicBlock { bool isCleanup = false; std::vector<Statement> statements; Terminator terminator; };

// ---- Functions, kernels -----------------------------------------------------------------------------------------------------

struct Local { TypeId ty; bool isMutable = false; SpanId span; Str name; };

struct Inlined { Str callee; FunctionId function; SpanId callSite; bool trackCaller = false; };
struct Scope { ScopeId parent; SpanId span; std::optional<Inlined> inlined; };

struct DebugFragment { TypeId ty; std::vector<Projection> projection; };
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
  bool isVariadic = false, isForeign = false, trackCaller = false, cold = false, naked = false, isLocal = false;
  std::optional<LocalId> spreadArg;
  InlineHint inlineHint = InlineHint::None;
  std::vector<Str> targetFeatures;
  Str linkName, exportName, linkage, section, lang, crate; ///< empty: none
  std::vector<ToolAttr> toolAttrs;
  std::vector<TypeId> inputs;
  TypeId output;
  std::vector<Str> passModes; ///< empty: none
  std::optional<Body> body;
  SpanId span;
};

enum class ParamKind : uint8_t { Scalar, Pointer, Slice, SliceMut, DisjointSlice, Aggregate, Zst, Dyn, FnPtr };
struct KernelParam { Str name; ParamKind kind = ParamKind::Scalar; TypeId ty; };
struct LaunchBounds { uint32_t maxThreads = 0, minBlocks = 0; };
struct Kernel {
  FunctionId function;
  Str key, entry;
  std::vector<KernelParam> params;
  std::optional<LaunchBounds> launchBounds;
};

struct Test { Str path; FunctionId function; bool ignored = false; bool shouldPanic = false; std::optional<Str> expected; };

// ---- Program ----------------------------------------------------------------------------------------------------------------

struct TargetInfo { Str triple, dataLayout; uint32_t pointerWidth = 64; bool littleEndian = true; };
struct Session { bool overflowChecks = false, ubChecks = false, contractChecks = false; Str panic, optLevel, debuginfo; };

/// Owns every string of a Program; a view stays valid while the pool lives, also when the pool is moved.
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
