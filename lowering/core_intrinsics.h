// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rustc's own intrinsics (those of library/core/src/intrinsics in 1.96 that reach a code generator)
// in LLVM IR: one table row each, by family, from name to a small handler. What has no row uses the
// fallback body that core gives, else it is a diagnostic. Math functions that need a library
// (`sinf32`, `powf64` …) have rows that say so.
#pragma once

#include "lowering/function_context.h"

#include <optional>
#include <span>
#include <string_view>

namespace mirgpu::lowering {

/// The value of the call, of the kind that `dest.ty` has; none if the intrinsic has no row. A
/// diverging one (`abort`, `unreachable`) leaves the block terminated. A result in memory may be
/// written to `dest.memory` and returned as a Ref of it.
std::optional<OperandValue> lowerCoreIntrinsic(FunctionContext &fc,
                                               const mir::CalleeIntrinsic &callee,
                                               llvm::ArrayRef<OperandValue> args,
                                               const Destination &dest);

/// One call being lowered: what a handler needs, checked once.
struct IntrinsicCall {
  FunctionContext &fc;
  const mir::CalleeIntrinsic &callee;
  llvm::ArrayRef<OperandValue> args;
  const Destination &dest;
  llvm::IRBuilder<> &builder;

  /// The immediate of argument `index`.
  llvm::Value *imm(unsigned index) const { return args[index].imm(); }
  /// The address in a thin or wide pointer argument.
  llvm::Value *pointer(unsigned index) const { return args[index].first; }
  /// The `index`th generic argument, a type.
  mir::TypeId typeArg(unsigned index) const;
  const mir::Type &typeOfArg(unsigned index) const { return fc.type(typeArg(index)); }
  /// The `index`th constant among the generic arguments.
  mir::u128 constArg(unsigned index) const;
  /// The value of an intrinsic that returns `()`.
  OperandValue unit() const { return OperandValue::zeroSized(dest.ty); }
  OperandValue result(llvm::Value *value) const { return OperandValue::immediate(dest.ty, value); }
  OperandValue result(llvm::Value *first, llvm::Value *second) const {
    return OperandValue::pair(dest.ty, first, second);
  }
  /// Reports MG0103 and goes on with poison.
  OperandValue unsupported(std::string why) const;
};

using IntrinsicHandler = OperandValue (*)(const IntrinsicCall &);

struct CoreIntrinsicRow {
  std::string_view name;
  IntrinsicHandler handler;
};

std::span<const CoreIntrinsicRow> integerIntrinsics();
std::span<const CoreIntrinsicRow> floatIntrinsics(); ///< those that are generic over the float
std::span<const CoreIntrinsicRow> memoryIntrinsics();
std::span<const CoreIntrinsicRow> pointerIntrinsics();
std::span<const CoreIntrinsicRow> atomicIntrinsics();
std::span<const CoreIntrinsicRow> queryIntrinsics();

/// Reports an intrinsic that no kernel can have, with the reason; none if it is not known as one.
std::optional<OperandValue> refuseCoreIntrinsic(const IntrinsicCall &call);

/// Float functions named by width (`sqrtf32`, `round_ties_even_f64`); none if the name is no such
/// function.
std::optional<OperandValue> lowerFloatFunction(const IntrinsicCall &call);

} // namespace mirgpu::lowering
