// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See program_builder.h.
#include "program_builder.h"

namespace lowering_test {

static Scalar intScalar(unsigned bits, bool isSigned) {
  Scalar scalar;
  scalar.bits = bits;
  scalar.isSigned = isSigned;
  scalar.validEnd = bits == 128 ? ~u128(0) : (u128(1) << bits) - 1;
  return scalar;
}

static Scalar pointerScalar() {
  Scalar scalar = intScalar(64, false);
  scalar.primitive = Primitive::Pointer;
  return scalar;
}

ProgramBuilder::ProgramBuilder() {
  Type base;
  base.repr = ReprMemory{};
  base.kind = TyTuple{};
  base.variants.push_back({});
  unit = add(base);
  base.variants.clear();
  base.kind = TyNever{};
  base.uninhabited = true;
  never = add(base);
  u8 = integer(8);
  u16 = integer(16);
  u32 = integer(32);
  u64 = integer(64);
  Type real;
  real.kind = TyFloat{32};
  real.size = real.align = 4;
  Scalar scalar = intScalar(32, false);
  scalar.primitive = Primitive::Float;
  real.repr = ReprScalar{scalar};
  f32 = add(real);
  Type text;
  text.kind = TyStr{};
  text.repr = ReprMemory{false};
  text.unsizedTail = Unsized{Metadata::Length, {}};
  str = add(text);
  program.types[str].unsizedTail->tail = str;
  strRef = refTo(str, true);
  pointer = refTo(u8);
  argument = structure("Argument", {{pointer, 0}, {pointer, 8}}, 16, 8);
  arguments = structure("Arguments", {{pointer, 0}, {pointer, 8}}, 16, 8);
}

TypeId ProgramBuilder::integer(unsigned bits, bool isSigned) {
  Type type;
  type.kind = TyInt{isSigned, bits};
  type.size = type.align = bits / 8;
  type.repr = ReprScalar{intScalar(bits, isSigned)};
  return add(type);
}

TypeId ProgramBuilder::refTo(TypeId pointee, bool isFat) {
  Type type;
  type.kind = TyPointer{true, false, pointee, std::nullopt};
  type.size = isFat ? 16 : 8;
  type.align = 8;
  if (isFat)
    type.repr = ReprPair{pointerScalar(), intScalar(64, false), 8};
  else
    type.repr = ReprScalar{pointerScalar()};
  return add(type);
}

TypeId ProgramBuilder::arrayOf(TypeId elem, uint64_t len) {
  Type type;
  type.kind = TyArray{elem, len};
  type.size = program.types[elem].size * len;
  type.align = program.types[elem].align;
  type.repr = ReprMemory{};
  return add(type);
}

TypeId ProgramBuilder::structure(Str name, const std::vector<std::pair<TypeId, uint64_t>> &fields,
                                 uint64_t size, uint64_t align) {
  Type type;
  type.name = name;
  type.kind = TyAdt{};
  type.size = size;
  type.align = align;
  type.repr = ReprMemory{};
  Variant variant;
  for (const auto &[ty, offset] : fields)
    variant.fields.push_back({{}, ty, offset});
  type.variants.push_back(variant);
  return add(type);
}

AllocId ProgramBuilder::bytes(std::string_view text) {
  AllocMemory memory;
  memory.bytes.assign(text.begin(), text.end());
  return program.allocs.push(memory);
}

Constant ProgramBuilder::strConstant(std::string_view text) {
  return {strRef, ConstSlice{bytes(text), text.size()}, {}};
}

FunctionId ProgramBuilder::function(Str name, std::vector<TypeId> inputs, TypeId output) {
  Function function;
  function.symbol = function.defPath = name;
  function.output = output;
  function.body.emplace();
  function.body->argCount = uint32_t(inputs.size());
  function.body->locals.push({output, true, {}, {}});
  for (TypeId input : inputs)
    function.body->locals.push({input, false, {}, {}});
  function.inputs = std::move(inputs);
  return program.functions.push(std::move(function));
}

FunctionId ProgramBuilder::entry(Str lang, std::vector<TypeId> inputs) {
  Function function;
  function.symbol = function.defPath = function.lang = lang;
  function.trackCaller = true;
  function.output = never;
  function.inputs = std::move(inputs);
  return program.functions.push(std::move(function));
}

BlockId ProgramBuilder::block(FunctionId id, std::vector<StatementKind> statements,
                              TerminatorKind terminator) {
  BasicBlock block;
  for (StatementKind &kind : statements)
    block.statements.push_back({{}, {}, std::move(kind)});
  block.terminator.kind = std::move(terminator);
  return body(id).blocks.push(std::move(block));
}

Call ProgramBuilder::call(FunctionId callee, std::vector<Operand> args, LocalId dest,
                          BlockId target) {
  Call call;
  call.callee = CalleeDirect{callee, {}};
  call.args = std::move(args);
  call.dest = Place{dest, {}};
  call.target = target;
  if (program.functions[callee].trackCaller)
    call.callerLocation = CallerLocation{true, {}};
  return call;
}

} // namespace lowering_test
