// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/spin_loops.h"

#include "intrinsics/intrinsics.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace mirgpu::codegen {

/// Whether a loop may go round until another thread changes what `inst` reads. Exchange, `or` and
/// `and` take locks (test and set); counters do not wait.
static bool readsSharedState(const Instruction &inst) {
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return load->isAtomic() || load->isVolatile();
  if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst))
    return rmw->getOperation() == AtomicRMWInst::Xchg || rmw->getOperation() == AtomicRMWInst::Or ||
           rmw->getOperation() == AtomicRMWInst::And;
  if (auto *call = dyn_cast<CallBase>(&inst)) {
    StringRef id = call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
    const intrinsics::IntrinsicDef *row =
        id.consume_front("mirgpu.") ? intrinsics::find(std::string_view(id)) : nullptr;
    return row && row->awaited;
  }
  return isa<AtomicCmpXchgInst>(inst);
}

static bool isLockFree(const Function &fn) { return fn.hasFnAttribute("mirgpu-lock-free"); }

SetVector<Function *> readersOfSharedState(Module &module) {
  SetVector<Function *> readers;
  for (Function &fn : module)
    for (BasicBlock &block : fn)
      if (!isLockFree(fn) && any_of(block, readsSharedState)) {
        readers.insert(&fn);
        break;
      }
  for (size_t i = 0; i < readers.size(); ++i) // grows while it is walked: callers of callers
    for (User *user : readers[i]->users())
      if (auto *call = dyn_cast<CallBase>(user); call && !isLockFree(*call->getFunction()))
        readers.insert(call->getFunction());
  return readers;
}

bool mayWait(const Loop &loop, const LoopInfo &loops, const SetVector<Function *> &readers) {
  if (isLockFree(*loop.getHeader()->getParent()))
    return false;
  for (BasicBlock *block : loop.blocks()) {
    if (loops.getLoopFor(block) != &loop)
      continue;
    for (Instruction &inst : *block) {
      if (readsSharedState(inst))
        return true;
      if (auto *call = dyn_cast<CallBase>(&inst);
          call && call->getCalledFunction() && readers.contains(call->getCalledFunction()))
        return true;
    }
  }
  return false;
}

} // namespace mirgpu::codegen
