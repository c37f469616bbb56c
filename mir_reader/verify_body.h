// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the verifier's parts for bodies share: the function at hand, and typing of places and
// operands that reports what is wrong. An invalid TypeId as an answer means that an error was kept;
// the parts return early on it.
#pragma once

#include "mir_reader/verify_context.h"
#include "mir_reader/verify_shape.h"

namespace mirgpu::mir {

class BodyVerifier {
public:
  BodyVerifier(Verifier &verifier, const Function &fn)
      : v(verifier), program(verifier.program), function(fn), body(*fn.body) {}

  Verifier &v;
  const Program &program;
  const Function &function;
  const Body &body;

  // verify_place.cpp
  /// The type of a place that may end in a downcast; none after an error.
  std::optional<PlaceTy> placeTy(const Place &place);
  /// The type of a place that is a whole value.
  TypeId wholePlace(const Place &place);
  /// The type of an operand; its constant is verified too. May be unsized (a moved `dyn` argument).
  TypeId operand(const Operand &operand);
  /// As `operand`, for a value.
  TypeId sizedOperand(const Operand &operand);

  // verify_rvalue.cpp, verify_cast.cpp, verify_binary.cpp, verify_aggregate.cpp
  void rvalue(const Rvalue &rvalue, TypeId dest);
  void cast(const Cast &cast, TypeId dest);
  void binary(const BinaryOp &binary, TypeId dest);
  void aggregate(const Aggregate &aggregate, TypeId dest);

  // verify_statement.cpp, verify_terminator.cpp
  void statement(const Statement &statement);
  void terminator(const Terminator &terminator);

  // verify_call.cpp
  void call(const Call &call);
  void tailCall(const TailCall &call);
  void drop(const Drop &drop);
  void callerLocation(const std::optional<CallerLocation> &location);

  // verify_asm.cpp
  void inlineAsm(const InlineAsm &assembly);

  // Small questions.
  /// Reports unless a value of type `from` may be assigned to `to`.
  bool assignable(TypeId to, TypeId from, const char *what);
  bool isInt(TypeId ty) const { return isKind<TyInt>(program, ty); }
  bool isFloat(TypeId ty) const { return isKind<TyFloat>(program, ty); }
  bool isBool(TypeId ty) const { return isKind<TyBool>(program, ty); }
  bool isChar(TypeId ty) const { return isKind<TyChar>(program, ty); }
  /// isize or usize.
  bool isPointerSizedInt(TypeId ty) const;
  bool isUsize(TypeId ty) const;
  bool isPointer(TypeId ty) const { return isKind<TyPointer>(program, ty); }
  bool isRawPointer(TypeId ty) const;
  bool isThinPointer(TypeId ty) const { return isPointer(ty) && !isFatPointer(program, ty); }
  const Type &type(TypeId ty) const { return program.types[ty]; }
  bool target(BlockId block) { return v.inRange(body.blocks, block, "block"); }

private:
  std::optional<TypeId> boolTy_; ///< of RuntimeChecks, once looked for
};

/// The numbers of bits of an integer, `bool` or `char`; 0 for any other type.
uint32_t bitsOfIntegral(const Type &type);

} // namespace mirgpu::mir
