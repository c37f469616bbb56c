// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics in the forms whose order and scope reach the PTX, after the passes: LLVM 22's NVPTX back
// end prints every atomicrmw as a relaxed operation of device scope, whatever the IR says, and
// emulates the narrow ones from a weak load. Loads, stores, fences and exchanges of 16 bits and
// more it prints rightly. The mapping is the published one from C++ to the PTX memory model.
//   atomicrmw add ptr addrspace(1) %p, i32 %v acquire  →  atom.acquire.sys.global.add.u32
//   atomicrmw … seq_cst                                →  fence.sc.sys; atom.acquire.sys…
//   atomicrmw nand, fmax, narrow add …                 →  a loop of a relaxed load and a cmpxchg
//   narrow or, narrow cmpxchg                          →  the same on the 32-bit word around it
//   fence syncscope("singlethread")                    →  empty asm (fatal to the back end as it
//   is)
#include "codegen/entry.h"
#include "codegen/nvptx/narrow_atomics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace mirgpu::codegen::nvptx {

/// PTX's name of an LLVM scope; empty if the back end has none.
static StringRef scopeName(const LLVMContext &context, SyncScope::ID scope) {
  return StringSwitch<StringRef>(context.getSyncScopeName(scope).value_or("?"))
      .Case("", "sys")
      .Case("device", "gpu")
      .Case("cluster", "cluster")
      .Case("block", "cta")
      .Default("");
}

/// PTX's semantics of an order; seq_cst is an acquire behind a fence.sc.
static StringRef semantics(AtomicOrdering ordering) {
  switch (ordering) {
  case AtomicOrdering::Release:
    return "release";
  case AtomicOrdering::AcquireRelease:
    return "acq_rel";
  case AtomicOrdering::Acquire:
  case AtomicOrdering::SequentiallyConsistent:
    return "acquire";
  case AtomicOrdering::NotAtomic:
  case AtomicOrdering::Unordered:
  case AtomicOrdering::Monotonic:
    return "relaxed";
  }
  llvm_unreachable("covered");
}

/// PTX's operation and the first letter of its type for operands of at least 32 bits; empty if
/// there is none.
static std::pair<StringRef, StringRef> ptxOperation(const AtomicRMWInst &rmw) {
  unsigned bits = rmw.getType()->isPointerTy()
                      ? 64
                      : static_cast<unsigned>(rmw.getType()->getPrimitiveSizeInBits());
  if (bits != 32 && bits != 64)
    return {};
  bool isFloat = rmw.getType()->isFloatTy() || rmw.getType()->isDoubleTy();
  if (!isFloat && !rmw.getType()->isIntegerTy() && !rmw.getType()->isPointerTy())
    return {};
  switch (rmw.getOperation()) {
  case AtomicRMWInst::Xchg:
    return {"exch", "b"};
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return {"add", "u"};
  case AtomicRMWInst::And:
    return {"and", "b"};
  case AtomicRMWInst::Or:
    return {"or", "b"};
  case AtomicRMWInst::Xor:
    return {"xor", "b"};
  case AtomicRMWInst::Max:
    return {"max", "s"};
  case AtomicRMWInst::Min:
    return {"min", "s"};
  case AtomicRMWInst::UMax:
    return {"max", "u"};
  case AtomicRMWInst::UMin:
    return {"min", "u"};
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
    return {"add", "f"};
  case AtomicRMWInst::Nand: // these are emulated
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
  case AtomicRMWInst::FMaximum:
  case AtomicRMWInst::FMinimum:
  case AtomicRMWInst::UIncWrap:
  case AtomicRMWInst::UDecWrap:
  case AtomicRMWInst::USubCond:
  case AtomicRMWInst::USubSat:
  case AtomicRMWInst::BAD_BINOP:
    return {};
  }
  llvm_unreachable("covered");
}

static StringRef spaceSuffix(unsigned space) {
  switch (space) {
  case NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return ".global";
  case NVPTXAS::ADDRESS_SPACE_SHARED:
    return ".shared";
  default:
    return ""; // generic
  }
}

static void replaceByAsm(AtomicRMWInst &rmw, StringRef scope, StringRef operation,
                         StringRef typeLetter) {
  IRBuilder<> builder(&rmw);
  if (rmw.getOrdering() == AtomicOrdering::SequentiallyConsistent)
    builder.CreateFence(AtomicOrdering::SequentiallyConsistent, rmw.getSyncScopeID());
  Value *operand = rmw.getValOperand();
  if (rmw.getOperation() == AtomicRMWInst::Sub)
    operand = builder.CreateNeg(operand);
  else if (rmw.getOperation() == AtomicRMWInst::FSub)
    operand = builder.CreateFNeg(operand);
  Type *type = rmw.getType();
  bool wide = type->isPointerTy() || type->getPrimitiveSizeInBits() == 64;
  bool isFloat = type->isFloatingPointTy();
  StringRef reg = isFloat ? (wide ? "d" : "f") : (wide ? "l" : "r");
  std::string text = ("atom." + semantics(rmw.getOrdering()) + "." + scope +
                      spaceSuffix(rmw.getPointerAddressSpace()) + "." + operation + "." +
                      typeLetter + (wide ? "64" : "32") + " $0, [$1], $2;")
                         .str();
  std::string constraints = ("=" + reg + ",l," + reg + ",~{memory}").str();
  auto *asmType = FunctionType::get(type, {rmw.getPointerOperand()->getType(), type}, false);
  CallInst *call = builder.CreateCall(asmType, InlineAsm::get(asmType, text, constraints, true),
                                      {rmw.getPointerOperand(), operand});
  call->addFnAttr(Attribute::Convergent);
  call->addFnAttr(Attribute::NoUnwind);
  rmw.replaceAllUsesWith(call);
  rmw.eraseFromParent();
}

static void replaceByLoop(AtomicRMWInst &rmw) {
  Type *type = rmw.getType();
  IRBuilder<> builder(&rmw);
  Type *bitsType = builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits()));
  LoadInst *start = builder.CreateAlignedLoad(bitsType, rmw.getPointerOperand(), rmw.getAlign());
  start->setAtomic(AtomicOrdering::Monotonic, rmw.getSyncScopeID());
  BasicBlock *before = rmw.getParent();
  BasicBlock *after = SplitBlock(before, &rmw);
  BasicBlock *loop = BasicBlock::Create(rmw.getContext(), "atomic", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, loop);
  builder.SetInsertPoint(loop);
  builder.SetCurrentDebugLocation(rmw.getDebugLoc());
  PHINode *old = builder.CreatePHI(bitsType, 2);
  Value *updated = buildAtomicRMWValue(rmw.getOperation(), builder,
                                       builder.CreateBitCast(old, type), rmw.getValOperand());
  AtomicCmpXchgInst *exchange = builder.CreateAtomicCmpXchg(
      rmw.getPointerOperand(), old, builder.CreateBitCast(updated, bitsType), rmw.getAlign(),
      rmw.getOrdering(), AtomicOrdering::Monotonic, rmw.getSyncScopeID());
  Value *seen = builder.CreateExtractValue(exchange, 0);
  old->addIncoming(start, before);
  old->addIncoming(seen, loop);
  builder.CreateCondBr(builder.CreateExtractValue(exchange, 1), after, loop);
  builder.SetInsertPoint(&rmw);
  rmw.replaceAllUsesWith(builder.CreateBitCast(seen, type));
  rmw.eraseFromParent();
}

static void legalizeFence(FenceInst &fence) {
  if (fence.getSyncScopeID() != SyncScope::SingleThread)
    return;
  IRBuilder<> builder(&fence);
  auto *type = FunctionType::get(builder.getVoidTy(), false);
  builder.CreateCall(type, InlineAsm::get(type, "", "~{memory}", true))
      ->addFnAttr(Attribute::Convergent);
  fence.eraseFromParent();
}

static std::string describe(const Instruction &inst) {
  std::string text;
  raw_string_ostream(text) << inst;
  return StringRef(text).trim().str() + " in " + inst.getFunction()->getName().str();
}

/// Gives `rmw` a form that keeps its order and scope.
static void legalize(AtomicRMWInst &rmw, StringRef scope) {
  auto [operation, letter] = ptxOperation(rmw);
  if (!operation.empty())
    return replaceByAsm(rmw, scope, operation, letter);
  if (AtomicRMWInst *wide = widenBitwise(rmw)) {
    std::tie(operation, letter) = ptxOperation(*wide);
    return replaceByAsm(*wide, scope, operation, letter);
  }
  replaceByLoop(rmw);
}

Error legalizeAtomics(Module &module) {
  SmallVector<AtomicRMWInst *, 16> updates;
  SmallVector<FenceInst *, 4> fences;
  std::vector<std::string> unsupported;
  for (Function &fn : module)
    for (Instruction &inst : instructions(fn)) {
      if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst))
        updates.push_back(rmw);
      else if (auto *fence = dyn_cast<FenceInst>(&inst))
        fences.push_back(fence);
    }
  for_each(fences, [](FenceInst *fence) { legalizeFence(*fence); });
  for (AtomicRMWInst *rmw : updates) {
    StringRef scope = scopeName(module.getContext(), rmw->getSyncScopeID());
    if (scope.empty() || rmw->getType()->isVectorTy() ||
        rmw->getType()->getPrimitiveSizeInBits() > 64)
      unsupported.push_back(describe(*rmw));
    else
      legalize(*rmw, scope);
  }
  widenExchanges(module);
  if (unsupported.empty())
    return Error::success();
  return createStringError("atomic operations without a form in PTX: " + join(unsupported, "; "));
}

} // namespace mirgpu::codegen::nvptx
