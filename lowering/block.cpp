// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A body block by block, in reverse postorder: statements, then the terminator. `bbN` of the IR is
// `bbN` of the MIR, `start` before them holds the allocas. What the panic cut or a constant switch
// makes unreachable is not lowered.
#include "lowering/call.h"
#include "lowering/control_flow.h"
#include "lowering/function_abi.h"
#include "lowering/inline_asm.h"
#include "lowering/memory_access.h"
#include "lowering/panic.h"
#include "support/check.h"
#include "support/match.h"

#include "llvm/IR/CFG.h"

#include <algorithm>

namespace mirgpu::lowering {

static void lowerCopyNonOverlapping(FunctionContext &fc, const mir::CopyNonOverlapping &copy) {
  const OperandValue dst = lowerOperand(fc, copy.dst), src = lowerOperand(fc, copy.src),
                     count = lowerOperand(fc, copy.count);
  const mir::Type &elem = fc.type(mir::pointeeOf(fc.program, dst.ty));
  llvm::Value *bytes =
      fc.builder.CreateMul(count.imm(), fc.usize(elem.size), "", /*HasNUW=*/true, /*HasNSW=*/false);
  emitCopy(fc, dst.imm(), elem.align, src.imm(), elem.align, bytes);
}

static void lowerStatement(FunctionContext &fc, const mir::Statement &statement) {
  fc.setPosition(statement.span, statement.scope);
  match(
      statement.kind, [&](const mir::Assign &assign) { lowerAssign(fc, assign); },
      [&](const mir::SetDiscriminant &set) {
        lowerSetDiscriminant(fc, lowerPlace(fc, set.place), set.variant);
      },
      // Slots live as long as the function; SROA finds their real extent.
      [](const mir::StorageLive &) {}, [](const mir::StorageDead &) {},
      [&](const mir::Assume &assume) {
        llvm::Value *cond = lowerOperand(fc, assume.operand).imm();
        if (!llvm::isa<llvm::Constant>(cond))
          fc.builder.CreateAssumption(cond);
      },
      [&](const mir::CopyNonOverlapping &copy) { lowerCopyNonOverlapping(fc, copy); },
      [](const mir::Nop &) {});
}

/// Where a switch on `value` goes.
static mir::BlockId targetOf(const mir::SwitchInt &terminator, const llvm::ConstantInt &value) {
  for (const mir::SwitchArm &arm : terminator.arms)
    if (integerConstant(value.getType(), arm.value) == &value)
      return arm.target;
  return terminator.otherwise;
}

static void lowerSwitch(FunctionContext &fc, const mir::SwitchInt &terminator) {
  if (std::optional<mir::BlockId> only = constantTarget(fc.program, terminator)) {
    fc.builder.CreateBr(fc.blockFor(*only));
    return;
  }
  llvm::Value *value = lowerOperand(fc, terminator.operand).imm();
  if (value->getType()->isPointerTy())
    value = fc.builder.CreatePtrToInt(value, fc.mc.usizeType());
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    fc.builder.CreateBr(fc.blockFor(targetOf(terminator, *constant)));
    return;
  }
  llvm::BasicBlock *otherwise = fc.blockFor(terminator.otherwise);
  if (value->getType()->isIntegerTy(1) && terminator.arms.size() == 1) {
    llvm::BasicBlock *arm = fc.blockFor(terminator.arms.front().target);
    const bool armIsTrue = terminator.arms.front().value != 0;
    fc.builder.CreateCondBr(value, armIsTrue ? arm : otherwise, armIsTrue ? otherwise : arm);
    return;
  }
  llvm::SwitchInst *result =
      fc.builder.CreateSwitch(value, otherwise, static_cast<unsigned>(terminator.arms.size()));
  for (const mir::SwitchArm &arm : terminator.arms)
    result->addCase(integerConstant(value->getType(), arm.value), fc.blockFor(arm.target));
}

void emitReturn(FunctionContext &fc) {
  const OperandValue result = lowerLocal(fc, mir::LocalId(0));
  switch (result.kind) {
  case OperandValue::Kind::ZeroSized:
  case OperandValue::Kind::Ref:
    fc.builder.CreateRetVoid();
    return;
  case OperandValue::Kind::Immediate:
    fc.builder.CreateRet(result.first);
    return;
  case OperandValue::Kind::Pair: {
    llvm::Value *both = llvm::PoisonValue::get(fc.value->getReturnType());
    both = fc.builder.CreateInsertValue(both, result.first, 0);
    fc.builder.CreateRet(fc.builder.CreateInsertValue(both, result.second, 1));
    return;
  }
  }
}

/// Overflow checks of functions that follow their caller's session
/// (`#[rustc_inherit_overflow_checks]` in core) are in the MIR whatever the session says. Division
/// and remainder always check.
static bool isOff(const mir::Program &program, const mir::Assert &assertion) {
  if (program.session.overflowChecks)
    return false;
  if (assertion.kind == mir::AssertKind::OverflowNeg)
    return true;
  return assertion.kind == mir::AssertKind::Overflow && assertion.op != mir::BinOp::Div &&
         assertion.op != mir::BinOp::Rem;
}

static void lowerTerminator(FunctionContext &fc, const mir::Terminator &terminator,
                            const PanicCut &cut) {
  fc.setPosition(terminator.span, terminator.scope);
  if (const PanicSite *site = cut.panicAt(fc.block))
    return lowerPanic(fc, *site);
  match(
      terminator.kind, [&](const mir::Goto &t) { fc.builder.CreateBr(fc.blockFor(t.target)); },
      [&](const mir::SwitchInt &t) { lowerSwitch(fc, t); },
      // Panics abort (D2): nothing ever unwinds to here.
      [&](const mir::UnwindResume &) { fc.builder.CreateUnreachable(); },
      [&](const mir::UnwindTerminate &) {
        lowerAbort(fc, "panic in a function that cannot unwind");
      },
      [&](const mir::Return &) { emitReturn(fc); },
      [&](const mir::Unreachable &) { fc.builder.CreateUnreachable(); },
      [&](const mir::Drop &t) { lowerDrop(fc, t); },
      [&](const mir::Call &t) {
        if (cut.skipsCall(fc.block))
          fc.builder.CreateBr(fc.blockFor(t.target));
        else
          lowerCall(fc, t);
      },
      [&](const mir::TailCall &t) { lowerTailCall(fc, t); },
      [&](const mir::Assert &t) {
        if (isOff(fc.program, t))
          fc.builder.CreateBr(fc.blockFor(t.target));
        else
          lowerAssert(fc, t);
      },
      [&](const mir::InlineAsm &t) { lowerInlineAsm(fc, t); });
}

/// f128 in any local: no target has it, and what holds one cannot be computed with.
static void rejectFloats(FunctionContext &fc) {
  for (const mir::Local &local : fc.body.locals) {
    const auto *type = std::get_if<mir::TyFloat>(&fc.type(local.ty).kind);
    if (!type || fc.mc.target.supportsFloat(type->bits))
      continue;
    fc.setPosition(local.span, mir::ScopeId());
    fc.error("MG0104", "the type `" + std::string(fc.type(local.ty).name) +
                           "` does not exist on the target `" + fc.mc.target.spec().name + "`");
    return;
  }
}

static void lowerBlock(FunctionContext &fc, mir::BlockId id, const PanicCut &cut) {
  fc.block = id;
  fc.builder.SetInsertPoint(fc.blockFor(id));
  const mir::BasicBlock &bb = fc.body.blocks[id];
  for (size_t i = 0; i < bb.statements.size(); ++i)
    if (!cut.skipsStatement(id, i))
      lowerStatement(fc, bb.statements[i]);
  lowerTerminator(fc, bb.terminator, cut);
}

/// Lowers the blocks that something lowered leads to. A branch on a constant leads to one side
/// alone: the other may hold what only another target has. In reverse postorder one pass is enough,
/// but for blocks of an irreducible graph that only a later one leads to.
static void lowerBlocks(FunctionContext &fc, const std::vector<mir::BlockId> &order,
                        const PanicCut &cut) {
  std::vector<bool> isLowered(fc.body.blocks.size());
  for (bool again = true; again;) {
    again = false;
    for (mir::BlockId id : order) {
      if (isLowered[id.index] || llvm::pred_empty(fc.blockFor(id)))
        continue;
      isLowered[id.index] = again = true;
      lowerBlock(fc, id, cut);
    }
  }
  for (mir::BlockId id : order)
    if (!isLowered[id.index])
      fc.blockFor(id)->eraseFromParent();
}

void lowerBody(FunctionContext &fc) {
  const PanicCut cut = fc.mc.panics->cut(fc.id);
  const ControlFlow flow(fc.program, fc.body, cut);
  rejectFloats(fc);
  fc.setPosition(fc.function.span, mir::ScopeId());
  fc.placeLocals(findLocalsWithSlot(fc.program, fc.id, cut, flow));
  fc.builder.CreateBr(fc.blockFor(mir::BlockId(0)));
  lowerBlocks(fc, flow.order(), cut);
  // Blocks that only a diagnostic's replacement still branches to.
  for (llvm::BasicBlock &bb : *fc.value)
    if (!bb.getTerminator())
      new llvm::UnreachableInst(fc.mc.context, &bb);
}

} // namespace mirgpu::lowering
