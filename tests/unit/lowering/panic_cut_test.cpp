// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The panic cut: which calls are panics, what they say, and what is left out because it only makes
// their message.
#include "lowering/panic_cut.h"

#include "program_builder.h"

#include <doctest/doctest.h>

using namespace lowering_test;
using namespace mirgpu::lowering;
using mirgpu::mgpu::PlaceKind;

using Texts = std::vector<std::optional<std::string>>;

static std::optional<std::string> decode(std::string_view bytes, const Texts &arguments = {}) {
  return decodeTemplate({bytes.begin(), bytes.end()}, arguments);
}

TEST_CASE("a template's pieces and placeholders") {
  using namespace std::string_view_literals;
  CHECK(decode("\x05hello\0"sv) == "hello");
  CHECK(decode("\x06hello \xC0\x01!\0"sv) == "hello {}!");
  CHECK(decode("\x06hello \xC0\x01!\0"sv, {"you"}) == "hello you!");
  // Options (flags, width, precision) and an index of the argument.
  CHECK(decode("\xC3\x01\x02\x03\x04\x05\0\x01;\0"sv, {"a"}) == "{};");
  CHECK(decode("\xC8\x01\0\xC8\0\0\0"sv, {"a", "b"}) == "{}{}");
  // A long piece has a 16-bit length, and may hold zeros.
  CHECK(decode("\x80\x03\0a\0b\0"sv) == std::string("a\0b", 3));
}

TEST_CASE("a template that is cut short or is none") {
  using namespace std::string_view_literals;
  CHECK(!decode(""sv));
  CHECK(!decode("\x05hel"sv));
  CHECK(!decode("\x05hello"sv));
  CHECK(!decode("\x80\x03"sv));
  CHECK(!decode("\xC8\x01"sv));
  CHECK(!decode("\x90\0"sv));
}

TEST_CASE("panic(&'static str)") {
  ProgramBuilder b;
  const FunctionId panic = b.entry("panic", {b.strRef});
  const FunctionId f = b.function("f", {}, b.unit);
  b.block(f, {}, b.call(panic, {b.strConstant("boom")}));
  const PanicCut cut = PanicAnalysis(b.program).cut(f);
  const PanicSite *site = cut.panicAt(BlockId(0));
  REQUIRE(site);
  CHECK(site->kind == PlaceKind::Panic);
  CHECK(site->text == "boom");
  CHECK(site->usesCallerLocation);
  CHECK(!site->textLocal);
}

TEST_CASE("panic_fmt with a literal: length * 2 + 1 stands for the arguments") {
  ProgramBuilder b;
  const FunctionId panicFmt = b.entry("panic_fmt", {b.arguments});
  const FunctionId f = b.function("f", {}, b.unit);
  const LocalId start = b.local(f, b.pointer), args = b.local(f, b.arguments);
  const Constant text{b.pointer, ConstPtr{b.bytes("literal"), 0}, {}};
  b.block(f,
          {assign(start, Use{text}),
           assign(args, Aggregate{b.arguments, {}, {}, {copy(start), b.scalar(b.u64, 7 * 2 + 1)}})},
          b.call(panicFmt, {copy(args)}));
  const PanicCut cut = PanicAnalysis(b.program).cut(f);
  REQUIRE(cut.panicAt(BlockId(0)));
  CHECK(cut.panicAt(BlockId(0))->text == "literal");
  CHECK(cut.skipsStatement(BlockId(0), 0));
  CHECK(cut.skipsStatement(BlockId(0), 1));
  CHECK(cut.isDead(args));
}

TEST_CASE("panic_fmt with placeholders: pure calls that make its arguments are left out") {
  ProgramBuilder b;
  const FunctionId panicFmt = b.entry("panic_fmt", {b.arguments});
  const TypeId u32Ref = b.refTo(b.u32), array = b.arrayOf(b.argument, 1), arrayRef = b.refTo(array);
  // fn new_display(x: &u32) -> Argument { Argument(x, 0) }
  const FunctionId newDisplay = b.function("new_display", {u32Ref}, b.argument);
  b.block(newDisplay,
          {assign(LocalId(0),
                  Aggregate{b.argument, {}, {}, {copy(LocalId(1)), b.scalar(b.pointer, 0)}})},
          Return{});
  // fn f(n: u32) { panic!("n is {n}") }
  const FunctionId f = b.function("f", {b.u32}, b.unit);
  const LocalId ref = b.local(f, u32Ref), one = b.local(f, b.argument), all = b.local(f, array),
                allRef = b.local(f, arrayRef), args = b.local(f, b.arguments);
  const Constant bytes{b.pointer, ConstPtr{b.bytes(std::string_view("\x05n is \xC0\0", 8)), 0}, {}};
  b.block(f, {assign(ref, Ref{BorrowKind::Shared, Place{LocalId(1), {}}})},
          b.call(newDisplay, {copy(ref)}, one, BlockId(1)));
  b.block(f,
          {assign(all, Aggregate{array, {}, {}, {copy(one)}}),
           assign(allRef, Ref{BorrowKind::Shared, Place{all, {}}}),
           assign(args, Aggregate{b.arguments, {}, {}, {bytes, copy(allRef)}})},
          b.call(panicFmt, {copy(args)}));
  const PanicCut cut = PanicAnalysis(b.program).cut(f);
  REQUIRE(cut.panicAt(BlockId(1)));
  CHECK(cut.panicAt(BlockId(1))->text == "n is {}");
  CHECK(cut.panicAt(BlockId(1))->kind == PlaceKind::Message);
  CHECK(cut.skipsCall(BlockId(0)));
  CHECK(cut.skipsStatement(BlockId(0), 0));
  CHECK(cut.isDead(LocalId(1)));
}

TEST_CASE("a text that is known at run time alone keeps its local") {
  ProgramBuilder b;
  const FunctionId display = b.entry("panic_display", {b.refTo(b.strRef)});
  // fn f(msg: &str) -> ! { panic_display(&msg) }
  const FunctionId f = b.function("f", {b.strRef}, b.never);
  const LocalId ref = b.local(f, b.refTo(b.strRef));
  b.block(f, {assign(ref, Ref{BorrowKind::Shared, Place{LocalId(1), {}}})},
          b.call(display, {copy(ref)}));
  SUBCASE("in the function itself") {
    const PanicCut cut = PanicAnalysis(b.program).cut(f);
    REQUIRE(cut.panicAt(BlockId(0)));
    CHECK(cut.panicAt(BlockId(0))->textLocal == LocalId(1));
    CHECK(!cut.isDead(LocalId(1)));
    CHECK(cut.isDead(ref));
  }
  SUBCASE("a caller that knows the text reports it and never calls the function") {
    b.program.functions[f].trackCaller = true;
    const FunctionId g = b.function("g", {}, b.unit);
    b.block(g, {}, b.call(f, {b.strConstant("from g")}));
    const PanicCut cut = PanicAnalysis(b.program).cut(g);
    REQUIRE(cut.panicAt(BlockId(0)));
    CHECK(cut.panicAt(BlockId(0))->text == "from g");
    CHECK(cut.panicAt(BlockId(0))->function == g);
  }
}

TEST_CASE("a diverging function with an effect is called like any other") {
  ProgramBuilder b;
  const FunctionId panic = b.entry("panic", {b.strRef});
  const TypeId u32Mut = b.refTo(b.u32);
  // fn fail(p: &mut u32) -> ! { *p = 1; panic!("late") }
  const FunctionId fail = b.function("fail", {u32Mut}, b.never);
  b.block(fail, {Assign{Place{LocalId(1), {ProjDeref{}}}, Use{b.scalar(b.u32, 1)}}},
          b.call(panic, {b.strConstant("late")}));
  const FunctionId f = b.function("f", {u32Mut}, b.unit);
  b.block(f, {}, b.call(fail, {copy(LocalId(1))}));
  PanicAnalysis analysis(b.program);
  CHECK(!analysis.cut(f).panicAt(BlockId(0)));
  const PanicCut inner = analysis.cut(fail);
  CHECK(inner.panicAt(BlockId(0)));
  CHECK(!inner.skipsStatement(BlockId(0), 0));
}

TEST_CASE("panic_bounds_check reports its operands") {
  ProgramBuilder b;
  const FunctionId check = b.entry("panic_bounds_check", {b.u64, b.u64});
  const FunctionId f = b.function("f", {b.u64, b.u64}, b.unit);
  b.block(f, {}, b.call(check, {copy(LocalId(1)), copy(LocalId(2))}));
  const PanicCut cut = PanicAnalysis(b.program).cut(f);
  REQUIRE(cut.panicAt(BlockId(0)));
  CHECK(cut.panicAt(BlockId(0))->kind == PlaceKind::BoundsCheck);
  CHECK(cut.panicAt(BlockId(0))->operands == 2);
  CHECK(!cut.isDead(LocalId(1)));
  CHECK(!cut.isDead(LocalId(2)));
}

TEST_CASE("a panicking callee is not pure: its call stays though the result is unused") {
  ProgramBuilder b;
  const FunctionId panic = b.entry("panic", {b.strRef});
  const FunctionId may = b.function("may_panic", {b.u32}, b.u32);
  b.block(may, {assign(LocalId(0), Use{copy(LocalId(1))})},
          SwitchInt{copy(LocalId(1)), b.u32, {{0, BlockId(1)}}, BlockId(2)});
  b.block(may, {}, Return{});
  b.block(may, {}, b.call(panic, {b.strConstant("not zero")}));
  const FunctionId f = b.function("f", {b.u32}, b.unit);
  const LocalId unused = b.local(f, b.u32);
  b.block(f, {}, b.call(may, {copy(LocalId(1))}, unused, BlockId(1)));
  b.block(f, {}, Return{});
  const PanicCut cut = PanicAnalysis(b.program).cut(f);
  CHECK(!cut.skipsCall(BlockId(0)));
  CHECK(!cut.panicAt(BlockId(0)));
}

TEST_CASE("constants that refer to each other in every way are unknown, not a hang") {
  ProgramBuilder b;
  const FunctionId panic = b.entry("panic", {b.strRef});
  // A node of two references, each to the node itself.
  const TypeId node = b.structure("Node", {}, 16, 8);
  const TypeId link = b.refTo(node);
  b.program.types[node].variants[0].fields = {{{}, link, 0}, {{}, link, 8}};
  const AllocId memory = b.bytes(std::string(16, '\0'));
  std::get<AllocMemory>(b.program.allocs[memory]).relocs = {{0, memory}, {8, memory}};
  const FunctionId f = b.function("f", {}, b.unit);
  const LocalId root = b.local(f, link);
  b.block(f, {assign(root, Use{Constant{link, ConstPtr{memory, 0}, {}}})},
          b.call(panic, {copy(root)}));
  const PanicCut cut = PanicAnalysis(b.program).cut(f);
  REQUIRE(cut.panicAt(BlockId(0)));
  CHECK(cut.panicAt(BlockId(0))->text.empty());
}

TEST_CASE("a chain of definitions and a chain of calls as long as a file ends") {
  ProgramBuilder b;
  const FunctionId panic = b.entry("panic", {b.strRef});
  const FunctionId f = b.function("f", {}, b.unit);
  std::vector<StatementKind> statements;
  LocalId last = b.local(f, b.strRef);
  statements.push_back(assign(last, Use{b.strConstant("boom")}));
  for (int i = 0; i < 50000; ++i) {
    const LocalId next = b.local(f, b.strRef);
    statements.push_back(assign(next, Use{copy(last)}));
    last = next;
  }
  b.block(f, std::move(statements), b.call(panic, {copy(last)}));
  FunctionId callee = panic;
  for (int i = 0; i < 20000; ++i) { // each calls the one before and does nothing else
    const FunctionId caller = b.function("g", {b.strRef}, b.never);
    b.block(caller, {}, b.call(callee, {copy(LocalId(1))}));
    callee = caller;
  }
  const FunctionId top = b.function("top", {}, b.unit);
  b.block(top, {}, b.call(callee, {b.strConstant("boom")}));
  PanicAnalysis analysis(b.program);
  CHECK(analysis.cut(f).panicAt(BlockId(0)));
  CHECK(!analysis.cut(top).panicAt(BlockId(0)));
}

TEST_CASE("panic-only functions that call each other in many places are followed for a while") {
  ProgramBuilder b;
  FunctionId callee = b.entry("panic", {b.strRef});
  for (int level = 0; level < 10; ++level) { // 30 ways through each
    const FunctionId caller = b.function("g", {b.strRef, b.u32}, b.never);
    SwitchInt branch{copy(LocalId(2)), b.u32, {}, BlockId(1)};
    for (uint32_t i = 1; i <= 30; ++i)
      branch.arms.push_back({i, BlockId(i)});
    b.block(caller, {}, branch);
    for (int i = 0; i < 30; ++i)
      b.block(caller, {},
              level == 0 ? b.call(callee, {copy(LocalId(1))})
                         : b.call(callee, {copy(LocalId(1)), copy(LocalId(2))}));
    callee = caller;
  }
  const FunctionId top = b.function("top", {b.u32}, b.unit);
  b.block(top, {}, b.call(callee, {b.strConstant("boom"), copy(LocalId(1))}));
  PanicAnalysis(b.program).cut(top);
}
