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
#include <string>

namespace mirgpu::lowering {

enum class MemorySpace : uint8_t { Generic, Global, Shared, Constant, Alloca };

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
};

} // namespace mirgpu::lowering
