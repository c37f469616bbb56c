// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The families' rows as one table, and what follows from a row alone: its requirements, its LLVM
// type, its declaration. Invariant: a declaration made here has the row's parameters, then `ptr
// context` and `i32 place`, and is convergent.
#include "intrinsics/intrinsics.h"

#include "intrinsics/signature.h"
#include "support/check.h"

#include "llvm/IR/Module.h"

#include <algorithm>
#include <vector>

using namespace llvm;

namespace mirgpu::intrinsics {

/// The newest PTX version that LLVM 22 writes.
static constexpr uint32_t kNewestPtx = 90;

std::span<const IntrinsicDef> allIntrinsics() {
  static const std::vector<IntrinsicDef> all = [] {
    std::vector<IntrinsicDef> rows;
    for (std::span<const IntrinsicDef> family :
         {threadRows(), warpRows(), atomicRows(), dynamicSharedRows(), heapRows()})
      rows.insert(rows.end(), family.begin(), family.end());
    return rows;
  }();
  return all;
}

const IntrinsicDef *find(std::string_view id) {
  static const std::vector<const IntrinsicDef *> byId = [] {
    std::vector<const IntrinsicDef *> rows;
    for (const IntrinsicDef &def : allIntrinsics())
      rows.push_back(&def);
    std::ranges::sort(rows, {}, &IntrinsicDef::id);
    return rows;
  }();
  auto it = std::ranges::lower_bound(byId, id, {}, &IntrinsicDef::id);
  return it != byId.end() && (*it)->id == id ? *it : nullptr;
}

std::optional<std::string> missingRequirement(const IntrinsicDef &def, const TargetSpec &target) {
  if (columnOf(def, target.backend).isEmpty()) {
    switch (target.backend) {
    case Backend::Nvptx:
      return "is not available on NVIDIA targets";
    case Backend::Amdgpu:
      return "is not available on AMD targets";
    case Backend::Host:
      return "is not available on the CPU";
    }
  }
  if (target.backend != Backend::Nvptx)
    return std::nullopt;
  if (def.minimums.sm > target.sm)
    return "needs sm_" + std::to_string(def.minimums.sm) + " or newer";
  // A higher PTX version than the target's least is chosen when the module is emitted.
  if (def.minimums.ptx > kNewestPtx)
    return "needs PTX " + std::to_string(def.minimums.ptx / 10) + "." +
           std::to_string(def.minimums.ptx % 10) + ", which this compiler does not write";
  return std::nullopt;
}

static Type *typeOf(ValueKind kind, LLVMContext &context) {
  switch (kind) {
  case ValueKind::Void:
    return Type::getVoidTy(context);
  case ValueKind::Bool:
    return Type::getInt1Ty(context);
  case ValueKind::U32:
  case ValueKind::I32:
    return Type::getInt32Ty(context);
  case ValueKind::U64:
  case ValueKind::I64:
    return Type::getInt64Ty(context);
  case ValueKind::F32:
    return Type::getFloatTy(context);
  case ValueKind::F64:
    return Type::getDoubleTy(context);
  case ValueKind::Ptr:
    return PointerType::get(context, 0);
  }
  llvm_unreachable("covered");
}

FunctionType *functionType(const IntrinsicDef &def, LLVMContext &context) {
  SmallVector<Type *, 8> params;
  for (unsigned i = 0; i < def.signature.count; ++i)
    params.push_back(typeOf(def.signature.params[i], context));
  params.push_back(PointerType::get(context, 0));
  params.push_back(Type::getInt32Ty(context));
  return FunctionType::get(typeOf(def.signature.result, context), params, false);
}

Function *declare(const IntrinsicDef &def, Module &module) {
  std::string name = "mirgpu." + std::string(def.id);
  FunctionType *type = functionType(def, module.getContext());
  if (Function *known = module.getFunction(name)) {
    MIRGPU_CHECK(known->getFunctionType() == type, "an intrinsic is declared with another type");
    return known;
  }
  Function *fn = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  fn->addFnAttr(Attribute::Convergent);
  fn->addFnAttr(Attribute::NoUnwind);
  return fn;
}

} // namespace mirgpu::intrinsics
