// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the tuples of rvalues (`["binary", "add", operand, operand]`) to the model, one small reader
// a kind in a table.
#include "mir_reader/read_parts.h"

#include <algorithm>

namespace mirgpu::mir {

static Operand nextOperand(Json &json) {
  Json operand = json.next();
  return readOperand(operand);
}

static Place nextPlace(Json &json) {
  Json place = json.next();
  return readPlace(place);
}

static UnsizeInfo readUnsize(Json &json) {
  UnsizeInfo info;
  json.key("path").list(info.path, [](Json &field) { return field.u32(); });
  Json to = json.key("to");
  if (to.hasKey("length")) {
    info.to = UnsizeLength{to.key("length").u64()};
  } else if (to.hasKey("vtable")) {
    info.to = UnsizeVtable{to.key("vtable").id<VtableId>()};
  } else {
    Json slot = to.key("upcast");
    info.to = UnsizeUpcast{slot.isNull() ? std::nullopt : std::optional(slot.u32())};
  }
  return info;
}

static Rvalue readCast(Json &json) {
  Cast cast;
  cast.kind = json.next().word<CastKind>();
  cast.operand = nextOperand(json);
  cast.ty = json.next().id<TypeId>();
  Json extra = json.next();
  if (cast.kind == CastKind::ReifyFnPointer || cast.kind == CastKind::ClosureFnPointer)
    cast.function = extra.key("function").id<FunctionId>();
  if (cast.kind == CastKind::Unsize)
    cast.unsize = readUnsize(extra);
  return cast;
}

static Rvalue readAggregate(Json &json) {
  Aggregate aggregate;
  aggregate.ty = json.next().id<TypeId>();
  Json variant = json.next();
  if (!variant.isNull())
    aggregate.variant = variant.u32();
  Json activeField = json.next();
  if (!activeField.isNull())
    aggregate.activeField = activeField.u32();
  Json operands = json.next();
  aggregate.operands = readOperands(operands);
  return aggregate;
}

static Rvalue readRepeat(Json &json) {
  Operand operand = nextOperand(json);
  return Repeat{std::move(operand), json.next().u64()};
}

static Rvalue readRef(Json &json) {
  BorrowKind kind = json.next().word<BorrowKind>();
  return Ref{kind, nextPlace(json)};
}

static Rvalue readRawPtr(Json &json) {
  BorrowKind kind = json.next().word<BorrowKind>(names::rawBorrowKinds);
  return RawPtr{kind, nextPlace(json)};
}

static Rvalue readBinary(Json &json) {
  BinaryOp binary;
  binary.op = json.next().word<BinOp>();
  binary.lhs = nextOperand(json);
  binary.rhs = nextOperand(json);
  return binary;
}

static Rvalue readUnary(Json &json) {
  UnOp op = json.next().word<UnOp>();
  return UnaryOp{op, nextOperand(json)};
}

static Rvalue readWrap(Json &json) {
  Operand operand = nextOperand(json);
  return WrapUnsafeBinder{std::move(operand), json.next().id<TypeId>()};
}

namespace {
struct RvalueReader {
  std::string_view word;
  Rvalue (*read)(Json &json);
};
} // namespace

static constexpr RvalueReader rvalueReaders[] = {
    {"use", [](Json &json) -> Rvalue { return Use{nextOperand(json)}; }},
    {"repeat", readRepeat},
    {"ref", readRef},
    {"thread_local_ref",
     [](Json &json) -> Rvalue { return ThreadLocalRef{json.next().id<StaticId>()}; }},
    {"raw_ptr", readRawPtr},
    {"cast", readCast},
    {"binary", readBinary},
    {"unary", readUnary},
    {"discriminant", [](Json &json) -> Rvalue { return Discriminant{nextPlace(json)}; }},
    {"aggregate", readAggregate},
    {"copy_for_deref", [](Json &json) -> Rvalue { return CopyForDeref{nextPlace(json)}; }},
    {"wrap_unsafe_binder", readWrap},
};

Rvalue readRvalue(Json &json) {
  Json kind = json.next();
  std::string_view word = kind.rawText();
  const auto *reader = std::ranges::find(rvalueReaders, word, &RvalueReader::word);
  if (reader == std::end(rvalueReaders)) {
    kind.failExpected("a kind of rvalue");
    return Discriminant{};
  }
  Rvalue rvalue = reader->read(json);
  json.finish();
  return rvalue;
}

} // namespace mirgpu::mir
