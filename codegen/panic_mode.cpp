// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which panics must end the launch instead of the thread (DESIGN D7). Barriers of the whole block
// and `.sync` warp operations do not wait for ended threads (PTX ISA "barrier", "shfl.sync"), a
// thread that spins on memory does: a kernel that reaches a spin loop traps. The judgement is made
// on the neutral module, where an atomic of core is still a function: a loop counts that holds an
// atomic load, a compare-exchange or a volatile load, or calls a function that reaches one.
#include "codegen/kernels.h"
#include "codegen/panic.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace mirgpu::codegen {

/// Whether `inst` reads what another thread may change under it.
static bool readsVolatileState(const Instruction &inst) {
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return load->isAtomic() || load->isVolatile();
  return isa<AtomicCmpXchgInst>(inst);
}

/// Functions that hold such a read, or reach one by direct calls.
static SetVector<Function *> readersOfVolatileState(Module &module) {
  SetVector<Function *> readers;
  for (Function &fn : module)
    for (BasicBlock &block : fn)
      if (any_of(block, readsVolatileState)) {
        readers.insert(&fn);
        break;
      }
  for (size_t i = 0; i < readers.size(); ++i) // grows while it is walked: callers of callers
    for (User *user : readers[i]->users())
      if (auto *call = dyn_cast<CallBase>(user))
        readers.insert(call->getFunction());
  return readers;
}

static bool spins(Function &fn, const SetVector<Function *> &readers) {
  DominatorTree tree(fn);
  LoopInfo loops(tree);
  if (loops.empty())
    return false;
  for (BasicBlock &block : fn) {
    if (!loops.getLoopFor(&block))
      continue;
    for (Instruction &inst : block) {
      if (readsVolatileState(inst))
        return true;
      if (auto *call = dyn_cast<CallBase>(&inst);
          call && call->getCalledFunction() && readers.contains(call->getCalledFunction()))
        return true;
    }
  }
  return false;
}

SetVector<Function *> trappingFunctions(lowering::LoweredModule &lowered, PanicExit mode) {
  SetVector<Function *> trapping;
  if (mode == PanicExit::Exit)
    return trapping;
  SetVector<Function *> readers = readersOfVolatileState(*lowered.module);
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
