// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call, even one that never runs, makes ptxas keep registers for the callee and lay out parameter
// space. So, after the
// passes, each function that panics gets one copy of the report at its end, and its panics are
// jumps there:
//   panic:   br label %report                       ; of every site
//   report:  %place = phi i32 [1, %panic], …        ; only what differs from site to site
//            <body of mirgpu.panic>
// Invariant: no direct call of a panic function is left in a function that has another's body; a
// report is one block chain a function, however many sites there are.
#include "codegen/entry.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace mirgpu::codegen::nvptx {

/// The calls of `panic` by function, in the order of the code. A call that is no block's end is not
/// one of ours and stays.
static MapVector<Function *, SmallVector<CallInst *, 8>> sitesOf(Function &panic) {
  MapVector<Function *, SmallVector<CallInst *, 8>> sites;
  for (User *user : panic.users())
    if (auto *call = dyn_cast<CallInst>(user);
        call && call->getCalledFunction() == &panic && isa<UnreachableInst>(call->getNextNode()))
      sites[call->getFunction()].push_back(call);
  return sites;
}

/// `value`, a constant or an argument, by way of asm, so that LLVM keeps the cold block of `site`
/// instead of moving copies for the report before the check.
static Value *opaque(CallInst &site, Value *value) {
  bool isWide = value->getType()->isIntegerTy(64), isConstant = isa<Constant>(value);
  StringRef constraints = isWide ? (isConstant ? "=l,n" : "=l,l") : (isConstant ? "=r,n" : "=r,r");
  auto *type = FunctionType::get(value->getType(), {value->getType()}, false);
  InlineAsm *text =
      InlineAsm::get(type, isWide ? "mov.b64 $0, $1;" : "mov.b32 $0, $1;", constraints, true);
  CallInst *call = CallInst::Create(type, text, {value}, "", site.getIterator());
  call->setDebugLoc(site.getDebugLoc());
  return call;
}

/// Argument `index` of the one report that stands for all of `sites`: a phi unless all agree.
static Value *merged(ArrayRef<CallInst *> sites, unsigned index, BasicBlock *report) {
  Value *first = sites.front()->getArgOperand(index);
  bool same = all_of(sites, [&](CallInst *site) { return site->getArgOperand(index) == first; });
  if (same && !isa<Instruction>(first))
    return first;
  auto *phi = PHINode::Create(first->getType(), static_cast<unsigned>(sites.size()), "", report);
  for (CallInst *site : sites) {
    Value *arg = site->getArgOperand(index);
    bool copied = arg->getType()->isIntegerTy() && (isa<Constant>(arg) || isa<Argument>(arg));
    phi->addIncoming(copied ? opaque(*site, arg) : arg, site->getParent());
  }
  return phi;
}

static void mergeSites(Function &fn, Function &panic, ArrayRef<CallInst *> sites) {
  BasicBlock *report = BasicBlock::Create(fn.getContext(), "report", &fn);
  SmallVector<Value *, 7> args;
  for (unsigned i = 0; i < panic.arg_size(); ++i)
    args.push_back(merged(sites, i, report));
  DebugLoc line = sites.front()->getDebugLoc();
  for (CallInst *site : sites) {
    BasicBlock *block = site->getParent();
    block->getTerminator()->eraseFromParent();
    site->eraseFromParent();
    BranchInst::Create(report, block)->setDebugLoc(line);
  }
  CallInst *call = CallInst::Create(&panic, args, "", report);
  call->setDebugLoc(line);
  auto *end = new UnreachableInst(fn.getContext(), report);
  end->setDebugLoc(line);
  InlineFunctionInfo info;
  InlineFunction(*call, info);
}

void inlinePanics(Module &module) {
  for (StringRef name :
       {"mirgpu.panic", "mirgpu.panic.trap", "mirgpu.panic_dynamic", "mirgpu.panic_dynamic.trap"}) {
    Function *panic = module.getFunction(name);
    if (!panic || panic->isDeclaration())
      continue;
    for (auto &[fn, sites] : sitesOf(*panic))
      mergeSites(*fn, *panic, sites);
    if (panic->use_empty())
      panic->eraseFromParent();
  }
}

} // namespace mirgpu::codegen::nvptx
