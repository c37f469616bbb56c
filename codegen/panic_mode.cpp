// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which panics must end the launch instead of the thread (DESIGN D7). Barriers of the whole block
// and `.sync` warp operations do not wait for ended threads (PTX ISA "barrier", "shfl.sync"), a
// thread that spins on memory does: a kernel that reaches a spin loop (spin_loops.h) traps.
#include "codegen/kernels.h"
#include "codegen/panic.h"
#include "codegen/spin_loops.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace mirgpu::codegen {

static bool spins(Function &fn, const SetVector<Function *> &readers) {
  DominatorTree tree(fn);
  LoopInfo loops(tree);
  return any_of(loops.getLoopsInPreorder(),
                [&](Loop *loop) { return mayWait(*loop, loops, readers); });
}

SetVector<Function *> trappingFunctions(lowering::LoweredModule &lowered, PanicExit mode) {
  SetVector<Function *> trapping;
  if (mode == PanicExit::Exit)
    return trapping;
  SetVector<Function *> readers = readersOfSharedState(*lowered.module);
  if (mode == PanicExit::Auto && readers.empty())
    return trapping;
  for (const lowering::LoweredKernel &kernel : lowered.kernels) {
    SmallVector<Function *, 32> functions;
    for (GlobalValue *global : reachableFrom(kernelFunction(*lowered.module, kernel)))
      if (auto *fn = dyn_cast<Function>(global); fn && !fn->isDeclaration())
        functions.push_back(fn);
    if (mode == PanicExit::Trap ||
        any_of(functions, [&](Function *fn) { return spins(*fn, readers); }))
      trapping.insert(functions.begin(), functions.end());
  }
  return trapping;
}

} // namespace mirgpu::codegen
