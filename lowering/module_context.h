// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one lowering: the program, the llvm::Module that it becomes, and what has been made
// of it so far. It maps scalars to LLVM types, and functions, statics, vtables and constant memory
// to globals, each made on first use. A function that is asked for is declared and put on the
// worklist, so that everything reached is lowered once. Invariants: every global made here has a
// name in [A-Za-z0-9_$], every function is internal, convergent and nounwind, and no LLVM struct
// type ever describes the memory of a Rust value that code accesses (packed structs occur in
// initialisers alone).
#pragma once

#include "lowering/diagnose.h"
#include "lowering/lower.h"
#include "mir_reader/query.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace mirgpu::lowering {

class DebugInfo;     // debuginfo.h
class PlaceTable;    // place_table.h
class PanicAnalysis; // panic_cut.h

/// Whether a scalar is an i1 as a value: an unsigned byte that is valid in 0..=1.
bool isBool(const mir::Scalar &scalar);

class ModuleContext {
public:
  ModuleContext(const mir::Program &program, llvm::Module &module, const Target &target,
                const LowerOptions &options, Diagnostics &diags);

  const mir::Program &program;
  llvm::LLVMContext &context;
  llvm::Module &module;
  const Target &target;
  const LowerOptions &options;
  Diagnostics &diags;
  PlaceTable *places = nullptr;    ///< set by lowerModule before anything is lowered
  PanicAnalysis *panics = nullptr; ///< set with `places`
  DebugInfo *debugInfo = nullptr;  ///< null without debug information

  // ---- Types ----------------------------------------------------------------------------------
  const mir::Type &type(mir::TypeId ty) const { return program.types[ty]; }
  /// The type of `scalar` as an SSA value: i1 for bool, else as in memory.
  llvm::Type *immediateType(const mir::Scalar &scalar) const;
  /// The type of `scalar` in memory: i8 for bool.
  llvm::Type *memoryType(const mir::Scalar &scalar) const;
  /// The immediate type of a type with a scalar or vector representation. CHECKs that it has one.
  llvm::Type *immediateType(mir::TypeId ty) const;
  /// A generic pointer.
  llvm::PointerType *pointerType() const;
  llvm::IntegerType *usizeType() const;
  llvm::ConstantInt *usize(uint64_t value) const;

  // ---- Functions ------------------------------------------------------------------------------
  /// The function that stands for `id`, declared on first use and put on the worklist. `caller` and
  /// `callSite` say who asked first: they make the call chain of diagnostics.
  llvm::Function *function(mir::FunctionId id, mir::FunctionId caller, mir::SpanId callSite);
  /// The next function whose body must be lowered; invalid when there is none.
  mir::FunctionId nextFunction();
  /// Who asked for which function first.
  CallChains chains;
  /// A function without a body that a kernel reaches: says so (MG0102), once a place.
  void reportNoBody(mir::FunctionId id, mir::FunctionId caller, mir::SpanId callSite);
  /// An allocation without a heap: says so (MG0106), once a program, as one answer mends all.
  void reportNoHeap(mir::FunctionId caller, mir::SpanId callSite);

  // ---- Globals --------------------------------------------------------------------------------
  /// Who needs the globals that are being made, for the call chain; set by FunctionContext.
  void setRequester(mir::FunctionId function, mir::SpanId span) {
    requester_ = function, requesterSpan_ = span;
  }
  /// Generic address of what `id` names, plus `offset`. Not for `shared` statics: null then.
  llvm::Constant *allocAddress(mir::AllocId id, uint64_t offset);
  llvm::Constant *vtableAddress(mir::VtableId id);
  llvm::GlobalVariable *staticGlobal(mir::StaticId id);
  /// The value behind `address` if that is a static by which code asks what target it runs on
  /// (`#[mirgpu_tool::target("…")]`). Known at once, so that only this target's side of a branch is
  /// lowered.
  std::optional<bool> targetAnswer(const llvm::Value *address) const;
  /// The statics that the host may read and write, of those that are left in the module; by key.
  std::vector<LoweredStatic> hostStatics() const;
  /// A target whose statics cannot form rings says so; after everything is lowered.
  void checkStaticRings();
  /// Whether the static lives in a block's shared memory.
  bool isShared(mir::StaticId id) const;
  /// Whether a type may only be that of a shared static: the device crate's `SharedArray`.
  bool isSharedArray(mir::TypeId ty) const;
  /// A value cast to the generic address space, as a constant.
  llvm::Constant *toGeneric(llvm::Constant *pointer) const;
  /// Reads `size` bytes (at most 16) at `offset` of a memory alloc as an integer; none if they hold
  /// undef or a pointer.
  std::optional<mir::u128> readBytes(mir::AllocId id, uint64_t offset, uint64_t size) const;
  /// The pointer stored at `offset` of a memory alloc, as an alloc and an addend.
  std::optional<mir::ConstPtr> readPointer(mir::AllocId id, uint64_t offset) const;
  /// A private constant with this text, for messages; generic address.
  llvm::Constant *textAddress(std::string_view text);

  // ---- Diagnostics ----------------------------------------------------------------------------
  /// Adds a diagnostic of this function with its call chain, and marks the function as not to be
  /// emitted.
  Diagnostic &error(mir::FunctionId function, std::string_view code, std::string message,
                    mir::SpanId span);
  /// Functions with an error in them; kernels that reach one are dropped.
  llvm::DenseSet<llvm::Function *> functionsWithErrors;

private:
  llvm::GlobalVariable *memoryGlobal(mir::AllocId id);
  llvm::Constant *initializer(const mir::AllocMemory &memory);
  llvm::GlobalVariable *targetQuery(mir::StaticId id);
  llvm::GlobalVariable *initializedStatic(mir::StaticId id);
  void reserveConstant(mir::StaticId id, uint64_t bytes);
  Diagnostic &staticError(mir::StaticId id, std::string message);
  std::string staticName(const mir::Static &item);
  llvm::Constant *initializer(const mir::Vtable &vtable);
  /// Gives `global` its initialiser and, if this is the outermost call, all globals that it leads
  /// to theirs: a list, so that a long chain of constants needs no stack.
  void initialize(llvm::GlobalVariable *global,
                  std::variant<const mir::AllocMemory *, const mir::Vtable *> content);
  std::string uniqueName(std::string name);

  std::vector<llvm::Function *> functions_;
  std::deque<mir::FunctionId> worklist_;
  std::vector<llvm::GlobalVariable *> allocs_;
  std::vector<llvm::GlobalVariable *> statics_;
  std::vector<mir::FunctionId> staticRequesters_;                  ///< who needed the static first
  std::vector<std::pair<mir::StaticId, std::string>> hostStatics_; ///< with their symbols
  llvm::DenseMap<const llvm::GlobalVariable *, bool> targetAnswers_; ///< see targetAnswer
  uint64_t constantBytes_ = 0;
  std::vector<llvm::GlobalVariable *> vtables_;
  std::vector<std::pair<llvm::GlobalVariable *,
                        std::variant<const mir::AllocMemory *, const mir::Vtable *>>>
      uninitialized_;
  bool isInitializing_ = false;
  bool needsHeap_ = false; ///< reportNoHeap has said so
  llvm::StringMap<llvm::Constant *> texts_;
  llvm::StringMap<uint32_t> names_;
  mir::FunctionId requester_;
  mir::SpanId requesterSpan_;
};

} // namespace mirgpu::lowering
