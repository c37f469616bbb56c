// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes mir::Programs in memory, piece by piece, for the tests of lowering's analyses: the types
// that a panic message needs, constant texts, and functions block by block. Nothing is verified: a
// test builds just what its analysis reads.
#pragma once

#include "mir_reader/mir.h"

#include <string>
#include <utility>
#include <vector>

namespace lowering_test {

using namespace mirgpu::mir;

class ProgramBuilder {
public:
  Program program;
  TypeId unit, never, u8, u16, u32, u64, f32, str, strRef, pointer, argument, arguments;

  ProgramBuilder();

  TypeId add(Type type) { return program.types.push(std::move(type)); }
  TypeId integer(unsigned bits, bool isSigned = false);
  TypeId refTo(TypeId pointee, bool isFat = false);
  TypeId arrayOf(TypeId elem, uint64_t len);
  /// A struct with these (type, offset) fields.
  TypeId structure(Str name, const std::vector<std::pair<TypeId, uint64_t>> &fields, uint64_t size,
                   uint64_t align);

  /// Constant memory with these bytes.
  AllocId bytes(std::string_view text);
  Constant strConstant(std::string_view text);
  Constant scalar(TypeId ty, u128 bits) { return {ty, ConstScalar{bits}, {}}; }

  /// A function with `inputs` as arguments and `output` as local 0; blocks are added to its body.
  FunctionId function(Str name, std::vector<TypeId> inputs, TypeId output);
  /// A panic entry.
  FunctionId entry(Str lang, std::vector<TypeId> inputs);
  Body &body(FunctionId id) { return *program.functions[id].body; }
  LocalId local(FunctionId id, TypeId ty) { return body(id).locals.push({ty, true, {}, {}}); }
  /// Adds a block of these statements and terminator.
  BlockId block(FunctionId id, std::vector<StatementKind> statements, TerminatorKind terminator);
  /// A call of `callee`; `target` invalid: it does not come back.
  Call call(FunctionId callee, std::vector<Operand> args, LocalId dest = LocalId(0),
            BlockId target = {});
};

inline Operand copy(LocalId local) { return Copy{Place{local, {}}}; }
inline StatementKind assign(LocalId local, Rvalue rvalue) {
  return Assign{Place{local, {}}, std::move(rvalue)};
}

} // namespace lowering_test
