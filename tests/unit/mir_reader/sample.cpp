// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sample put together, and the small questions of sample.h.
#include "tests/unit/mir_reader/sample.h"

#include "mir_reader/read.h"
#include "tests/unit/mir_reader/sample_parts.h"

#include <doctest/doctest.h>

namespace mirgpu::mir::test {

static void addMemory(SampleBuilder &b) {
  b.alloc(R"({"kind":"memory","align":1,"mutable":false,"bytes":"68656c6c6f","undef":[],)"
          R"("relocs":[]})");
  b.alloc(R"({"kind":"memory","align":4,"mutable":true,"bytes":"000102030405060708090a0b0c0d0e0f",)"
          R"("undef":[[0,2],[3,4]],"relocs":[[8,0]]})");
  b.alloc(R"({"kind":"memory","align":8,"mutable":false,)"
          R"("bytes":"000000000000000005000000000000000700000009000000","undef":[],)"
          R"("relocs":[[0,0]]})");
  b.alloc(
      R"({"kind":"memory","align":4,"mutable":false,"bytes":"2a000000","undef":[],"relocs":[]})");
  b.alloc(R"({"kind":"function","function":0})");
  b.alloc(R"({"kind":"static","static":0})");
  b.alloc(R"({"kind":"vtable","vtable":0})");
  b.statics = {R"({"symbol":"sample::ANSWER","ty":${u32},"mutable":false,"interior_mutable":false,)"
               R"("thread_local":true,"extern":false,"section":null,"linkage":null,"align":4,)"
               R"("tool_attrs":[{"path":"shared","args":[]}],"init":3,"span":0})",
               R"({"symbol":"elsewhere","ty":${u32},"mutable":true,"interior_mutable":false,)"
               R"("thread_local":false,"extern":true,"section":".data","linkage":"weak","align":4,)"
               R"("tool_attrs":[],"init":null,"span":null})"};
  b.vtables = {
      R"({"ty":${u32},"trait":"sample::Shape","entries":[{"drop":null},{"size":4},{"align":4},)"
      R"({"method":0},"vacant",{"super":0}],"alloc":null})"};
}

static std::string makeText() {
  SampleBuilder b;
  b.spans = {"[0,1,1,1,10,null]", "[0,3,5,3,9,0]"};
  addTypes(b);
  addMemory(b);
  addFunctions(b);
  b.kernels = {R"({"function":0,"key":"sample::double","entry":"double","params":[{"name":"x",)"
               R"("kind":"scalar","ty":${u32}}],"launch_bounds":{"max_threads":256,)"
               R"("min_blocks":1},"contract":null})"};
  b.tests = {R"({"path":"tests::doubles","function":0,"ignored":true,)"
             R"("should_panic":{"expected":"twice"}})"};
  return b.text();
}

const std::string &sampleText() {
  static const std::string text = makeText();
  return text;
}

llvm::Expected<Program> readText(std::string_view text) {
  return read(llvm::MemoryBufferRef(llvm::StringRef(text.data(), text.size()), "test.mir.json"));
}

std::string readError(std::string_view text) {
  auto program = readText(text);
  return program ? std::string() : llvm::toString(program.takeError());
}

Program sample() {
  auto program = readText(sampleText());
  if (!program)
    FAIL(llvm::toString(program.takeError()));
  return std::move(*program);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  size_t at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, std::string(from));
  return text.replace(at, from.size(), to);
}

TypeId typeNamed(const Program &program, std::string_view name) {
  for (uint32_t i = 0; i < program.types.size(); ++i)
    if (program.types[TypeId(i)].name == name)
      return TypeId(i);
  FAIL("no type " << std::string(name));
  return TypeId();
}

FunctionId functionNamed(const Program &program, std::string_view symbol) {
  for (uint32_t i = 0; i < program.functions.size(); ++i)
    if (program.functions[FunctionId(i)].symbol == symbol)
      return FunctionId(i);
  FAIL("no function " << std::string(symbol));
  return FunctionId();
}

} // namespace mirgpu::mir::test
