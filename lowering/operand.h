// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value model (DESIGN D5): what a MIR operand or place is while it is lowered. The backend
// representation of the type decides:
//   scalar, vector -> Immediate   one SSA value; a bool (i8 valid in 0..=1) is an i1
//   pair           -> Pair        two SSA values, each as an immediate; in memory `second` is at
//   the pair's bOffset sized, size 0  -> ZeroSized   no value at all (whatever the representation
//   says) memory         -> Ref         the address of memory that holds the bytes and that nobody
//   writes before the value is used
// Unsized values occur as Ref alone: `second` is the metadata. Every function here keeps to that:
// whoever has a type knows the kind.
#pragma once

#include "mir_reader/mir.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Value.h"

#include <optional>

namespace mirgpu::lowering {

class FunctionContext;

/// Memory that holds a value of type `ty`.
struct PlaceRef {
  llvm::Value *address = nullptr;  ///< generic pointer
  llvm::Value *metadata = nullptr; ///< length (i64) or vtable (ptr) of an unsized place, else null
  mir::TypeId ty;
  std::optional<uint32_t> variant; ///< after a downcast
  uint64_t align =
      1; ///< what `address` is known to be aligned to, at most the type's unless known better
};

struct OperandValue {
  enum class Kind : uint8_t { Ref, Immediate, Pair, ZeroSized };

  Kind kind = Kind::ZeroSized;
  mir::TypeId ty;
  llvm::Value *first = nullptr;  ///< Ref: the address; Immediate: the value; Pair: its first scalar
  llvm::Value *second = nullptr; ///< Pair: its second scalar; Ref to an unsized value: the metadata
  uint64_t align = 1;            ///< Ref alone: alignment of `first`

  static OperandValue ref(const PlaceRef &place) {
    return {Kind::Ref, place.ty, place.address, place.metadata, place.align};
  }
  static OperandValue immediate(mir::TypeId ty, llvm::Value *value) {
    return {Kind::Immediate, ty, value, nullptr, 1};
  }
  static OperandValue pair(mir::TypeId ty, llvm::Value *first, llvm::Value *second) {
    return {Kind::Pair, ty, first, second, 1};
  }
  static OperandValue zeroSized(mir::TypeId ty) {
    return {Kind::ZeroSized, ty, nullptr, nullptr, 1};
  }

  /// The value of an Immediate; CHECKs the kind.
  llvm::Value *imm() const;
  /// The place of a Ref; CHECKs the kind.
  PlaceRef place() const;
};

/// Which kind the values of `ty` have.
OperandValue::Kind kindOf(const mir::Type &type);

/// The value of a MIR operand. A Ref may point to the operand's own place: use it before that place
/// can change.
OperandValue lowerOperand(FunctionContext &fc, const mir::Operand &operand);
/// A constant (constant.cpp).
OperandValue lowerConstant(FunctionContext &fc, const mir::Constant &constant);

/// The value in memory; a Ref stays where it is.
OperandValue loadOperand(FunctionContext &fc, const PlaceRef &place);
/// Writes `value` to memory: one store, two, a copy or nothing.
void storeOperand(FunctionContext &fc, const OperandValue &value, const PlaceRef &dest);
/// Makes a Ref: a fresh temporary that holds `value` (a Ref is returned as it is).
PlaceRef spillOperand(FunctionContext &fc, const OperandValue &value);

/// Field `field` (of `variant`) of a value. Immediates and pairs whose field is not one of their
/// scalars go through memory.
OperandValue extractField(FunctionContext &fc, const OperandValue &value,
                          std::optional<uint32_t> variant, uint32_t field);
/// The same bits as another type of the same size (transmute; also between representations).
OperandValue transmuteOperand(FunctionContext &fc, const OperandValue &value, mir::TypeId ty);
/// A poison value of the right kind, for what a diagnostic replaces.
OperandValue poisonOperand(FunctionContext &fc, mir::TypeId ty);
/// An integer constant of an LLVM integer type.
llvm::ConstantInt *integerConstant(llvm::Type *type, mir::u128 bits);
/// The same bits of an immediate as another scalar of the same size (also between pointers,
/// integers, bools and floats).
llvm::Value *convertScalar(FunctionContext &fc, llvm::Value *value, const mir::Scalar &from,
                           const mir::Scalar &to);
/// What `RuntimeChecks` is in this session.
bool runtimeCheckValue(const mir::Program &program, mir::RuntimeCheck check);
/// The value of a `usize`, of a u32 …: an immediate integer constant of type `ty`.
OperandValue integerOperand(FunctionContext &fc, mir::TypeId ty, mir::u128 bits);

} // namespace mirgpu::lowering
