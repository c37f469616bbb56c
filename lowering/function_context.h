// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of lowering one MIR body to one llvm::Function: the builder, the LLVM block of each MIR
// block, and where each local lives: nowhere (ZeroSized), in an SSA value (assigned once, never
// addressed), or in a slot: an alloca in the target's alloca space, seen through a generic pointer.
// Handlers are free functions that take the context; they emit at `builder`. Invariant: between two
// handlers the builder stands at the end of a block without terminator.
#pragma once

#include "lowering/module_context.h"
#include "lowering/operand.h"

#include "llvm/IR/IRBuilder.h"

#include <optional>
#include <string>
#include <vector>

namespace mirgpu::lowering {

/// Where a call or an assignment puts its value: memory, an SSA local, or nowhere (ZeroSized).
struct Destination {
  mir::TypeId ty;
  std::optional<PlaceRef> memory;    ///< set: write it there
  std::optional<mir::LocalId> local; ///< set: the local's SSA value is to be defined
};

class FunctionContext {
public:
  FunctionContext(ModuleContext &mc, mir::FunctionId id, llvm::Function *value);
  ~FunctionContext();
  FunctionContext(const FunctionContext &) = delete;
  FunctionContext &operator=(const FunctionContext &) = delete;

  ModuleContext &mc;
  const mir::Program &program;
  const mir::FunctionId id;
  const mir::Function &function;
  const mir::Body &body;
  llvm::Function *const value;
  llvm::IRBuilder<> builder;
  llvm::Value *context = nullptr; ///< the hidden `ptr context` parameter
  llvm::Value *callerLocation =
      nullptr; ///< the hidden location of a `#[track_caller]` function, else null
  llvm::Value *returnSlot = nullptr; ///< where a memory result goes, else null

  /// While a call is lowered: the `core::panic::Location` that it passes on, or null.
  llvm::Value *currentCallLocation = nullptr;

  // ---- Position -------------------------------------------------------------------------------
  mir::SpanId span;   ///< of the statement or terminator being lowered
  mir::ScopeId scope; ///< its scope
  mir::BlockId block; ///< its block
  /// Sets span and scope, and the builder's debug location with them.
  void setPosition(mir::SpanId span, mir::ScopeId scope);

  // ---- Blocks ---------------------------------------------------------------------------------
  llvm::BasicBlock *blockFor(mir::BlockId id);
  /// A new block at the end of the function.
  llvm::BasicBlock *newBlock(const llvm::Twine &name);
  /// An alloca in the entry block, as a generic pointer.
  llvm::Value *allocaBytes(uint64_t size, uint64_t align, const llvm::Twine &name);
  /// A fresh temporary of this (sized) type.
  PlaceRef temporary(mir::TypeId ty, const llvm::Twine &name = "tmp");

  // ---- Locals ---------------------------------------------------------------------------------
  /// The memory of a local that lives in a slot; null for others.
  const PlaceRef *slotOf(mir::LocalId local) const;
  /// The SSA value (or ZeroSized) of a local that does not live in a slot. Poison if it has none
  /// yet (dead code).
  OperandValue valueOf(mir::LocalId local);
  void defineLocal(mir::LocalId local, const OperandValue &value);
  /// Gives the locals with `needsSlot` an alloca (but what comes by pointer its own memory), the
  /// others a value, and takes the parameters in. Called once, with the builder at the end of the
  /// entry block.
  void placeLocals(const std::vector<bool> &needsSlot);

  // ---- Types ----------------------------------------------------------------------------------
  const mir::Type &type(mir::TypeId ty) const { return program.types[ty]; }
  mir::TypeId typeOf(const mir::Place &place) const { return mir::placeType(program, body, place); }
  mir::TypeId typeOf(const mir::Operand &operand) const {
    return mir::operandType(program, body, operand);
  }
  llvm::ConstantInt *usize(uint64_t n) const { return mc.usize(n); }

  // ---- Globals, functions ---------------------------------------------------------------------
  /// The address of what an alloc names, plus an offset; emits a call for a `shared` static.
  llvm::Value *allocAddress(mir::AllocId alloc, uint64_t offset);
  llvm::Value *staticAddress(mir::StaticId id);
  llvm::Function *functionFor(mir::FunctionId callee) { return mc.function(callee, id, span); }

  // ---- Diagnostics ----------------------------------------------------------------------------
  /// Reports a construct that is not lowered (MG0101), at the current span with the call chain. Go
  /// on with poison.
  void unsupported(const std::string &what, const std::string &help = "");
  /// Reports any other diagnostic at the current span.
  Diagnostic &error(std::string_view code, std::string message);

private:
  enum class Home : uint8_t { Slot, Value, Nothing };
  struct LocalState {
    Home home = Home::Nothing;
    PlaceRef slot;
    std::optional<OperandValue> value;
  };
  std::vector<LocalState> locals_;
  std::vector<llvm::BasicBlock *> blocks_;
  const FunctionContext *outer_ = nullptr;
  llvm::Instruction *lastAlloca_ = nullptr;

  void placeParameter(mir::LocalId local, const OperandValue &incoming);
};

// ---- Places (place.cpp) -----------------------------------------------------------------------

/// The memory of a place. CHECKs that the base local has a slot or is dereferenced.
PlaceRef lowerPlace(FunctionContext &fc, const mir::Place &place);
/// The value of a place, whether it lives in memory or in SSA values.
OperandValue lowerPlaceValue(FunctionContext &fc, const mir::Place &place);
/// The value of a whole local.
OperandValue lowerLocal(FunctionContext &fc, mir::LocalId local);
/// Evaluates the place that will be written; to be called before the value is computed.
Destination lowerDestination(FunctionContext &fc, const mir::Place &place);
/// Puts `value` there.
void storeTo(FunctionContext &fc, const Destination &dest, const OperandValue &value);
/// What a reference, raw pointer or Box value points to.
PlaceRef derefPointer(FunctionContext &fc, const OperandValue &pointer);
/// Field of a place, with the dynamic offset of an unsized tail.
PlaceRef projectField(FunctionContext &fc, const PlaceRef &base, uint32_t field);
/// Element of an array or slice place.
PlaceRef projectIndex(FunctionContext &fc, const PlaceRef &base, llvm::Value *index);
/// Number of elements of an array or slice place (i64).
llvm::Value *placeLength(FunctionContext &fc, const PlaceRef &place);
/// The pointer to a place as a value of (fat or thin) pointer type `pointerTy`.
OperandValue addressOf(FunctionContext &fc, const PlaceRef &place, mir::TypeId pointerTy);

/// Size and alignment in bytes (i64) of a value of `ty` whose pointer has this metadata (null if
/// sized).
struct SizeAndAlign {
  llvm::Value *size = nullptr;
  llvm::Value *align = nullptr;
};
SizeAndAlign sizeAndAlignOf(FunctionContext &fc, mir::TypeId ty, llvm::Value *metadata);

// ---- Rvalues (rvalue.cpp) ---------------------------------------------------------------------

/// Evaluates an rvalue to where it goes; aggregates and repeats are built in place.
void lowerAssign(FunctionContext &fc, const mir::Assign &assign);
/// A binary operation on values (binary.cpp); `ty` is the result's type.
OperandValue lowerBinaryOp(FunctionContext &fc, mir::BinOp op, const OperandValue &lhs,
                           const OperandValue &rhs, mir::TypeId ty);

// ---- Discriminants (discriminant.cpp) ---------------------------------------------------------

/// The discriminant of a value as type `ty` (an integer type).
llvm::Value *lowerGetDiscriminant(FunctionContext &fc, const OperandValue &value, mir::TypeId ty);
void lowerSetDiscriminant(FunctionContext &fc, const PlaceRef &place, uint32_t variant);

// ---- Blocks and calls -------------------------------------------------------------------------

/// The whole body.
void lowerBody(FunctionContext &fc);
/// Calls `callee` with MIR values (tuples of rust-call already spread) by our ABI and stores the
/// result. `location` is the hidden location argument or null.
void emitCall(FunctionContext &fc, llvm::Value *callee, llvm::FunctionType *type,
              llvm::ArrayRef<OperandValue> args, llvm::Value *location, const Destination &dest);

} // namespace mirgpu::lowering
