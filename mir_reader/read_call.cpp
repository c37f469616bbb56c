// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the parts of calls to the model: the callee, the unwind action, the caller's location; and
// inline assembly.
#include "mir_reader/read_parts.h"

namespace mirgpu::mir {

static Callee readIntrinsic(Json &json) {
  CalleeIntrinsic intrinsic;
  intrinsic.name = json.key("name").text();
  json.key("args").list(intrinsic.args, readGenericArg);
  intrinsic.fallback = json.key("fallback").idOrNull<FunctionId>();
  intrinsic.ty = json.key("ty").id<TypeId>();
  return intrinsic;
}

static Callee readVirtual(Json &json) {
  CalleeVirtual method;
  method.slot = json.key("slot").u32();
  method.method = json.key("method").text();
  method.ty = json.key("ty").id<TypeId>();
  return method;
}

static Callee readPointerCallee(Json &json) {
  Json operand = json.key("operand");
  CalleePointer pointer;
  pointer.operand = readOperand(operand);
  pointer.ty = json.key("ty").id<TypeId>();
  return pointer;
}

Callee readCallee(Json &json) {
  Json kind = json.key("kind");
  std::string_view word = kind.rawText();
  if (word == "direct") {
    FunctionId function = json.key("function").id<FunctionId>();
    return CalleeDirect{function, json.key("ty").id<TypeId>()};
  }
  if (word == "intrinsic")
    return readIntrinsic(json);
  if (word == "virtual")
    return readVirtual(json);
  if (word == "pointer")
    return readPointerCallee(json);
  if (word == "drop_glue")
    return CalleeDropGlue{json.key("function").id<FunctionId>()};
  if (word == "drop_virtual")
    return CalleeDropVirtual{};
  if (word == "nothing")
    return CalleeNothing{};
  if (word != "constant")
    kind.failExpected("a kind of callee");
  Json value = json.key("value");
  return CalleeConstant{readConstant(value)};
}

std::optional<CallerLocation> readCallerLocation(Json &json) {
  if (json.isNull())
    return std::nullopt;
  if (!json.isString())
    return CallerLocation{false, json.id<AllocId>()};
  if (json.rawText() != "forward")
    json.failExpected("an alloc, \"forward\" or null");
  return CallerLocation{true, {}};
}

Unwind readUnwind(Json &json) {
  if (!json.isString())
    return {UnwindKind::Cleanup, json.id<BlockId>()};
  std::string_view word = json.rawText();
  if (word == "continue")
    return {UnwindKind::Continue, {}};
  if (word == "terminate")
    return {UnwindKind::Terminate, {}};
  if (word != "unreachable")
    json.failExpected("\"continue\", \"unreachable\", \"terminate\" or a block");
  return {UnwindKind::Unreachable, {}};
}

// ---- Inline assembly
// ------------------------------------------------------------------------------

static AsmPiece readAsmPiece(Json &json) {
  if (json.isString())
    return AsmPieceText{json.text()};
  uint32_t operand = json.key("operand").u32();
  return AsmPieceOperand{operand, json.key("modifier").textOrNull()};
}

static std::optional<Place> readOptionalPlace(Json &json) {
  return json.isNull() ? std::nullopt : std::optional(readPlace(json));
}

static AsmOperand readAsmOperand(Json &json) {
  Json kind = json.key("kind");
  std::string_view word = kind.rawText();
  if (word == "in") {
    Str regClass = json.key("class").text();
    Json value = json.key("value");
    return AsmIn{regClass, readOperand(value)};
  }
  if (word == "out") {
    Str regClass = json.key("class").text();
    bool late = json.key("late").boolean();
    Json place = json.key("place");
    return AsmOut{regClass, late, readOptionalPlace(place)};
  }
  if (word == "inout") {
    Str regClass = json.key("class").text();
    bool late = json.key("late").boolean();
    Json in = json.key("in"), out = json.key("out");
    return AsmInOut{regClass, late, readOperand(in), readOptionalPlace(out)};
  }
  if (word == "const") {
    Json value = json.key("value");
    return AsmConst{readConstant(value)};
  }
  if (word == "sym_fn")
    return AsmSymFn{json.key("function").id<FunctionId>()};
  if (word == "sym_static")
    return AsmSymStatic{json.key("static").id<StaticId>()};
  if (word != "label")
    kind.failExpected("a kind of inline assembly operand");
  return AsmLabel{json.key("target").u32()};
}

InlineAsm readInlineAsm(Json &json) {
  InlineAsm assembly;
  json.key("template").list(assembly.pieces, readAsmPiece);
  json.key("operands").list(assembly.operands, readAsmOperand);
  json.key("options").texts(assembly.options);
  json.key("line_spans").list(assembly.lineSpans, [](Json &span) {
    return span.idOrNull<SpanId>();
  });
  json.key("targets").ids(assembly.targets);
  Json unwind = json.key("unwind");
  assembly.unwind = readUnwind(unwind);
  return assembly;
}

} // namespace mirgpu::mir
