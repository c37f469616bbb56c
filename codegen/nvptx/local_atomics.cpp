// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX leaves atom, ld.relaxed and their like undefined on local memory ("atom": the operand is in
// global or shared memory). No other thread reaches that memory, so a plain access means the same:
//   atomicrmw add ptr %local, i32 1      →  load; add; store
//   atomicrmw add ptr %anywhere, i32 1   →  if isspacep.local { load; add; store } else { atomicrmw
//   }
// Invariant: afterwards no atomic operation of the module is on local memory, and those that are on
// memory of a known space say so in their pointer's type.
#include "codegen/entry.h"
#include "codegen/nvptx/atomic_space.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace mirgpu::codegen::nvptx {

/// The operand of an atomic operation that is its address; null for what is none, fences included.
static Use *addressOf(Instruction &inst) {
  if (!inst.isAtomic() || isa<FenceInst>(inst))
    return nullptr;
  if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst))
    return &rmw->getOperandUse(AtomicRMWInst::getPointerOperandIndex());
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    return &exchange->getOperandUse(AtomicCmpXchgInst::getPointerOperandIndex());
  if (auto *load = dyn_cast<LoadInst>(&inst))
    return &load->getOperandUse(LoadInst::getPointerOperandIndex());
  return &cast<StoreInst>(inst).getOperandUse(StoreInst::getPointerOperandIndex());
}

/// `inst` without its atomicity; it is replaced where it becomes several instructions.
static void makePlain(Instruction &inst) {
  if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst))
    lowerAtomicRMWInst(rmw);
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
    lowerAtomicCmpXchgInst(exchange);
  else if (auto *load = dyn_cast<LoadInst>(&inst))
    load->setAtomic(AtomicOrdering::NotAtomic);
  else
    cast<StoreInst>(inst).setAtomic(AtomicOrdering::NotAtomic);
}

static void setSpace(Use &address, unsigned space) {
  IRBuilder<> builder(cast<Instruction>(address.getUser()));
  address.set(builder.CreateAddrSpaceCast(address.get(), builder.getPtrTy(space)));
}

/// A plain access beside `inst` for an address that turns out to be local.
static void branchOnLocal(Instruction &inst) {
  IRBuilder<> builder(&inst);
  Value *isLocal =
      builder.CreateIntrinsic(Intrinsic::nvvm_isspacep_local, {}, {addressOf(inst)->get()});
  Instruction *local = nullptr, *elsewhere = nullptr;
  SplitBlockAndInsertIfThenElse(isLocal, inst.getIterator(), &local, &elsewhere);
  Instruction *plain = inst.clone();
  plain->insertBefore(local->getIterator());
  if (!inst.getType()->isVoidTy()) {
    builder.SetInsertPoint(&inst);
    PHINode *result = builder.CreatePHI(inst.getType(), 2);
    inst.replaceAllUsesWith(result);
    result->addIncoming(plain, local->getParent());
    result->addIncoming(&inst, elsewhere->getParent());
  }
  inst.moveBefore(elsewhere->getIterator());
  setSpace(*addressOf(*plain), NVPTXAS::ADDRESS_SPACE_LOCAL);
  makePlain(*plain);
}

bool makeLocalAtomicsPlain(Module &module) {
  SmallVector<std::pair<Instruction *, AtomicSpace>, 16> atomics;
  for (Function &fn : module)
    for (BasicBlock &block : fn)
      for (Instruction &inst : block)
        if (Use *address = addressOf(inst))
          atomics.emplace_back(&inst, atomicSpace(address->get()));
  bool changed = false;
  for (auto [inst, space] : atomics)
    switch (space) {
    case AtomicSpace::Global:
      setSpace(*addressOf(*inst), NVPTXAS::ADDRESS_SPACE_GLOBAL);
      break;
    case AtomicSpace::Shared:
      setSpace(*addressOf(*inst), NVPTXAS::ADDRESS_SPACE_SHARED);
      break;
    case AtomicSpace::NotLocal:
      break;
    case AtomicSpace::Local:
      makePlain(*inst);
      changed = true;
      break;
    case AtomicSpace::Unknown:
      branchOnLocal(*inst);
      break;
    }
  return changed;
}

} // namespace mirgpu::codegen::nvptx
