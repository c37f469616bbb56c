// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every core intrinsic with a row has a signature that its calls are held against: a handler relies
// on number and representation of its arguments, which the reader does not know.
#include "lowering/core_intrinsic_signatures.h"

#include <doctest/doctest.h>

#include <string>

using namespace mirgpu::lowering;

TEST_CASE("each core intrinsic that is lowered has a signature") {
  for (auto rows : {integerIntrinsics(), floatIntrinsics(), memoryIntrinsics(), pointerIntrinsics(),
                    atomicIntrinsics(), queryIntrinsics()})
    for (const CoreIntrinsicRow &row : rows) {
      INFO(std::string(row.name));
      const bool isRefused = row.name.starts_with("va_") || row.name.starts_with("prefetch_");
      CHECK(coreIntrinsicSignature(row.name).empty() == isRefused);
    }
  CHECK(coreIntrinsicSignature("sqrtf32") == "EE");
  CHECK(coreIntrinsicSignature("round_ties_even_f64") == "EE");
  CHECK(coreIntrinsicSignature("powif16") == "EE4");
  CHECK(coreIntrinsicSignature("sqrt").empty());
  CHECK(coreIntrinsicSignature("simd_add").empty());
}
