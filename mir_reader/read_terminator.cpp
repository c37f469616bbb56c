// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a terminator's tuple (`[span, scope, kind, …]`) to the model.
#include "mir_reader/read_parts.h"

namespace mirgpu::mir {

static SwitchArm readSwitchArm(Json &json) {
  SwitchArm arm;
  arm.value = json.next().decimal();
  arm.target = json.next().id<BlockId>();
  json.finish();
  return arm;
}

static TerminatorKind readSwitchInt(Json &json) {
  SwitchInt result;
  Json operand = json.next();
  result.operand = readOperand(operand);
  result.ty = json.next().id<TypeId>();
  json.next().list(result.arms, readSwitchArm);
  result.otherwise = json.next().id<BlockId>();
  return result;
}

static TerminatorKind readDrop(Json &json) {
  Drop drop;
  Json place = json.next();
  drop.place = readPlace(place);
  Json callee = json.next();
  drop.callee = readCallee(callee);
  drop.target = json.next().id<BlockId>();
  Json unwind = json.next();
  drop.unwind = readUnwind(unwind);
  return drop;
}

static std::optional<CallerLocation> callerLocationAt(Json &json) {
  Json location = json.key("caller_location");
  return readCallerLocation(location);
}

static TerminatorKind readCall(Json &json) {
  Call call;
  Json callee = json.key("callee");
  call.callee = readCallee(callee);
  Json args = json.key("args");
  call.args = readOperands(args);
  Json dest = json.key("dest");
  call.dest = readPlace(dest);
  call.target = json.key("target").idOrNull<BlockId>();
  Json unwind = json.key("unwind");
  call.unwind = readUnwind(unwind);
  call.fnSpan = json.key("fn_span").idOrNull<SpanId>();
  call.callerLocation = callerLocationAt(json);
  return call;
}

static TerminatorKind readTailCall(Json &json) {
  TailCall call;
  Json callee = json.key("callee");
  call.callee = readCallee(callee);
  Json args = json.key("args");
  call.args = readOperands(args);
  call.fnSpan = json.key("fn_span").idOrNull<SpanId>();
  call.callerLocation = callerLocationAt(json);
  return call;
}

static TerminatorKind readAssert(Json &json) {
  Assert result;
  Json cond = json.key("cond");
  result.cond = readOperand(cond);
  result.expected = json.key("expected").boolean();
  Json message = json.key("msg");
  result.kind = message.key("kind").word<AssertKind>();
  Json operands = message.key("operands");
  result.operands = readOperands(operands);
  Json op = message.key("op");
  if (!op.isNull())
    result.op = op.word<BinOp>();
  result.target = json.key("target").id<BlockId>();
  Json unwind = json.key("unwind");
  result.unwind = readUnwind(unwind);
  result.callerLocation = callerLocationAt(json);
  return result;
}

static TerminatorKind readGoto(Json &json) {
  BlockId target = json.next().id<BlockId>();
  return Goto{target, json.next().boolean()};
}

static TerminatorKind readTerminatorKind(Json &json) {
  Json kind = json.next();
  std::string_view word = kind.rawText();
  if (word == "goto")
    return readGoto(json);
  if (word == "switch_int")
    return readSwitchInt(json);
  if (word == "return")
    return Return{};
  if (word == "unreachable")
    return Unreachable{};
  if (word == "unwind_resume")
    return UnwindResume{};
  if (word == "unwind_terminate")
    return UnwindTerminate{};
  if (word == "drop")
    return readDrop(json);
  Json parts = json.next();
  if (word == "call")
    return readCall(parts);
  if (word == "tail_call")
    return readTailCall(parts);
  if (word == "assert")
    return readAssert(parts);
  if (word != "inline_asm")
    kind.failExpected("a kind of terminator");
  return readInlineAsm(parts);
}

Terminator readTerminator(Json &json) {
  Terminator terminator;
  terminator.span = json.next().idOrNull<SpanId>();
  terminator.scope = json.next().id<ScopeId>();
  terminator.kind = readTerminatorKind(json);
  json.finish();
  return terminator;
}

} // namespace mirgpu::mir
