// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of math functions (DESIGN D3, D10): one row each, with the names under which Rust asks
// for it and those of the library that has it on each target. Lowering emits every use as a call of
// the declared function `mirgpu.math.<name>.<f32|f64>`, floats in, a float out; codegen/math.cpp
// replaces it by the library's function, and links that into the module. What every target computes
// exactly by itself (sqrt, floor, fma, …) has no row: lowering emits LLVM's intrinsic.
#pragma once

#include "support/target_spec.h"

#include "llvm/IR/Module.h"

#include <span>
#include <string>
#include <string_view>

namespace mirgpu::intrinsics {

struct MathDef {
  std::string_view name;
  uint8_t arity;
  std::string_view intrinsic; ///< rustc's, without the width: `sin` of `sinf32`; empty: none
  std::string_view symbol;    ///< C's for f64; that for f32 has an `f` more; empty: none
  std::string_view libdevice; ///< after `__nv_`, for f64; that for f32 has an `f` more
  std::string_view ocml;      ///< between `__ocml_` and `_f64`
  std::string_view host;      ///< between `mirgpu_host_` and `_f64`; empty: LLVM's frem
  std::string_view doc;
};

/// Every row.
std::span<const MathDef> mathFunctions();

/// The row of a rustc intrinsic without its width, or null.
const MathDef *findMathIntrinsic(std::string_view name);

/// The row of the neutral name `mirgpu.math.<name>.<f32|f64>`, or null.
const MathDef *findMathFunction(std::string_view neutralName);

/// The row named `name`, which must exist.
const MathDef &mathFunction(std::string_view name);

/// The function of the library that computes `def` on `backend`, for f64 or f32; empty: it is an
/// instruction.
std::string librarySymbol(const MathDef &def, Backend backend, bool isDouble);

/// The declaration of `mirgpu.math.<name>.<f32|f64>` in `module`, made on first use. It is pure and
/// not convergent: where it stands does not matter.
llvm::Function *declareMath(const MathDef &def, llvm::Module &module, llvm::Type *type);

} // namespace mirgpu::intrinsics
