// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements, callees, terminators and basic blocks.
#pragma once

#include "mir_reader/mir_place.h"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace mirgpu::mir {

struct Assign {
  Place place;
  Rvalue rvalue;
};
struct SetDiscriminant {
  Place place;
  uint32_t variant = 0;
};
struct StorageLive {
  LocalId local;
};
struct StorageDead {
  LocalId local;
};
struct Assume {
  Operand operand;
};
struct CopyNonOverlapping {
  Operand src, dst, count;
};
struct Nop {};
using StatementKind = std::variant<Assign, SetDiscriminant, StorageLive, StorageDead, Assume,
                                   CopyNonOverlapping, Nop>;

struct Statement {
  SpanId span;
  ScopeId scope;
  StatementKind kind;
};

struct CalleeDirect {
  FunctionId function;
  TypeId ty;
};
struct CalleeIntrinsic {
  Str name;
  std::vector<GenericArg> args;
  FunctionId fallback;
  TypeId ty;
};
struct CalleeVirtual {
  uint32_t slot = 0;
  Str method;
  TypeId ty;
};
struct CalleePointer {
  Operand operand;
  TypeId ty;
};
struct CalleeDropGlue {
  FunctionId function;
};
struct CalleeDropVirtual {};
struct CalleeNothing {};
struct CalleeConstant {
  Constant value;
};
using Callee = std::variant<CalleeDirect, CalleeIntrinsic, CalleeVirtual, CalleePointer,
                            CalleeDropGlue, CalleeDropVirtual, CalleeNothing, CalleeConstant>;

struct CallerLocation {
  bool forward = false; ///< pass on the function's own caller location
  AllocId alloc;        ///< else the `core::panic::Location`
};

enum class UnwindKind : uint8_t { Continue, Unreachable, Terminate, Cleanup };
struct Unwind {
  UnwindKind kind = UnwindKind::Unreachable;
  BlockId block;
};

enum class AssertKind : uint8_t {
  BoundsCheck,
  Overflow,
  OverflowNeg,
  DivisionByZero,
  RemainderByZero,
  ResumedAfterReturn,
  ResumedAfterPanic,
  ResumedAfterDrop,
  MisalignedPointerDereference,
  NullPointerDereference,
  InvalidEnumConstruction,
};

struct Goto {
  BlockId target;
  bool folded = false;
};
struct SwitchArm {
  u128 value = 0;
  BlockId target;
};
struct SwitchInt {
  Operand operand;
  TypeId ty;
  std::vector<SwitchArm> arms;
  BlockId otherwise;
};
struct UnwindResume {};
struct UnwindTerminate {};
struct Return {};
struct Unreachable {};
struct Drop {
  Place place;
  Callee callee;
  BlockId target;
  Unwind unwind;
};
struct Call {
  Callee callee;
  std::vector<Operand> args;
  Place dest;
  BlockId target; ///< invalid: diverges
  Unwind unwind;
  SpanId fnSpan;
  std::optional<CallerLocation> callerLocation;
};
struct TailCall {
  Callee callee;
  std::vector<Operand> args;
  SpanId fnSpan;
  std::optional<CallerLocation> callerLocation;
};
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

struct AsmPieceText {
  Str text;
};
struct AsmPieceOperand {
  uint32_t operand = 0;
  Str modifier;
};
using AsmPiece = std::variant<AsmPieceText, AsmPieceOperand>;
struct AsmIn {
  Str regClass;
  Operand value;
};
struct AsmOut {
  Str regClass;
  bool late = false;
  std::optional<Place> place;
};
struct AsmInOut {
  Str regClass;
  bool late = false;
  Operand in;
  std::optional<Place> out;
};
struct AsmConst {
  Constant value;
};
struct AsmSymFn {
  FunctionId function;
};
struct AsmSymStatic {
  StaticId target;
};
struct AsmLabel {
  uint32_t target = 0;
};
using AsmOperand =
    std::variant<AsmIn, AsmOut, AsmInOut, AsmConst, AsmSymFn, AsmSymStatic, AsmLabel>;
struct InlineAsm {
  std::vector<AsmPiece> pieces;
  std::vector<AsmOperand> operands;
  std::vector<Str> options;
  std::vector<SpanId> lineSpans;
  std::vector<BlockId> targets;
  Unwind unwind;
};

using TerminatorKind = std::variant<Goto, SwitchInt, UnwindResume, UnwindTerminate, Return,
                                    Unreachable, Drop, Call, TailCall, Assert, InlineAsm>;
struct Terminator {
  SpanId span;
  ScopeId scope;
  TerminatorKind kind;
};

struct BasicBlock {
  bool isCleanup = false;
  std::vector<Statement> statements;
  Terminator terminator;
};

} // namespace mirgpu::mir
