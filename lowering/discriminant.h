// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What marks a variant in memory: see discriminant.cpp for the rules. lowerGetDiscriminant and
// lowerSetDiscriminant are declared in function_context.h.
#pragma once

#include "lowering/function_context.h"

namespace mirgpu::lowering {

/// The bits that mark a variant, to be truncated to the scalar's width.
struct TagValue {
  const mir::Scalar *scalar = nullptr;
  uint64_t offset = 0;
  mir::u128 bits = 0;
};
/// What to store for `variant` of an inhabited type; none if nothing marks it.
std::optional<TagValue> tagOfVariant(const mir::Type &type, uint32_t variant);
/// The tag as an immediate of its scalar.
llvm::Value *tagConstant(FunctionContext &fc, const TagValue &tag);

} // namespace mirgpu::lowering
