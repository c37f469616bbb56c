// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See asm_operands.h.
#include "codegen/asm_operands.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace mirgpu::codegen {

using lowering::AsmRegister;
using lowering::AsmScalar;
using Register = std::optional<AsmRegister>;

/// Register classes of the host that any register of the type's size stands for on a GPU; others
/// are names of the host's registers.
static bool isGeneralClass(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"reg", "reg_abcd", "reg_byte"}, true)   // x86-64
      .Cases({"xmm_reg", "ymm_reg", "zmm_reg"}, true) // x86-64
      .Cases({"vreg", "vreg_low16"}, true)            // AArch64
      .Default(false);
}

/// PTX has registers of 16, 32, 64 and 128 bits, and of f32 and f64.
static Register nvptxRegister(AsmScalar scalar) {
  if (scalar.isFloat)
    switch (scalar.bits) {
    case 16:
      return AsmRegister{"h", 16};
    case 32:
      return AsmRegister{"f", 32};
    case 64:
      return AsmRegister{"d", 64};
    default:
      return std::nullopt;
    }
  if (scalar.bits <= 16)
    return AsmRegister{"h", 16};
  if (scalar.bits <= 32)
    return AsmRegister{"r", 32};
  if (scalar.bits <= 64)
    return AsmRegister{"l", 64};
  return scalar.bits == 128 ? Register(AsmRegister{"q", 128}) : std::nullopt;
}

/// A value differs between the lanes of a wave, so it lives in vector registers, of 32 bits each.
static Register amdgpuRegister(AsmScalar scalar) {
  if (scalar.bits > 128)
    return std::nullopt;
  return AsmRegister{"v", scalar.isFloat ? scalar.bits : std::max(scalar.bits, 32u)};
}

static Register x86Register(StringRef name, AsmScalar scalar) {
  StringRef constraint = StringSwitch<StringRef>(name)
                             .Case("reg", "r")
                             .Case("reg_abcd", "Q")
                             .Case("reg_byte", "q")
                             .Cases({"xmm_reg", "ymm_reg"}, "x")
                             .Case("zmm_reg", "v")
                             .Case("kreg", "^Yk")
                             .Default("");
  return AsmRegister{constraint.empty() ? ("{" + name + "}").str() : constraint.str(), scalar.bits};
}

static Register aarch64Register(StringRef name, AsmScalar scalar) {
  StringRef constraint = StringSwitch<StringRef>(name)
                             .Case("reg", "r")
                             .Case("vreg", "w")
                             .Case("vreg_low16", "x")
                             .Default("");
  bool isWidened = !scalar.isFloat && name == "reg";
  return AsmRegister{constraint.empty() ? ("{" + name + "}").str() : constraint.str(),
                     isWidened ? std::max(scalar.bits, 32u) : scalar.bits};
}

Register asmRegister(Backend backend, const Triple &triple, std::string_view name,
                     AsmScalar scalar) {
  if (backend == Backend::Host)
    return triple.isX86() ? x86Register(name, scalar) : aarch64Register(name, scalar);
  if (!isGeneralClass(name))
    return std::nullopt;
  return backend == Backend::Nvptx ? nvptxRegister(scalar) : amdgpuRegister(scalar);
}

/// The Rust Reference, "Inline assembly", "Template modifiers"; a 64-bit name is the default.
static std::string x86Modifier(StringRef name, StringRef modifier) {
  if (name == "reg" || name == "reg_abcd")
    return StringSwitch<std::string>(modifier)
        .Cases({"", "r"}, "q")
        .Case("e", "k")
        .Case("x", "w")
        .Case("l", "b")
        .Case("h", "h")
        .Default("");
  if (name == "xmm_reg" || name == "ymm_reg" || name == "zmm_reg")
    return StringSwitch<std::string>(modifier).Case("x", "x").Case("y", "t").Case("z", "g").Default(
        name == "xmm_reg"   ? "x"
        : name == "ymm_reg" ? "t"
                            : "g");
  return "";
}

static std::string aarch64Modifier(StringRef name, StringRef modifier) {
  return name != "reg" && modifier == "v" ? "" : modifier.str();
}

std::string asmModifier(Backend backend, const Triple &triple, std::string_view name,
                        std::string_view modifier) {
  if (backend != Backend::Host)
    return ""; // a modifier says which part of a host's register is meant
  return triple.isX86() ? x86Modifier(name, modifier) : aarch64Modifier(name, modifier);
}

} // namespace mirgpu::codegen
