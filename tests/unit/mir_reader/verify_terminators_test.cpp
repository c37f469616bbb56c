// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One failing program for each rule of statements, calls, drops and other terminators.
#include "tests/unit/mir_reader/verifier_cases.h"

using namespace mirgpu::mir;
using namespace mirgpu::mir::test;

TEST_CASE("verifier: statements") {
  const BrokenRule rules[] = {
      {"statements[0]`: no span",
       [](Program &p) {
         bodyOf(p, "sample::double").blocks[BlockId(0)].statements[0].span = SpanId(70);
       }},
      {"statements[0]`: no scope",
       [](Program &p) {
         bodyOf(p, "sample::double").blocks[BlockId(0)].statements[0].scope = ScopeId(70);
       }},
      {"no scope",
       [](Program &p) {
         bodyOf(p, "sample::double").blocks[BlockId(0)].statements[0].scope = ScopeId();
       }},
      {"has no variant 2", [](Program &p) { firstStatement<SetDiscriminant>(p).variant = 2; }},
      {"has no variant 0",
       [](Program &p) { firstStatement<SetDiscriminant>(p).place.local = LocalId(0); }},
      {"no local 90", [](Program &p) { firstStatement<StorageLive>(p).local = LocalId(90); }},
      {"no local 90", [](Program &p) { firstStatement<StorageDead>(p).local = LocalId(90); }},
      {"must be a `bool`",
       [](Program &p) { firstStatement<Assume>(p).operand = scalarOf(p, "u8", 1); }},
      {"two thin pointers",
       [](Program &p) { firstStatement<CopyNonOverlapping>(p).src = scalarOf(p, "u64", 1); }},
      {"two thin pointers",
       [](Program &p) { firstStatement<CopyNonOverlapping>(p).count = scalarOf(p, "u32", 1); }},
      {"copied element",
       [](Program &p) {
         firstStatement<CopyNonOverlapping>(p).dst = scalarOf(p, "*mut Point", 1);
       }},
  };
  checkRules(rules);
}

/// The first call of a callee of kind `T`.
template <class T> static Call &callOf(Program &p) {
  return *firstTerminator<Call>(p,
                                [](const Call &c) { return std::holds_alternative<T>(c.callee); });
}

TEST_CASE("verifier: calls and drops") {
  const BrokenRule rules[] = {
      {"the call has 0 arguments, the callee 1",
       [](Program &p) { callOf<CalleeDirect>(p).args.clear(); }},
      {"args[0]`: argument: expected `u32`",
       [](Program &p) { callOf<CalleeDirect>(p).args[0] = scalarOf(p, "i32", 1); }},
      {"result: expected", [](Program &p) { callOf<CalleeDirect>(p).dest.local = LocalId(5); }},
      {"no function 70",
       [](Program &p) {
         std::get<CalleeDirect>(callOf<CalleeDirect>(p).callee).function = FunctionId(70);
       }},
      {"takes its caller's location",
       [](Program &p) {
         p.functions[FunctionId(0)].trackCaller = true;
         callOf<CalleeDirect>(p).callerLocation.reset();
       }},
      {"cannot pass one on",
       [](Program &p) { callOf<CalleeDirect>(p).callerLocation = CallerLocation{true, {}}; }},
      {"no alloc 70",
       [](Program &p) {
         callOf<CalleeDirect>(p).callerLocation = CallerLocation{false, AllocId(70)};
       }},
      {"a caller location must be memory",
       [](Program &p) {
         callOf<CalleeDirect>(p).callerLocation = CallerLocation{false, AllocId(4)};
       }},
      {"rust-call function must be a tuple",
       [](Program &p) {
         auto *call = firstTerminator<Call>(p, [](const Call &c) { return c.args.size() == 2; });
         call->args[1] = scalarOf(p, "u32", 1);
       }},
      {"the call has 0 arguments", [](Program &p) { callOf<CalleeIntrinsic>(p).args.clear(); }},
      {"no type 9999",
       [](Program &p) {
         std::get<CalleeIntrinsic>(callOf<CalleeIntrinsic>(p).callee).args[0].ty = TypeId(9999);
       }},
      {"must have a receiver", [](Program &p) { callOf<CalleeVirtual>(p).args.clear(); }},
      {"must carry a vtable",
       [](Program &p) { callOf<CalleeVirtual>(p).args[0] = scalarOf(p, "u32", 1); }},
      {"no function pointer",
       [](Program &p) {
         std::get<CalleePointer>(callOf<CalleePointer>(p).callee).operand = scalarOf(p, "u64", 1);
       }},
      {"the call has 0 arguments", [](Program &p) { callOf<CalleePointer>(p).args.clear(); }},
      {"one parameter, a pointer",
       [](Program &p) {
         std::get<CalleeDropGlue>(callOf<CalleeDropGlue>(p).callee).function = FunctionId(0);
       }},
      {"one argument, a pointer", [](Program &p) { callOf<CalleeDropGlue>(p).args.clear(); }},
      {"one parameter, a pointer",
       [](Program &p) {
         FunctionId glue = std::get<CalleeDropGlue>(callOf<CalleeDropGlue>(p).callee).function;
         p.functions[glue].trackCaller = true;
       }},
      {"must have no bytes", [](Program &p) { callOf<CalleeDirect>(p).callee = CalleeNothing{}; }},
      {"a pointer with a vtable",
       [](Program &p) { callOf<CalleeDropVirtual>(p).args[0] = scalarOf(p, "*mut Point", 1); }},
      {"bits it fits",
       [](Program &p) {
         std::get<CalleeConstant>(callOf<CalleeConstant>(p).callee).value.value =
             ConstScalar{u128(1) << 64};
       }},
      {"dropped value: expected `Point`",
       [](Program &p) { firstTerminator<Drop>(p).place.local = LocalId(0); }},
      {"a drop must call",
       [](Program &p) {
         firstTerminator<Drop>(p).callee = CalleeDirect{FunctionId(0), typeNamed(p, "u32")};
       }},
      {"has no vtable", [](Program &p) { firstTerminator<Drop>(p).callee = CalleeDropVirtual{}; }},
      {"result: expected",
       [](Program &p) {
         std::get<CalleeDirect>(firstTerminator<TailCall>(p).callee).function = FunctionId(3);
         firstTerminator<TailCall>(p).args.clear();
       }},
  };
  checkRules(rules);
}

TEST_CASE("verifier: other terminators") {
  const BrokenRule rules[] = {
      {"terminator`: no block 90",
       [](Program &p) { firstTerminator<Goto>(p).target = BlockId(90); }},
      {"no block", [](Program &p) { firstTerminator<Goto>(p).target = BlockId(); }},
      {"may go to the entry block",
       [](Program &p) { firstTerminator<Goto>(p).target = BlockId(0); }},
      {"no block 90",
       [](Program &p) { firstTerminator<SwitchInt>(p).arms[0].target = BlockId(90); }},
      {"no block 90", [](Program &p) { firstTerminator<SwitchInt>(p).otherwise = BlockId(90); }},
      {"arm does not fit",
       [](Program &p) { firstTerminator<SwitchInt>(p).arms[0].value = u128(1) << 32; }},
      {"two arms", [](Program &p) { firstTerminator<SwitchInt>(p).arms[1].value = 0; }},
      {"switch: expected",
       [](Program &p) { firstTerminator<SwitchInt>(p).ty = typeNamed(p, "i32"); }},
      {"is no integer",
       [](Program &p) {
         auto &s = firstTerminator<SwitchInt>(p);
         s.ty = typeNamed(p, "f32");
         s.operand = scalarOf(p, "f32", 1);
       }},
      {"unwinding must go to a cleanup block",
       [](Program &p) { callOf<CalleeDirect>(p).unwind.block = BlockId(1); }},
      {"condition of an assertion",
       [](Program &p) { firstTerminator<Assert>(p).cond = scalarOf(p, "u8", 1); }},
      {"must have 2 operands", [](Program &p) { firstTerminator<Assert>(p).operands.pop_back(); }},
      {"must be `usize`",
       [](Program &p) { firstTerminator<Assert>(p).operands[0] = scalarOf(p, "u32", 1); }},
      {"names its operation", [](Program &p) { firstTerminator<Assert>(p).op = BinOp::Add; }},
      {"the template names operand 70",
       [](Program &p) {
         std::get<AsmPieceOperand>(firstTerminator<InlineAsm>(p).pieces[1]).operand = 70;
       }},
      {"operands[6]`: no target 70",
       [](Program &p) {
         std::get<AsmLabel>(firstTerminator<InlineAsm>(p).operands[6]).target = 70;
       }},
      {"operands[4]`: no function",
       [](Program &p) {
         std::get<AsmSymFn>(firstTerminator<InlineAsm>(p).operands[4]).function = FunctionId(70);
       }},
      {"operands[5]`: no static",
       [](Program &p) {
         std::get<AsmSymStatic>(firstTerminator<InlineAsm>(p).operands[5]).target = StaticId(70);
       }},
      {"operands[1]`: no local",
       [](Program &p) {
         std::get<AsmOut>(firstTerminator<InlineAsm>(p).operands[1]).place->local = LocalId(70);
       }},
      {"no span 70", [](Program &p) { firstTerminator<InlineAsm>(p).lineSpans[0] = SpanId(70); }},
      {"no block 90", [](Program &p) { firstTerminator<InlineAsm>(p).targets[0] = BlockId(90); }},
  };
  checkRules(rules);
}
