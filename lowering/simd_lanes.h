// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vectors behind `simd_*` intrinsics. A `#[repr(simd)]` type is an LLVM vector of its lanes,
// also where its layout keeps it in memory (a packed one of three lanes). Every handler first asks
// for the shapes that core's declaration promises; a program that has others gets a diagnostic.
#pragma once

#include "lowering/core_intrinsics.h"

namespace mirgpu::lowering {

/// What the lanes of a `#[repr(simd)]` type are.
struct Lanes {
  mir::Scalar scalar;
  unsigned count = 0;
  mir::TypeId element;
  llvm::FixedVectorType *type = nullptr;

  bool isFloat() const { return scalar.primitive == mir::Primitive::Float; }
  bool isInteger() const { return scalar.primitive == mir::Primitive::Int; }
  bool isPointer() const { return scalar.primitive == mir::Primitive::Pointer; }
  bool operator==(const Lanes &other) const {
    return type == other.type && scalar.isSigned == other.scalar.isSigned;
  }
};

/// The lanes of `ty`; none if it is no `#[repr(simd)]` type.
std::optional<Lanes> lanesOf(const FunctionContext &fc, mir::TypeId ty);

/// A call whose shapes are looked at before its values.
class SimdCall {
public:
  explicit SimdCall(const IntrinsicCall &call) : call(call) {}

  const IntrinsicCall &call;
  llvm::IRBuilder<> &b = call.builder;

  size_t count() const { return call.args.size(); }
  /// The lanes of argument `index`, or of the result; none unless it is a vector.
  std::optional<Lanes> lanes(size_t index) const;
  std::optional<Lanes> resultLanes() const { return lanesOf(call.fc, call.dest.ty); }
  /// Whether the first `n` arguments, which are all there are, and the result are vectors of one
  /// type.
  bool isElementwise(size_t n) const;
  /// The vector in argument `index`.
  llvm::Value *vector(size_t index) const;
  /// Whether argument `index` is one value, of LLVM type `type`.
  bool isScalar(size_t index, llvm::Type *type) const;
  /// Whether the result is one value, of LLVM type `type`.
  bool returnsScalar(llvm::Type *type) const;
  /// The lanes of an integer vector as i1: its sign bits, of which every mask has all or none.
  llvm::Value *bits(llvm::Value *mask) const;
  /// Gives a vector to the call's destination.
  OperandValue result(llvm::Value *vector) const;
  /// MG0103: the shapes are not those of core's declaration.
  OperandValue misshapen() const;
};

std::span<const CoreIntrinsicRow> simdIntrinsics();       ///< lane by lane, and reductions
std::span<const CoreIntrinsicRow> simdLaneIntrinsics();   ///< conversions, masks, lanes by index
std::span<const CoreIntrinsicRow> simdMemoryIntrinsics(); ///< vectors of pointers, masked accesses

} // namespace mirgpu::lowering
