// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The printer has a text for every kind in the sample, and names the Rust lines when it is asked
// to.
#include "mir_reader/printer.h"
#include "tests/unit/mir_reader/sample.h"

#include <doctest/doctest.h>

using namespace mirgpu::mir;
using namespace mirgpu::mir::test;

static std::string printed(const Program &program, bool withSpans) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(program, os, withSpans);
  return text;
}

static void checkLines(std::initializer_list<const char *> lines) {
  std::string text = printed(sample(), /*withSpans=*/false);
  for (const char *line : lines) {
    INFO("missing: ", std::string(line));
    CHECK(text.find(line) != std::string::npos);
  }
}

TEST_CASE("printer: head, kernels, tests, types") {
  checkLines(
      {"// crate sample, x86_64-unknown-linux-gnu",
       "kernel double = sample::double(x: scalar u32) launch_bounds(256, 1)",
       "test tests::doubles = sample::double, ignored, should panic with \"twice\"",
       "type bool: size 1, align 1, u8[0..=1]\n",
       "type Point: size 8, align 4, pair(f32, f32 at 4), repr_c",
       "//     { x: f32 at 0, y: f32 at 4 }",
       "type Lanes: size 16, align 16, vector(4 x u32), simd",
       "type Option<u32>: size 8, align 4, pair(u32[0..=1], u32 at 4), direct tag u32[0..=1] at 0",
       "//     Some = 1 { 0: u32 at 4 }", "niche tag ptr at 0, variants 0..=0 from 0, else 1",
       "type Result<u32,!>: size 4, align 4, u32, always variant 0",
       "Err = 1 (uninhabited) { 0: ! at 0 }",
       "type Void: size 0, align 1, memory, no variant, uninhabited",
       "type dyn Shape: size 0, align 1, memory, unsized (vtable, tail dyn Shape)"});
}

TEST_CASE("printer: memory") {
  checkLines({"static sample::ANSWER: u32 thread_local align 4 #[shared] = alloc3",
              "static mut elsewhere: u32 align 4 extern", "alloc1: mutable 16 bytes, align 4",
              "    0000: __ __ 02 __ 04 05 06 07 08 09", "    0008 -> alloc0",
              "alloc4: fn sample::double", "alloc5: static sample::ANSWER", "alloc6: vtable0",
              "vtable0: u32 as sample::Shape", "    0: drop nothing", "    1: size 4",
              "    2: align 4", "    3: method sample::double", "    4: vacant",
              "    5: super vtable0"});
}

TEST_CASE("printer: places, operands, constants") {
  checkLines({"copy (*_1)[1 of 2]",
              "copy (*_1)[-2 of 2]",
              "copy ((_3 as variant#1).0: u32)",
              "copy (_4.0: u32)",
              "copy _2[1..3]",
              "&(*_1)[1..-1]",
              "(_0 as u32)",
              "unwrap_binder!(",
              "&raw const (*_3)[_7]",
              "const 3_u32",
              "const -1_i32",
              "const true",
              "const bits 1065353216: f32",
              "const &alloc0[..5] \"hello\": &str",
              "const &alloc1: *const u32",
              "const alloc1+4: Point",
              "const undef: f32",
              "const fn item sample::double",
              "runtime_checks(overflow)",
              "move _"});
}

TEST_CASE("printer: rvalues and statements") {
  checkLines({"Add(copy _1, copy _1)",
              "AddWithOverflow(",
              "ShrUnchecked(",
              "Cmp(",
              "Offset(copy _2",
              "Neg(",
              "Not(",
              "PtrMetadata(copy _3)",
              "[copy _1; 4]",
              "&_1;",
              "&mut (*_2)",
              "&thread_local sample::ANSWER",
              "discriminant(_18)",
              "Option<u32>::Some { copy _1 }",
              "Bits.1 { const",
              "deref_copy _",
              "wrap_binder!(copy _1; unsafe<> u32)",
              "(PointerExposeProvenance)",
              "(ReifyFnPointer) [sample::double]",
              "(ClosureFnPointer) [sample::closure]",
              "(Unsize) [length 4]",
              "(Unsize) [vtable0]",
              "(Unsize) [upcast slot 5]",
              "(Transmute)",
              "(Subtype)",
              "StorageLive(_8)",
              "StorageDead(_8)",
              "discriminant(_18) = 0",
              "assume(copy _5)",
              "copy_nonoverlapping(dst = copy _2, src = copy _16, count = copy _7)",
              "nop;"});
}

TEST_CASE("printer: terminators") {
  checkLines(
      {"goto -> bb1 (folded)",
       "switchInt(copy _1) -> [0: bb2, 4294967295: bb3, otherwise: bb4]",
       "_0 = sample::double(copy _1) -> [return: bb3, unwind: bb16, caller alloc2]",
       "intrinsic ctpop::<u32, 7_u32> [else sample::double](copy _1)",
       "virtual sample::Shape::area [slot 3](copy _2)",
       "_0 = copy _3(copy _1)",
       "drop_glue sample::glue(copy _8)",
       "virtual drop(copy _9)",
       "nothing()",
       "unwind continue",
       "folded const 4_usize()",
       "drop(_6 by drop_glue sample::glue) -> [return: bb12, unwind terminate]",
       "drop((*_9) by virtual drop)",
       "assert(copy _5, bounds_check, copy _4, copy _4)",
       "assert(copy _5, overflow add, copy _1, copy _1)",
       "asm!(\"add {x}, {0:r}\\n{1}\", in(reg) copy _1, lateout(reg) _0, inout(eax) copy _1 => _, "
       "const 1_u32, sym_fn sample::double, sym_static sample::ANSWER, label 0, options(pure, "
       "nomem)) "
       "-> [bb17, unwind unreachable]",
       "bb16 (cleanup): {",
       "resume;",
       "_12 = sample::declared() -> [unwind unreachable]",
       "terminate;",
       "unreachable;",
       "tailcall sample::double(copy _1)",
       "return;"});
}

TEST_CASE("printer: functions") {
  checkLines({"fn sample::double(_1 x: u32) -> u32 {", "extern \"rust-call\" fn sample::closure(",
              "fn sample::declared() -> !;", "    debug x => _1; // in scope 0",
              "    debug half(.0: f32) => const 7_u32; // in scope 1",
              "    let mut _0: u32; // ret",
              "    scope 1 in 0: inlined sample::inlined at src/sample.rs:3:5"});
}

TEST_CASE("printer: spans stand in comments") {
  Program program = sample();
  CHECK(printed(program, true).find("// src/sample.rs:3:5 in sample::inlined\n") !=
        std::string::npos);
  CHECK(printed(program, false).find("// src/sample.rs:3:5 in") == std::string::npos);
}

TEST_CASE("printer: one statement for a note") {
  Program program = sample();
  std::string text;
  llvm::raw_string_ostream os(text);
  const BasicBlock &block = program.functions[FunctionId(0)].body->blocks[BlockId(0)];
  printStatement(program, block.statements[0], os);
  os << " | ";
  printTerminator(program, block.terminator, os);
  CHECK(text == "_0 = Add(copy _1, copy _1) | return");
}
