// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of mirgpu's own intrinsics (DESIGN D8): one row each, with the signature, an emitter
// for each back end, minimum requirements and a one-line doc. The id is the Rust path below
// `mirgpu_device`, as `#[mirgpu_tool::intrinsic("…")]` gives it.
//
// Lowering emits every use as a call of the declared function `mirgpu.<id>` whose parameters are
// the row's, followed by `ptr context` (the hidden context of the calling function) and `i32 place`
// (index into the place table; 0 unless the row is a collective). codegen/<target> replaces each
// such call through the row's emitter; none is left when code is generated.
#pragma once

#include "support/target_spec.h"

#include "llvm/IR/IRBuilder.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mirgpu::intrinsics {

/// What one parameter or result is, in Rust's terms.
enum class ValueKind : uint8_t { Void, Bool, U32, I32, U64, I64, F32, F64, Ptr };

/// A row's signature, made by sig<R(Args...)>().
struct Signature {
  ValueKind result = ValueKind::Void;
  std::array<ValueKind, 6> params{};
  uint8_t count = 0;
};

/// What an emitter may use. `builder` stands at the call; the emitter returns the value that
/// replaces the call's result (null for Void) and leaves the call itself for the caller to erase.
struct EmitContext {
  llvm::IRBuilder<> &builder;
  llvm::Module &module;
  const TargetSpec &target;
  llvm::Value *context; ///< hidden context of the calling function: a LaneContext * on the host
  llvm::Value *place;   ///< i32
};

using Emitter = llvm::Value *(*)(EmitContext &, llvm::CallBase &);

/// One back end's cell: empty, a call of an LLVM intrinsic with the row's own operands, or an
/// emitter.
struct Column {
  const char *llvmIntrinsic = nullptr;
  Emitter emitter = nullptr;
  bool isEmpty() const { return !llvmIntrinsic && !emitter; }
};

/// Least NVIDIA target and PTX version that have the operation; 0: no limit.
struct Minimums {
  uint32_t sm = 0;
  uint32_t ptx = 0;
};

struct IntrinsicDef {
  std::string_view id;
  Signature signature;
  Column nvptx, amdgpu, host;
  Minimums minimums;
  bool collective = false; ///< other lanes take part: a place is recorded, the kernel is marked
  std::string_view doc;
  bool awaited = false; ///< a loop may go round until another thread changes what it reads
};

/// Every row, family by family.
std::span<const IntrinsicDef> allIntrinsics();

/// The row of `id`, or null.
const IntrinsicDef *find(std::string_view id);

/// Why `def` is not available on `target`, worded for a diagnostic (`needs sm_90 or newer`);
/// nullopt if it is.
std::optional<std::string> missingRequirement(const IntrinsicDef &def, const TargetSpec &target);

/// The type of `mirgpu.<id>`: the row's parameters, then `ptr context`, `i32 place`. Bool is i1.
llvm::FunctionType *functionType(const IntrinsicDef &def, llvm::LLVMContext &context);

/// The declaration in `module`, made on first use; `convergent` (D6).
llvm::Function *declare(const IntrinsicDef &def, llvm::Module &module);

/// Replaces every call of a `mirgpu.<id>` row by what its column for `target` emits, and erases the
/// declarations.
void expandIntrinsics(llvm::Module &module, const TargetSpec &target);

} // namespace mirgpu::intrinsics
