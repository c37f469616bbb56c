// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of terminators. That targets exist is checked here for all of them at once.
#include "mir_reader/verify_body.h"

#include "support/match.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace mirgpu::mir {

static void checkTargets(BodyVerifier &b, const TerminatorKind &kind) {
  forEachSuccessor(kind, [&](BlockId block) {
    if (b.target(block))
      b.v.check(block.index != 0, "no block may go to the entry block");
  });
}

static void checkUnwind(BodyVerifier &b, const Unwind &unwind) {
  if (unwind.kind == UnwindKind::Cleanup)
    b.v.check(b.body.blocks[unwind.block].isCleanup, "unwinding must go to a cleanup block");
}

static void checkSwitch(BodyVerifier &b, const SwitchInt &branch) {
  TypeId ty = b.sizedOperand(branch.operand);
  if (!ty.isValid() || !b.v.type(branch.ty))
    return;
  b.assignable(branch.ty, ty, "switch");
  uint32_t bits = bitsOfIntegral(b.type(branch.ty));
  if (!b.v.check(bits != 0, "`" + b.v.name(branch.ty) + "` is no integer, `bool` or `char`"))
    return;
  std::vector<u128> values;
  for (const SwitchArm &arm : branch.arms) {
    b.v.check(arm.value <= maxOfBits(bits), "the value of an arm does not fit the switch's type");
    values.push_back(arm.value);
  }
  llvm::sort(values);
  b.v.check(std::ranges::adjacent_find(values) == values.end(), "two arms have the same value");
}

/// How many operands the message of an assertion has.
static size_t operandCount(AssertKind kind) {
  switch (kind) {
  case AssertKind::BoundsCheck:
  case AssertKind::Overflow:
  case AssertKind::MisalignedPointerDereference:
    return 2;
  case AssertKind::OverflowNeg:
  case AssertKind::DivisionByZero:
  case AssertKind::RemainderByZero:
  case AssertKind::InvalidEnumConstruction:
    return 1;
  case AssertKind::ResumedAfterReturn:
  case AssertKind::ResumedAfterPanic:
  case AssertKind::ResumedAfterDrop:
  case AssertKind::NullPointerDereference:
    return 0;
  }
  return 0;
}

static void checkAssert(BodyVerifier &b, const Assert &assertion) {
  TypeId cond = b.operand(assertion.cond);
  if (!cond.isValid())
    return;
  b.v.check(b.isBool(cond), "the condition of an assertion must be a `bool`");
  b.v.check((assertion.kind == AssertKind::Overflow) == assertion.op.has_value(),
            "an overflow assertion, and no other, names its operation");
  size_t expected = operandCount(assertion.kind);
  b.v.check(assertion.operands.size() == expected,
            "the message of this assertion must have " + llvm::Twine(expected) + " operands");
  for (size_t i = 0; i < assertion.operands.size() && !b.v.failed(); ++i) {
    Verifier::At at(b.v, "operands", i);
    TypeId ty = b.sizedOperand(assertion.operands[i]);
    b.v.check(!ty.isValid() || assertion.kind != AssertKind::BoundsCheck || b.isUsize(ty),
              "length and index must be `usize`");
  }
  b.callerLocation(assertion.callerLocation);
  checkUnwind(b, assertion.unwind);
}

void BodyVerifier::terminator(const Terminator &terminator) {
  v.span(terminator.span);
  v.inRange(body.scopes, terminator.scope, "scope");
  checkTargets(*this, terminator.kind);
  if (v.failed())
    return;
  match(
      terminator.kind, [](const Goto &) {},
      [&](const SwitchInt &branch) { checkSwitch(*this, branch); }, [](const UnwindResume &) {},
      [](const UnwindTerminate &) {}, [](const Return &) {}, [](const Unreachable &) {},
      [&](const Drop &value) {
        drop(value);
        checkUnwind(*this, value.unwind);
      },
      [&](const Call &value) {
        call(value);
        checkUnwind(*this, value.unwind);
      },
      [&](const TailCall &value) { tailCall(value); },
      [&](const Assert &assertion) { checkAssert(*this, assertion); },
      [&](const InlineAsm &assembly) {
        inlineAsm(assembly);
        checkUnwind(*this, assembly.unwind);
      });
}

} // namespace mirgpu::mir
