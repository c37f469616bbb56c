// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole lowering: the kernels' entries, then every function that they reach, in the order of
// discovery, then what holds of each kernel by reachability. Leaves a verified module without
// functions that nothing reaches.
#include "lowering/lower.h"

#include "lowering/debuginfo.h"
#include "lowering/function_context.h"
#include "lowering/kernel_abi.h"
#include "lowering/panic.h"
#include "lowering/panic_cut.h"
#include "lowering/place_table.h"
#include "lowering/reachability.h"
#include "lowering/symbol_name.h"
#include "support/check.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <memory>

namespace mirgpu::lowering {

bool isKernelNamed(const mir::Kernel &kernel, std::string_view name) {
  return name == kernel.entry || name == kernel.key || name == symbolName(kernel.entry);
}

static bool isSelected(const mir::Kernel &kernel, const LowerOptions &options) {
  return options.kernels.empty() ||
         std::ranges::any_of(options.kernels,
                             [&](const std::string &name) { return isKernelNamed(kernel, name); });
}

static void lowerFunction(ModuleContext &mc, mir::FunctionId id) {
  llvm::Function *value = mc.function(id, {}, {});
  FunctionContext fc(mc, id, value);
  // A panic entry whose address is taken: as a function it reports and ends.
  if (isPanicFunction(fc.function))
    lowerPanicCall(fc, fc.function);
  else
    lowerBody(fc);
}

/// Internal functions and globals that nothing uses any more, such as those of kernels that were
/// left out.
static void removeUnused(llvm::Module &module) {
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function &function : llvm::make_early_inc_range(module)) {
      const bool isKernel = function.getName().starts_with("mirgpu.kernel.");
      function.removeDeadConstantUsers();
      if (isKernel || !function.use_empty())
        continue;
      function.eraseFromParent();
      changed = true;
    }
    for (llvm::GlobalVariable &global : llvm::make_early_inc_range(module.globals())) {
      global.removeDeadConstantUsers();
      if (!global.use_empty())
        continue;
      global.eraseFromParent();
      changed = true;
    }
  }
}

static void verify(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream)) {
    text = "lowering made invalid LLVM IR: " + text;
    MIRGPU_CHECK(false, text.c_str());
  }
}

LoweredModule lowerModule(const mir::Program &program, llvm::LLVMContext &context,
                          const Target &target, const LowerOptions &options, Diagnostics &diags) {
  LoweredModule lowered;
  lowered.module = std::make_unique<llvm::Module>(std::string(program.crateName), context);
  lowered.module->setTargetTriple(llvm::Triple(target.triple()));
  lowered.module->setDataLayout(target.dataLayout());

  ModuleContext mc(program, *lowered.module, target, options, diags);
  PlaceTable places;
  PanicAnalysis panics(program);
  std::unique_ptr<DebugInfo> debugInfo;
  mc.places = &places;
  mc.panics = &panics;
  if (options.debugInfo) {
    debugInfo = std::make_unique<DebugInfo>(mc);
    mc.debugInfo = debugInfo.get();
  }

  for (const mir::Kernel &kernel : program.kernels)
    if (isSelected(kernel, options))
      lowered.kernels.push_back(lowerKernel(mc, kernel));
  for (mir::FunctionId id = mc.nextFunction(); id.isValid(); id = mc.nextFunction())
    lowerFunction(mc, id);
  analyseReachability(mc, lowered);
  if (debugInfo)
    debugInfo->finish();
  lowered.places = places.take();
  mc.checkStaticRings();
  removeUnused(*lowered.module);
  lowered.statics = mc.hostStatics();
  verify(*lowered.module);
  return lowered;
}

} // namespace mirgpu::lowering
