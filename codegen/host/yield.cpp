// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a block run one at a time on the CPU, so that one which waits in a loop for what another
// lane stores would wait for ever. Each loop that may wait (spin_loops.h) yields before it goes
// round again:
//   while lock.load() != 0 {}      →      br back edge:  block->services->yield(lane)
// Invariant: a cycle of a lowered function that reads shared state passes a yield.
#include "codegen/entry.h"
#include "codegen/spin_loops.h"
#include "intrinsics/emitters.h"
#include "support/cpu_abi.h"

#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace mirgpu::codegen::host {

static void emitYield(BasicBlock &latch, Value *lane) {
  IRBuilder<> builder(latch.getTerminator());
  Value *service = intrinsics::host::emitService(
      builder, intrinsics::host::emitBlock(builder, lane), offsetof(abi::HostServices, yield));
  FunctionType *type = FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  CallInst *call = builder.CreateCall(type, service, {lane});
  call->addFnAttr(Attribute::Convergent);
  call->addFnAttr(Attribute::NoUnwind);
}

void yieldInSpinLoops(Module &module) {
  const SetVector<Function *> readers = readersOfSharedState(module);
  for (Function *fn : readers) {
    DominatorTree tree(*fn);
    LoopInfo loops(tree);
    SmallSetVector<BasicBlock *, 8> latches;
    for (Loop *loop : loops.getLoopsInPreorder())
      if (mayWait(*loop, loops, readers)) {
        SmallVector<BasicBlock *, 4> found;
        loop->getLoopLatches(found);
        latches.insert(found.begin(), found.end());
      }
    // Lowered functions take their context last (lower.h).
    for (BasicBlock *latch : latches)
      emitYield(*latch, fn->getArg(static_cast<unsigned>(fn->arg_size() - 1)));
  }
}

} // namespace mirgpu::codegen::host
