// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See math.h.
#include "intrinsics/math.h"

#include "support/check.h"

#include <algorithm>

using namespace llvm;

namespace mirgpu::intrinsics {

// clang-format off
static constexpr MathDef kRows[] = {
    // name     arity  rustc    C          libdevice  OCML      host      doc
    {"sin",     1,     "sin",   "sin",     "sin",     "sin",    "sin",    "Sine of an angle in radians."},
    {"cos",     1,     "cos",   "cos",     "cos",     "cos",    "cos",    "Cosine of an angle in radians."},
    {"tan",     1,     "",      "tan",     "tan",     "tan",    "tan",    "Tangent of an angle in radians."},
    {"asin",    1,     "",      "asin",    "asin",    "asin",   "asin",   "Arcsine, in -π/2 to π/2."},
    {"acos",    1,     "",      "acos",    "acos",    "acos",   "acos",   "Arccosine, in 0 to π."},
    {"atan",    1,     "",      "atan",    "atan",    "atan",   "atan",   "Arctangent, in -π/2 to π/2."},
    {"atan2",   2,     "",      "atan2",   "atan2",   "atan2",  "atan2",  "Angle of the point (second, first), in -π to π."},
    {"exp",     1,     "exp",   "exp",     "exp",     "exp",    "exp",    "e to the power of the argument."},
    {"exp2",    1,     "exp2",  "exp2",    "exp2",    "exp2",   "exp2",   "2 to the power of the argument."},
    {"expm1",   1,     "",      "expm1",   "expm1",   "expm1",  "expm1",  "e to the power of the argument, minus 1."},
    {"log",     1,     "log",   "log",     "log",     "log",    "log",    "Natural logarithm."},
    {"log2",    1,     "log2",  "log2",    "log2",    "log2",   "log2",   "Logarithm to base 2."},
    {"log10",   1,     "log10", "log10",   "log10",   "log10",  "log10",  "Logarithm to base 10."},
    {"log1p",   1,     "",      "log1p",   "log1p",   "log1p",  "log1p",  "Natural logarithm of 1 plus the argument."},
    {"sinh",    1,     "",      "sinh",    "sinh",    "sinh",   "sinh",   "Hyperbolic sine."},
    {"cosh",    1,     "",      "cosh",    "cosh",    "cosh",   "cosh",   "Hyperbolic cosine."},
    {"tanh",    1,     "",      "tanh",    "tanh",    "tanh",   "tanh",   "Hyperbolic tangent."},
    {"asinh",   1,     "",      "asinh",   "asinh",   "asinh",  "asinh",  "Inverse hyperbolic sine."},
    {"acosh",   1,     "",      "acosh",   "acosh",   "acosh",  "acosh",  "Inverse hyperbolic cosine."},
    {"pow",     2,     "pow",   "pow",     "pow",     "pow",    "pow",    "The first argument to the power of the second."},
    {"cbrt",    1,     "",      "cbrt",    "cbrt",    "cbrt",   "cbrt",   "Cube root."},
    {"hypot",   2,     "",      "hypot",   "hypot",   "hypot",  "hypot",  "Length of the vector (first, second)."},
    {"tgamma",  1,     "",      "tgamma",  "tgamma",  "tgamma", "tgamma", "Gamma function."},
    {"lgamma",  1,     "",      "lgamma",  "lgamma",  "lgamma", "lgamma", "Natural logarithm of the gamma function's absolute value."},
    {"erf",     1,     "",      "erf",     "erf",     "erf",    "erf",    "Error function."},
    {"erfc",    1,     "",      "erfc",    "erfc",    "erfc",   "erfc",   "1 minus the error function."},
    {"fmod",    2,     "",      "fmod",    "fmod",    "fmod",   "",       "Exact remainder of the division that rounds towards zero: `%`."},
};
// clang-format on

static constexpr StringLiteral kPrefix = "mirgpu.math.";

std::span<const MathDef> mathFunctions() { return kRows; }

const MathDef *findMathIntrinsic(std::string_view name) {
  const auto *row = std::ranges::find(kRows, name, &MathDef::intrinsic);
  return name.empty() || row == std::end(kRows) ? nullptr : row;
}

const MathDef *findMathFunction(std::string_view neutralName) {
  StringRef name(neutralName);
  if (!name.consume_front(kPrefix) || !(name.consume_back(".f32") || name.consume_back(".f64")))
    return nullptr;
  const auto *row = std::ranges::find(kRows, std::string_view(name), &MathDef::name);
  return row == std::end(kRows) ? nullptr : row;
}

const MathDef &mathFunction(std::string_view name) {
  const auto *row = std::ranges::find(kRows, name, &MathDef::name);
  MIRGPU_CHECK(row != std::end(kRows), "a math function without a row");
  return *row;
}

std::string librarySymbol(const MathDef &def, Backend backend, bool isDouble) {
  const char *width = isDouble ? "_f64" : "_f32";
  switch (backend) {
  case Backend::Nvptx:
    return "__nv_" + std::string(def.libdevice) + (isDouble ? "" : "f");
  case Backend::Amdgpu:
    return "__ocml_" + std::string(def.ocml) + width;
  case Backend::Host:
    return def.host.empty() ? "" : "mirgpu_host_" + std::string(def.host) + width;
  }
  llvm_unreachable("covered");
}

Function *declareMath(const MathDef &def, Module &module, Type *type) {
  MIRGPU_CHECK(type->isFloatTy() || type->isDoubleTy(), "a math function of another width");
  std::string name = (kPrefix + def.name + (type->isDoubleTy() ? ".f64" : ".f32")).str();
  if (Function *known = module.getFunction(name))
    return known;
  SmallVector<Type *, 2> params(def.arity, type);
  Function *fn = Function::Create(FunctionType::get(type, params, false),
                                  GlobalValue::ExternalLinkage, name, module);
  fn->setDoesNotAccessMemory();
  fn->setDoesNotThrow();
  fn->setWillReturn();
  fn->addFnAttr(Attribute::NoFree);
  fn->addFnAttr(Attribute::NoSync);
  fn->addFnAttr(Attribute::Speculatable);
  return fn;
}

} // namespace mirgpu::intrinsics
