// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See module_context.h: scalars to LLVM types, functions on the worklist, names, diagnostics.
// Globals are in alloc.cpp and statics.cpp.
#include "lowering/module_context.h"

#include "lowering/allocator.h"
#include "lowering/function_abi.h"
#include "lowering/panic.h"
#include "lowering/symbol_name.h"
#include "support/check.h"

namespace mirgpu::lowering {

ModuleContext::ModuleContext(const mir::Program &program_, llvm::Module &module_,
                             const Target &target_, const LowerOptions &options_,
                             Diagnostics &diags_)
    : program(program_), context(module_.getContext()), module(module_), target(target_),
      options(options_), diags(diags_), functions_(program_.functions.size()),
      allocs_(program_.allocs.size()), statics_(program_.statics.size()),
      staticRequesters_(program_.statics.size()), vtables_(program_.vtables.size()) {}

static llvm::Type *floatType(llvm::LLVMContext &context, uint32_t bits) {
  switch (bits) {
  case 16:
    return llvm::Type::getHalfTy(context);
  case 32:
    return llvm::Type::getFloatTy(context);
  case 64:
    return llvm::Type::getDoubleTy(context);
  case 128:
    return llvm::Type::getFP128Ty(context);
  }
  MIRGPU_CHECK(false, "a float of a width that Rust does not have");
}

bool isBool(const mir::Scalar &scalar) {
  return scalar.primitive == mir::Primitive::Int && scalar.bits == 8 && !scalar.isSigned &&
         scalar.isInit && scalar.validStart == 0 && scalar.validEnd == 1;
}

llvm::Type *ModuleContext::memoryType(const mir::Scalar &scalar) const {
  switch (scalar.primitive) {
  case mir::Primitive::Int:
    return llvm::IntegerType::get(context, scalar.bits);
  case mir::Primitive::Float:
    return floatType(context, scalar.bits);
  case mir::Primitive::Pointer:
    return pointerType();
  }
  llvm_unreachable("covered");
}

llvm::Type *ModuleContext::immediateType(const mir::Scalar &scalar) const {
  return isBool(scalar) ? llvm::Type::getInt1Ty(context) : memoryType(scalar);
}

llvm::Type *ModuleContext::immediateType(mir::TypeId ty) const {
  const mir::Repr &repr = type(ty).repr;
  if (const auto *scalar = std::get_if<mir::ReprScalar>(&repr))
    return immediateType(scalar->scalar);
  const auto *vector = std::get_if<mir::ReprVector>(&repr);
  MIRGPU_CHECK(vector, "the immediate type of a type that is no scalar and no vector");
  return llvm::FixedVectorType::get(memoryType(vector->scalar),
                                    static_cast<unsigned>(vector->count));
}

llvm::PointerType *ModuleContext::pointerType() const {
  return llvm::PointerType::get(context, target.addressSpace(MemorySpace::Generic));
}

llvm::IntegerType *ModuleContext::usizeType() const {
  return llvm::IntegerType::get(context, program.target.pointerWidth);
}

llvm::ConstantInt *ModuleContext::usize(uint64_t value) const {
  return llvm::ConstantInt::get(usizeType(), value);
}

llvm::Function *ModuleContext::function(mir::FunctionId id, mir::FunctionId caller,
                                        mir::SpanId callSite) {
  id = standIn(program, id);
  llvm::Function *&slot = functions_[id.index];
  if (slot)
    return slot;
  const mir::Function &function = program.functions[id];
  chains.required(id, caller, callSite);
  slot =
      llvm::Function::Create(abiFunctionType(*this, function), llvm::GlobalValue::InternalLinkage,
                             0, uniqueName(symbolName(function.symbol)), &module);
  setFunctionAttributes(*this, *slot, function);
  if (function.body || isPanicFunction(function)) {
    worklist_.push_back(id);
  } else {
    slot->setLinkage(llvm::GlobalValue::ExternalLinkage);
    reportNoBody(id, caller, callSite);
    functionsWithErrors.insert(slot);
  }
  return slot;
}

mir::FunctionId ModuleContext::nextFunction() {
  if (worklist_.empty())
    return {};
  const mir::FunctionId id = worklist_.front();
  worklist_.pop_front();
  return id;
}

void ModuleContext::reportNoBody(mir::FunctionId id, mir::FunctionId caller, mir::SpanId callSite) {
  const mir::Function &function = program.functions[id];
  if (isAllocatorSymbol(function))
    return reportNoHeap(caller, callSite);
  const std::string name(function.linkName.empty() ? function.defPath : function.linkName);
  const std::string what = function.isForeign ? "the foreign function `" : "the function `";
  Diagnostic &diagnostic =
      error(caller, "MG0102", what + name + "` has no Rust code that a kernel could run", callSite);
  if (diagnostic.help.empty())
    diagnostic.help.push_back(
        function.isForeign
            ? "a kernel cannot call into C or the operating system: use a Rust function instead"
            : "call a function that has a body");
}

void ModuleContext::reportNoHeap(mir::FunctionId caller, mir::SpanId callSite) {
  const bool isFirst = std::exchange(needsHeap_, true) == false;
  if (!isFirst) {
    if (caller.isValid() && functions_[caller.index])
      functionsWithErrors.insert(functions_[caller.index]);
    return;
  }
  Diagnostic &diagnostic =
      error(caller, "MG0106", "a kernel allocates memory, and its module has no heap", callSite);
  if (diagnostic.help.empty())
    diagnostic.help.push_back("ask for one where the kernels stand: `#[gpu_module(heap)]`");
}

Diagnostic &ModuleContext::error(mir::FunctionId function, std::string_view code,
                                 std::string message, mir::SpanId span) {
  if (function.isValid() && functions_[function.index])
    functionsWithErrors.insert(functions_[function.index]);
  return diagnose(diags, program, chains, function, code, span, std::move(message));
}

std::string ModuleContext::uniqueName(std::string name) {
  if (auto [it, isNew] = names_.try_emplace(name, 0); !isNew)
    return uniqueName(name + "$n" + std::to_string(++it->second));
  return name;
}

} // namespace mirgpu::lowering
