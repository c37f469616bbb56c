// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See core_intrinsics.h: finds the row of an intrinsic and calls its handler.
#include "lowering/core_intrinsics.h"

#include "lowering/core_intrinsic_signatures.h"
#include "lowering/simd_lanes.h"

#include "support/check.h"

#include <array>

namespace mirgpu::lowering {

mir::TypeId IntrinsicCall::typeArg(unsigned index) const {
  for (const mir::GenericArg &arg : callee.args)
    if (!arg.constant && index-- == 0)
      return arg.ty;
  MIRGPU_CHECK(false, "an intrinsic with fewer type arguments than its row says");
  return {};
}

mir::u128 IntrinsicCall::constArg(unsigned index) const {
  for (const mir::GenericArg &arg : callee.args)
    if (arg.constant && index-- == 0)
      return *arg.constant;
  MIRGPU_CHECK(false, "an intrinsic with fewer constant arguments than its row says");
  return 0;
}

OperandValue IntrinsicCall::unsupported(std::string why) const {
  fc.error("MG0103", std::move(why));
  return poisonOperand(fc, dest.ty);
}

std::optional<OperandValue> lowerCoreIntrinsic(FunctionContext &fc,
                                               const mir::CalleeIntrinsic &callee,
                                               llvm::ArrayRef<OperandValue> args,
                                               const Destination &dest) {
  const IntrinsicCall call{fc, callee, args, dest, fc.builder};
  const std::array tables = {integerIntrinsics(), floatIntrinsics(),    memoryIntrinsics(),
                             pointerIntrinsics(), atomicIntrinsics(),   queryIntrinsics(),
                             simdIntrinsics(),    simdLaneIntrinsics(), simdMemoryIntrinsics()};
  if (!fitsSignature(call))
    return call.unsupported("this version of mirgpu knows the core intrinsic `" +
                            std::string(callee.name) + "` with another signature");
  for (std::span<const CoreIntrinsicRow> table : tables)
    for (const CoreIntrinsicRow &row : table)
      if (row.name == callee.name)
        return row.handler(call);
  if (auto value = lowerFloatFunction(call))
    return value;
  // One with a body of core's own that knows better is not refused.
  return callee.fallback.isValid() ? std::nullopt : refuseCoreIntrinsic(call);
}

} // namespace mirgpu::lowering
