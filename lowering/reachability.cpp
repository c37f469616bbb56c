// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See reachability.h. The graph has an edge from a function to every function that one of its
// instructions names, directly or through constants and global initialisers (vtables), so an
// indirect call needs no guess: who can call a function through a pointer got the pointer from
// something reached.
#include "lowering/reachability.h"

#include "intrinsics/intrinsics.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace mirgpu::lowering {

namespace {
constexpr llvm::StringLiteral kPrefix = "mirgpu.";
constexpr llvm::StringLiteral kDynamicShared = "dynamic_shared::", kHeap = "heap::";

/// What one kernel reaches.
struct Reach {
  bool canPanic = false, hasCollective = false, usesDynamicShared = false, usesHeap = false,
       hasError = false;
};

class Walk {
public:
  explicit Walk(const ModuleContext &mc) : mc_(mc) {}

  Reach from(llvm::Function &kernel) {
    visit(&kernel);
    while (!stack_.empty())
      expand(stack_.pop_back_val());
    return reach_;
  }

private:
  void visit(llvm::Constant *constant) {
    if (seen_.insert(constant).second)
      stack_.push_back(constant);
  }

  void expand(llvm::Constant *constant) {
    if (auto *function = llvm::dyn_cast<llvm::Function>(constant))
      return expandFunction(*function);
    if (auto *global = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
      if (global->hasInitializer())
        visit(global->getInitializer());
      return;
    }
    for (llvm::Value *operand : constant->operand_values())
      if (auto *inner = llvm::dyn_cast<llvm::Constant>(operand))
        visit(inner);
  }

  void expandFunction(llvm::Function &function) {
    const llvm::StringRef name = function.getName();
    if (mc_.functionsWithErrors.contains(&function))
      reach_.hasError = true;
    if (function.isDeclaration() && name.starts_with(kPrefix)) {
      const llvm::StringRef id = name.drop_front(kPrefix.size());
      reach_.canPanic |= id == "panic" || id == "panic_dynamic";
      reach_.usesDynamicShared |= id.starts_with(kDynamicShared);
      reach_.usesHeap |= id.starts_with(kHeap);
      if (const intrinsics::IntrinsicDef *def = intrinsics::find(id))
        reach_.hasCollective |= def->collective;
    }
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        for (llvm::Value *operand : instruction.operand_values())
          if (auto *constant = llvm::dyn_cast<llvm::Constant>(operand))
            visit(constant);
  }

  const ModuleContext &mc_;
  llvm::SmallPtrSet<llvm::Constant *, 32> seen_;
  llvm::SmallVector<llvm::Constant *, 32> stack_;
  Reach reach_;
};

LoweredParam launchContextParam() {
  LoweredParam param;
  param.name = "launch_context";
  param.typeName = "u64";
  param.kind = mgpu::ParamKind::LaunchContext;
  param.size = 8;
  param.align = 8;
  return param;
}
} // namespace

void analyseReachability(ModuleContext &mc, LoweredModule &lowered) {
  std::vector<LoweredKernel> kept;
  for (LoweredKernel &kernel : lowered.kernels) {
    llvm::Function *function = mc.module.getFunction("mirgpu.kernel." + kernel.entry);
    if (!function)
      continue; // refused when its entry was made
    const Reach reach = Walk(mc).from(*function);
    kernel.canPanic = reach.canPanic;
    kernel.hasCollective = reach.hasCollective;
    kernel.usesDynamicShared = reach.usesDynamicShared;
    kernel.usesHeap = reach.usesHeap;
    if (reach.canPanic || reach.usesHeap)
      kernel.params.push_back(launchContextParam());
    if (reach.hasError && mc.options.keepGoing)
      function->eraseFromParent();
    else
      kept.push_back(std::move(kernel));
  }
  lowered.kernels = std::move(kept);
}

} // namespace mirgpu::lowering
