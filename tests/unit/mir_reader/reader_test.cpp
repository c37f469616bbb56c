// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the reader makes of right and wrong text: the model has what the text says, and errors name
// file, place and what was found. That no text crashes it is in hostile_test.cpp.
#include "mir_reader/query.h"
#include "mir_reader/read.h"
#include "tests/unit/mir_reader/sample.h"

#include <doctest/doctest.h>

using namespace mirgpu::mir;
using namespace mirgpu::mir::test;

static bool contains(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("reader: the sample reads and verifies") {
  Program p = sample();
  CHECK(p.crateName == "sample");
  CHECK(p.session.overflowChecks);
  CHECK(p.files.size() == 1);
  CHECK(p.spans[SpanId(1)].callSite == SpanId(0));
  CHECK(outermostCallSite(p, SpanId(1)) == SpanId(0));
  CHECK(sourceSpan(p, SpanId(1)).line == 3);
  CHECK(p.kernels[KernelId(0)].launchBounds->maxThreads == 256);
  CHECK(*p.tests[0].expected == "twice");
  CHECK(p.functions[FunctionId(0)].toolAttrs[0].args[0] == "a b");
}

TEST_CASE("reader: types have their layout") {
  Program p = sample();
  const Type &option = p.types[typeNamed(p, "Option<u32>")];
  CHECK(pairOf(option)->bOffset == 4);
  CHECK(std::get<EncodingDirect>(option.encoding).tag.bits == 32);
  CHECK(option.variants[1].fields[0].offset == 4);
  const Type &ordering = p.types[typeNamed(p, "Ordering")];
  CHECK(uint64_t(scalarOf(ordering)->validStart) == 255);
  CHECK(uint64_t(ordering.variants[0].discr) == 255);
  const Type &u128Type = p.types[typeNamed(p, "u128")];
  CHECK(bool(scalarOf(u128Type)->validEnd == ~u128(0)));
  CHECK(simdOf(p.types[typeNamed(p, "Lanes")])->count == 4);
  const auto *point = kindAs<TyAdt>(p, typeNamed(p, "Point"));
  CHECK(uint64_t(*point->args[1].constant) == 3);
  CHECK(hasFlag(p.types[typeNamed(p, "Point")], "repr_c"));
}

TEST_CASE("reader: queries answer on the sample") {
  Program p = sample();
  TypeId u32 = typeNamed(p, "u32");
  CHECK(pointeeOf(p, typeNamed(p, "&u32")) == u32);
  CHECK(metadataOf(p, typeNamed(p, "dyn Shape")) == Metadata::Vtable);
  CHECK(isFatPointer(p, typeNamed(p, "&str")));
  CHECK(elementOf(p, typeNamed(p, "[u32;4]")) == u32);
  CHECK(fieldOf(p, typeNamed(p, "Option<u32>"), 1u, 0)->ty == u32);
  CHECK(fieldOf(p, PlaceTy{typeNamed(p, "Option<u32>"), {}}, 0) == nullptr);
  CHECK(isZst(p, typeNamed(p, "()")));
  CHECK(signatureOf(p, typeNamed(p, "fn item sample::double"))->output == u32);
  CHECK(findToolAttr(p.functions[FunctionId(0)].toolAttrs, "kernel") != nullptr);
  const Body &body = *p.functions[functionNamed(p, "sample::places")].body;
  for (const Statement &statement : body.blocks[BlockId(0)].statements) {
    const auto &assign = std::get<Assign>(statement.kind);
    TypeId ty = rvalueType(p, body, assign.rvalue);
    CHECK((!ty.isValid() || ty == placeType(p, body, assign.place)));
  }
}

TEST_CASE("reader: memory is decoded") {
  Program p = sample();
  const auto &memory = std::get<AllocMemory>(p.allocs[AllocId(1)]);
  CHECK(memory.bytes.size() == 16);
  CHECK(memory.bytes[15] == 15);
  CHECK(memory.undef[1].start == 3);
  CHECK(memory.relocs[0].target == AllocId(0));
}

TEST_CASE("reader: unknown keys are ignored, in any place and order") {
  std::string text =
      replaced(sampleText(), R"("producer":"hand")", R"("later":[{"x":1}],"producer":"hand")");
  text = replaced(text, R"("kind":"bool","name":"bool")", R"("name":"bool","new":1,"kind":"bool")");
  CHECK(readError(text) == "");
}

TEST_CASE("reader: another version is refused before anything else is looked at") {
  std::string error = readError(R"({"format":{"name":"mirgpu-mir","major":2,"minor":7}})");
  CHECK(contains(error, "test.mir.json"));
  CHECK(contains(error, "`format.major`: the file has format version 2.7"));
  CHECK(contains(error, "version 1"));
  CHECK(readError(replaced(sampleText(), R"("minor":0)", R"("minor":9)")) == "");
}

TEST_CASE("reader: what is not serialized MIR is told from what is broken") {
  CHECK(contains(readError(""), "empty"));
  CHECK(contains(readError("  \n"), "empty"));
  CHECK(contains(readError("[]"), "not serialized MIR"));
  CHECK(contains(readError("{}"), "not serialized MIR"));
  CHECK(contains(readError("{\"format\":{\"name\":\"other\",\"major\":1,\"minor\":0}}"),
                 "`format.name`: expected \"mirgpu-mir\", found \"other\""));
  CHECK(contains(readError("fn main() {}"), "not valid JSON"));
}

TEST_CASE("reader: syntax errors name the byte") {
  std::string text = R"({"format":{"name":"mirgpu-mir","major":1,"minor":0},"producer":nul})";
  CHECK(contains(readError(text), "not valid JSON near byte "));
  text = sampleText();
  text[text.find("sample.rs")] = '\xff';
  CHECK(contains(readError(text),
                 "not valid JSON near byte " + std::to_string(sampleText().find("sample.rs"))));
  const size_t inString = sampleText().find("sample.rs") + 3;
  CHECK(contains(readError(std::string_view(sampleText()).substr(0, inString)),
                 "not valid JSON at its end, byte " + std::to_string(inString)));
  CHECK(contains(readError("{\"format\":{},"), "not valid JSON at its end, byte 13"));
}

TEST_CASE("reader: errors name the way to the value") {
  struct Case {
    const char *from, *to, *error;
  };
  const Case cases[] = {
      {R"("pointer_width":64)", R"("pointer_width":32)", "`target.pointer_width`: expected 64"},
      {R"("endian":"little")", R"("endian":"big")", "`target.endian`: expected \"little\""},
      {R"(,"opt_level":"3")", "", "`session`: missing key `opt_level`"},
      {R"("opt_level":"3")", R"("opt_level":3)", "`session.opt_level`: expected a string, found 3"},
      {R"([0,1,1,1,10,null])", R"([0,1,1,1,10])", "`spans[0]`: expected at least 6 elements"},
      {R"([0,1,1,1,10,null])", R"([0,1,1,1,10,null,1])", "`spans[0]`: expected 6 elements"},
      {R"([0,1,1,1,10,null])", R"([0,1,-1,1,10,null])",
       "`spans[0][2]`: expected an unsigned integer, found -1"},
      {R"([0,1,1,1,10,null])", R"([0,1,4294967296,1,10,null])", "below 2^32"},
      {R"("kind":"bool")", R"("kind":"boole")", "`types[0].kind`: expected a kind of type"},
      {R"("valid":["0","1"])", R"("valid":["0","-1"])",
       "`types[0].repr.scalar.valid[1]`: expected an unsigned decimal"},
      {R"("340282366920938463463374607431768211455")",
       R"("340282366920938463463374607431768211456")", "at most 128 bits"},
      {R"("bytes":"68656c6c6f")", R"("bytes":"68656c6c6")", "`allocs[0].bytes`: an odd number"},
      {R"("bytes":"68656c6c6f")", R"("bytes":"68656c6c6g")", "not a hex digit at position 9"},
      {R"(["binary","add",)", R"(["binary","plus",)",
       "`functions[0].body.blocks[0].statements[0][4][1]`: expected one of add, sub"},
      {R"("terminator":[1,0,"return"])", R"("terminator":[1,0,"retrun"])",
       "`functions[0].body.blocks[0].terminator"},
      {R"("inline":"none")", R"("inline":"maybe")", "`functions[0].inline`: expected one of none"},
      {R"("kind":"scalar","ty")", R"("kind":"scaler","ty")",
       "`kernels[0].params[0].kind`: expected one of scalar, pointer"},
      {R"("super":0)", R"("supper":0)", "`vtables[0].entries[5]`: missing key `method`"},
  };
  for (const Case &c : cases) {
    std::string error = readError(replaced(sampleText(), c.from, c.to));
    INFO(error);
    CHECK(contains(error, "'test.mir.json': "));
    CHECK(contains(error, c.error));
  }
}

TEST_CASE("reader: files are read, and what is no file is refused") {
  auto missing = readFile("/nonexistent/x.mir.json");
  REQUIRE(!missing);
  CHECK(contains(llvm::toString(missing.takeError()), "/nonexistent/x.mir.json"));
  auto folder = readFile("/");
  REQUIRE(!folder);
  CHECK(contains(llvm::toString(folder.takeError()), "directory"));
  auto device = readFile("/dev/null");
  REQUIRE(!device);
  CHECK(contains(llvm::toString(device.takeError()), "empty"));
}
