// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a block's JSON to the model: statements (`[span, scope, kind, …]`) and the terminator after
// them.
#include "mir_reader/read_parts.h"

namespace mirgpu::mir {

static StatementKind readStatementKind(Json &json) {
  Json kind = json.next();
  std::string_view word = kind.rawText();
  if (word == "assign") {
    Json place = json.next(), rvalue = json.next();
    return Assign{readPlace(place), readRvalue(rvalue)};
  }
  if (word == "storage_live")
    return StorageLive{json.next().id<LocalId>()};
  if (word == "storage_dead")
    return StorageDead{json.next().id<LocalId>()};
  if (word == "set_discriminant") {
    Json place = json.next();
    return SetDiscriminant{readPlace(place), json.next().u32()};
  }
  if (word == "assume") {
    Json operand = json.next();
    return Assume{readOperand(operand)};
  }
  if (word == "copy_nonoverlapping") {
    Json src = json.next(), dst = json.next(), count = json.next();
    return CopyNonOverlapping{readOperand(src), readOperand(dst), readOperand(count)};
  }
  if (word != "nop")
    kind.failExpected("a kind of statement");
  return Nop{};
}

static Statement readStatement(Json &json) {
  Statement statement;
  statement.span = json.next().idOrNull<SpanId>();
  statement.scope = json.next().id<ScopeId>();
  statement.kind = readStatementKind(json);
  json.finish();
  return statement;
}

BasicBlock readBlock(Json &json) {
  BasicBlock block;
  block.isCleanup = json.key("cleanup").boolean();
  json.key("statements").list(block.statements, readStatement);
  Json terminator = json.key("terminator");
  block.terminator = readTerminator(terminator);
  return block;
}

} // namespace mirgpu::mir
