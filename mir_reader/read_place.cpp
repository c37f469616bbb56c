// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the tuples of places (`[local, ["deref"], …]`) and operands (`["copy", place]`) to the
// model.
#include "mir_reader/read_parts.h"

namespace mirgpu::mir {

static Projection readProjection(Json &json) {
  Json kind = json.next();
  std::string_view word = kind.rawText();
  if (word == "deref")
    return ProjDeref{};
  if (word == "field") {
    uint32_t field = json.next().u32();
    return ProjField{field, json.next().id<TypeId>()};
  }
  if (word == "index")
    return ProjIndex{json.next().id<LocalId>()};
  if (word == "constant_index") {
    uint64_t offset = json.next().u64(), minLength = json.next().u64();
    return ProjConstantIndex{offset, minLength, json.next().boolean()};
  }
  if (word == "subslice") {
    uint64_t from = json.next().u64(), to = json.next().u64();
    return ProjSubslice{from, to, json.next().boolean()};
  }
  if (word == "downcast")
    return ProjDowncast{json.next().u32()};
  if (word == "opaque_cast")
    return ProjOpaqueCast{json.next().id<TypeId>()};
  if (word == "unwrap_unsafe_binder")
    return ProjUnwrapUnsafeBinder{json.next().id<TypeId>()};
  kind.failExpected("a kind of projection");
  return ProjDeref{};
}

static Projection readWholeProjection(Json &json) {
  Projection projection = readProjection(json);
  json.finish();
  return projection;
}

std::vector<Projection> readProjections(Json &json) {
  std::vector<Projection> projections;
  json.list(projections, readWholeProjection);
  return projections;
}

Place readPlace(Json &json) {
  Place place;
  place.local = json.next().id<LocalId>();
  while (json.hasNext() && !json.failed()) {
    Json step = json.next();
    place.projection.push_back(readWholeProjection(step));
  }
  return place;
}

Operand readOperand(Json &json) {
  Json kind = json.next(), value = json.next();
  json.finish();
  std::string_view word = kind.rawText();
  if (word == "copy")
    return Copy{readPlace(value)};
  if (word == "move")
    return Move{readPlace(value)};
  if (word == "const")
    return readConstant(value);
  if (word != "runtime_checks")
    kind.failExpected("one of copy, move, const, runtime_checks");
  return RuntimeChecks{value.word<RuntimeCheck>()};
}

std::vector<Operand> readOperands(Json &json) {
  std::vector<Operand> operands;
  json.list(operands, readOperand);
  return operands;
}

} // namespace mirgpu::mir
