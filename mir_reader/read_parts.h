// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The readers of the parts of docs/mir_format.md, one function a noun. Each takes the cursor at its
// value and returns the model's struct; errors stay in the cursor (json.h). None looks at another
// table: indices are checked by the verifier afterwards.
#pragma once

#include "mir_reader/json.h"
#include "mir_reader/mir.h"

namespace mirgpu::mir {

// read_layout.cpp
Scalar readScalar(Json &json);
Repr readRepr(Json &json);
Encoding readEncoding(Json &json);
std::vector<Variant> readVariants(Json &json);
GenericArg readGenericArg(Json &json);
ToolAttr readToolAttr(Json &json);
std::vector<ToolAttr> readToolAttrs(Json &json);

// read_types.cpp
Type readType(Json &json);

// read_memory.cpp
Alloc readAlloc(Json &json);
Static readStatic(Json &json);
Vtable readVtable(Json &json);
Constant readConstant(Json &json);

// read_place.cpp
Place readPlace(Json &json);
std::vector<Projection> readProjections(Json &json);
Operand readOperand(Json &json);
std::vector<Operand> readOperands(Json &json);

// read_rvalue.cpp
Rvalue readRvalue(Json &json);

// read_block.cpp
BasicBlock readBlock(Json &json);

// read_terminator.cpp
Terminator readTerminator(Json &json);

// read_call.cpp
Callee readCallee(Json &json);
std::optional<CallerLocation> readCallerLocation(Json &json);
Unwind readUnwind(Json &json);
InlineAsm readInlineAsm(Json &json);

// read_function.cpp
Function readFunction(Json &json);

} // namespace mirgpu::mir
