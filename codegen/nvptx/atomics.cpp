// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM 22's NVPTX back end prints every atomicrmw as a relaxed operation of device scope, whatever
// the IR says, and emulates the narrow ones from a weak load. So, before the passes:
//   atomicrmw add ptr %p, i32 %v acquire            →  atom.acquire.sys.add.u32 (inline PTX, memory
//   clobbered) atomicrmw … seq_cst                             →  fence.sc; atom.acquire…
//   (published C++ mapping of the PTX memory model) atomicrmw on 8 and 16 bits, nand, fmax … → loop
//   of a relaxed load and a cmpxchg, which LLVM prints rightly fence syncscope("singlethread") →
//   empty asm with memory clobbered (fatal to the back end as it is)
// After the passes the state space is put into those of our asm texts whose address is then known.
#include "codegen/entry.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace mirgpu::codegen::nvptx {

static constexpr unsigned kGlobalSpace = 1, kSharedSpace = 3;

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
  std::string text = ("atom." + semantics(rmw.getOrdering()) + "." + scope + "." + operation + "." +
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

void legalizeAtomics(Module &module, std::vector<std::string> &unsupported) {
  SmallVector<Instruction *, 16> atomics;
  for (Function &fn : module)
    for (BasicBlock &block : fn)
      for (Instruction &inst : block)
        if (isa<AtomicRMWInst>(inst) || isa<FenceInst>(inst))
          atomics.push_back(&inst);
  for (Instruction *inst : atomics) {
    if (auto *fence = dyn_cast<FenceInst>(inst)) {
      legalizeFence(*fence);
      continue;
    }
    auto &rmw = cast<AtomicRMWInst>(*inst);
    StringRef scope = scopeName(module.getContext(), rmw.getSyncScopeID());
    auto [operation, letter] = ptxOperation(rmw);
    if (scope.empty() || rmw.getType()->isVectorTy() ||
        rmw.getType()->getPrimitiveSizeInBits() > 64)
      unsupported.push_back(describe(rmw));
    else if (!operation.empty())
      replaceByAsm(rmw, scope, operation, letter);
    else
      replaceByLoop(rmw);
  }
}

/// The space of `address` if it is known, else 0. Pointer parameters of an entry are global memory.
static unsigned knownSpace(const Value *address) {
  const Value *object = getUnderlyingObject(address, 0);
  if (unsigned space = object->getType()->getPointerAddressSpace())
    return space;
  auto *argument = dyn_cast<Argument>(object);
  bool isEntryParam = argument &&
                      argument->getParent()->getCallingConv() == CallingConv::PTX_Kernel &&
                      !argument->hasByValAttr();
  return isEntryParam ? kGlobalSpace : 0;
}

/// Whether `text` is an atomic in the generic form that we write, not one of the user's.
static bool isOwnAtomic(const InlineAsm &text) {
  StringRef ptx = text.getAsmString();
  return ptx.starts_with("atom.") && ptx.ends_with(" $0, [$1], $2;") && !ptx.contains(".shared") &&
         !ptx.contains(".global");
}

static void specialize(CallInst &call, const InlineAsm &text, unsigned space) {
  // atom.<semantics>.<scope>.<rest>: the space follows the scope.
  SmallVector<StringRef, 4> parts;
  text.getAsmString().split(parts, '.', 3);
  std::string named = (parts[0] + "." + parts[1] + "." + parts[2] +
                       (space == kSharedSpace ? ".shared." : ".global.") + parts[3])
                          .str();
  IRBuilder<> builder(&call);
  SmallVector<Value *, 2> args(call.args());
  args[0] = builder.CreateAddrSpaceCast(args[0], builder.getPtrTy(space));
  SmallVector<Type *, 2> types;
  for (Value *arg : args)
    types.push_back(arg->getType());
  auto *type = FunctionType::get(call.getType(), types, false);
  CallInst *made =
      builder.CreateCall(type, InlineAsm::get(type, named, text.getConstraintString(), true), args);
  made->setAttributes(call.getAttributes());
  made->copyMetadata(call);
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
}

void specializeAtomics(Module &module) {
  for (Function &fn : module)
    for (BasicBlock &block : fn)
      for (Instruction &inst : make_early_inc_range(block)) {
        auto *call = dyn_cast<CallInst>(&inst);
        auto *text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
        if (!text || !isOwnAtomic(*text))
          continue;
        unsigned space = knownSpace(call->getArgOperand(0));
        if (space == kGlobalSpace || space == kSharedSpace)
          specialize(*call, *text, space);
      }
}

} // namespace mirgpu::codegen::nvptx
