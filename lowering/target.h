// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lowering asks of a target. Everything else that differs between targets is expanded later,
// by codegen/, from neutral calls:
//   mirgpu.<id>(args..., ptr context, i32 place)                  an intrinsic row
//   (intrinsics/intrinsics.h) ptr  mirgpu.shared_address(ptr addrspace(S) @object)          generic
//   address of a `shared` static in the running block; takes also `ptr context` void
//   mirgpu.panic(ptr context, i32 place, i64 a, i64 b)       noreturn cold noinline, not convergent
//   (D6, D7) void mirgpu.panic_dynamic(ptr context, i32 place, ptr location, ptr text, i64 length,
//   i64 a, i64 b)
// and the neutral kernel function `mirgpu.kernel.<entry>` (lower.h). Lowering itself has no
// vendor's name.
#pragma once

#include "support/target_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mirgpu::lowering {

enum class MemorySpace : uint8_t { Generic, Global, Shared, Constant, Alloca };

/// What an operand of inline assembly is: a float, or an integer or pointer of this size.
struct AsmScalar {
  bool isFloat = false;
  unsigned bits = 0;
};

/// How a target takes an operand of inline assembly.
struct AsmRegister {
  std::string constraint; ///< LLVM's, without `=` and `&`
  unsigned bits = 0;      ///< integers narrower than this are widened
};

class Target {
public:
  virtual ~Target() = default;
  virtual const TargetSpec &spec() const = 0;
  virtual std::string triple() const = 0;
  /// The target machine's own data layout string, exactly.
  virtual std::string dataLayout() const = 0;
  /// LLVM's address space number of `space`; equal numbers need no cast.
  virtual unsigned addressSpace(MemorySpace space) const = 0;
  /// Alignment in bytes that the target gives i128 in memory is irrelevant (D5); this is the
  /// largest scalar access it has.
  virtual bool supportsFloat(unsigned bits) const = 0;
  /// Bytes of constant memory that a module may have.
  virtual uint64_t maxConstantBytes() const = 0;
  /// Whether initialisers of statics may lead back to themselves.
  virtual bool allowsStaticRings() const = 0;

  /// The register for an operand of the host's register class `name` (or of that very register of
  /// the host); none: the target cannot hold it.
  virtual std::optional<AsmRegister> asmRegister(std::string_view name, AsmScalar scalar) const = 0;
  /// LLVM's modifier for the template's `modifier` of an operand of class `name`; empty: none, as
  /// in the template.
  virtual std::string asmModifier(std::string_view name, std::string_view modifier) const = 0;
  /// The clobbers of assembly that does not preserve flags, comma-separated; empty: the target has
  /// no flags.
  virtual std::string asmFlags() const = 0;
  /// Whether assembly may name symbols and jump to labels: the text is assembled in-process.
  virtual bool hasAsmSymbols() const = 0;
  /// Whether the text is in Intel's syntax unless it says `att_syntax`.
  virtual bool isIntelAsm() const = 0;
};

} // namespace mirgpu::lowering
