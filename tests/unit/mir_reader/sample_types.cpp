// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of the sample: every kind, representation and encoding at least once.
#include "tests/unit/mir_reader/sample_parts.h"

namespace mirgpu::mir::test {

using B = SampleBuilder;

static void addNumber(B &b, const std::string &name, const std::string &kind, unsigned bits,
                      const std::string &scalar) {
  unsigned bytes = bits / 8;
  b.type(name, {.kind = kind, .size = bytes, .align = bytes, .repr = scalarRepr(scalar)});
}

static void addPrimitives(B &b) {
  addNumber(b, "bool", R"("kind":"bool")", 8, rangeScalar(8, "0", "1"));
  addNumber(b, "char", R"("kind":"char")", 32, rangeScalar(32, "0", "1114111"));
  for (unsigned bits : {8, 16, 32, 64, 128})
    for (bool isSigned : {false, true})
      addNumber(b, (isSigned ? "i" : "u") + std::to_string(bits),
                R"("kind":"int","signed":)" + std::string(isSigned ? "true" : "false") +
                    R"(,"bits":)" + std::to_string(bits),
                bits, intScalar(bits, isSigned));
  addNumber(b, "usize", R"("kind":"int","signed":false,"bits":64)", 64, intScalar(64));
  addNumber(b, "isize", R"("kind":"int","signed":true,"bits":64)", 64, intScalar(64, true));
  addNumber(b, "f32", R"("kind":"float","bits":32)", 32, floatScalar(32));
  addNumber(b, "f64", R"("kind":"float","bits":64)", 64, floatScalar(64));
  b.type("!", {.kind = R"("kind":"never")", .uninhabited = true});
}

static void addUnsized(B &b, const std::string &name, const std::string &kind,
                       const std::string &metadata, unsigned align) {
  b.type(name, {.kind = kind,
                .align = align,
                .repr = memoryRepr(false),
                .unsizedTail = R"({"metadata":")" + metadata + R"(","tail":${)" + name + "}}"});
}

static void addSequences(B &b) {
  addUnsized(b, "str", R"("kind":"str")", "length", 1);
  addUnsized(b, "[u32]", R"("kind":"slice","elem":${u32})", "length", 4);
  addUnsized(b, "Foreign", R"("kind":"foreign")", "none", 1);
  addUnsized(b, "dyn Shape", R"("kind":"dyn","principal":"sample::Shape")", "vtable", 1);
  for (unsigned length : {2, 4})
    b.type("[u32;" + std::to_string(length) + "]",
           {.kind = R"("kind":"array","elem":${u32},"len":)" + std::to_string(length),
            .size = 4 * length,
            .align = 4});
  b.type("Tailed", {.kind = R"("kind":"struct","def":"sample::Tailed","args":[],"flags":[])",
                    .size = 4,
                    .align = 4,
                    .repr = memoryRepr(false),
                    .variants = "[" +
                                B::variant("Tailed", B::field("head", "u32", 0) + "," +
                                                         B::field("tail", "[u32]", 4)) +
                                "]",
                    .unsizedTail = R"({"metadata":"length","tail":${[u32]}})"});
}

static void addPointer(B &b, const std::string &name, const std::string &pointee, bool isRef,
                       bool isMutable, const std::string &metadata = "") {
  std::string info = R"({"size":4,"align":4,"safe":"shared_frozen"})";
  std::string kind = R"("kind":")" + std::string(isRef ? "ref" : "raw_ptr") + R"(","pointee":${)" +
                     pointee + R"(},"mutable":)" + (isMutable ? "true" : "false") +
                     R"(,"pointee_info":)" + (isRef && !isMutable ? info : "null");
  std::string pointer = pointerScalar(!isRef);
  if (metadata.empty())
    b.type(name, {.kind = kind, .size = 8, .align = 8, .repr = scalarRepr(pointer)});
  else
    b.type(name, {.kind = kind, .size = 16, .align = 8, .repr = pairRepr(pointer, metadata, 8)});
}

static void addPointers(B &b) {
  addPointer(b, "&u32", "u32", true, false);
  addPointer(b, "&mut u32", "u32", true, true);
  addPointer(b, "*const u32", "u32", false, false);
  addPointer(b, "*mut u32", "u32", false, true);
  addPointer(b, "*mut ()", "()", false, true);
  addPointer(b, "&[u32;4]", "[u32;4]", true, false);
  addPointer(b, "&[u32]", "[u32]", true, false, intScalar(64));
  addPointer(b, "*const [u32]", "[u32]", false, false, intScalar(64));
  addPointer(b, "&str", "str", true, false, intScalar(64));
  addPointer(b, "&dyn Shape", "dyn Shape", true, false, pointerScalar(false));
  addPointer(b, "*mut dyn Shape", "dyn Shape", false, true, pointerScalar(false));
  addPointer(b, "*mut Point", "Point", false, true);
  b.type("fn(u32)->u32", {.kind = R"("kind":"fn_ptr","inputs":[${u32}],"output":${u32},)"
                                  R"("abi":"Rust","unsafe":false,"variadic":false)",
                          .size = 8,
                          .align = 8,
                          .repr = scalarRepr(pointerScalar(false))});
  b.type("fn item sample::double", {.kind = R"("kind":"fn_def","function":0)"});
  b.type("fn item intrinsic", {.kind = R"("kind":"fn_def","function":null)"});
  b.type("NonZero", {.kind = R"("kind":"pattern","base":${u32})",
                     .size = 4,
                     .align = 4,
                     .repr = scalarRepr(rangeScalar(32, "1", "4294967295"))});
  b.type("unsafe<> u32", {.kind = R"("kind":"unsafe_binder","inner":${u32})",
                          .size = 4,
                          .align = 4,
                          .repr = scalarRepr(intScalar(32))});
}

static void addStructs(B &b) {
  b.type("()", {.kind = R"("kind":"tuple")", .variants = "[" + B::variant("", "") + "]"});
  b.type(
      "(u32,bool)",
      {.kind = R"("kind":"tuple")",
       .size = 8,
       .align = 4,
       .repr = pairRepr(intScalar(32), rangeScalar(8, "0", "1"), 4),
       .variants =
           "[" + B::variant("", B::field("0", "u32", 0) + "," + B::field("1", "bool", 4)) + "]"});
  b.type("(u32,)", {.kind = R"("kind":"tuple")",
                    .size = 4,
                    .align = 4,
                    .repr = scalarRepr(intScalar(32)),
                    .variants = "[" + B::variant("", B::field("0", "u32", 0)) + "]"});
  b.type("Point",
         {.kind = R"("kind":"struct","def":"sample::Point","args":[{"ty":${f32}},)"
                  R"({"const":"3","ty":${usize}}],"flags":["repr_c"])",
          .size = 8,
          .align = 4,
          .repr = pairRepr(floatScalar(32), floatScalar(32), 4),
          .variants = "[" +
                      B::variant("Point", B::field("x", "f32", 0) + "," + B::field("y", "f32", 4)) +
                      "]"});
  b.type("Bits",
         {.kind = R"("kind":"union","def":"sample::Bits","args":[],"flags":[])",
          .size = 4,
          .align = 4,
          .variants = "[" +
                      B::variant("Bits", B::field("i", "u32", 0) + "," + B::field("f", "f32", 0)) +
                      "]"});
  b.type("Lanes", {.kind = R"("kind":"struct","def":"sample::Lanes","args":[],"flags":["simd"])",
                   .size = 16,
                   .align = 16,
                   .repr = R"({"kind":"vector","count":4,"scalar":)" + intScalar(32) + "}",
                   .variants = "[" + B::variant("Lanes", B::field("0", "[u32;4]", 0)) + "]"});
  b.type("closure#0", {.kind = R"("kind":"closure","def":"sample::f::{closure#0}")",
                       .variants = "[" + B::variant("closure#0", "") + "]"});
  b.type("async closure#1",
         {.kind = R"("kind":"coroutine_closure","def":"sample::f::{closure#1}")",
          .size = 4,
          .align = 4,
          .repr = scalarRepr(intScalar(32)),
          .variants = "[" + B::variant("closure#1", B::field("x", "u32", 0)) + "]"});
}

static std::string enumKind(const std::string &name, const std::string &discrTy) {
  return R"("kind":"enum","def":"sample::)" + name + R"(","args":[],"flags":[],"discr_ty":${)" +
         discrTy + "}";
}

static std::string tag(const std::string &kind, const std::string &scalar,
                       const std::string &more = "") {
  return R"({"kind":")" + kind + R"(","tag":)" + scalar + R"(,"tag_offset":0)" + more + "}";
}

static void addEnums(B &b) {
  std::string two = rangeScalar(32, "0", "1");
  b.type("Option<u32>", {.kind = enumKind("Option", "isize"),
                         .size = 8,
                         .align = 4,
                         .repr = pairRepr(two, intScalar(32), 4),
                         .variants = "[" + B::variant("None", "", 0) + "," +
                                     B::variant("Some", B::field("0", "u32", 4), 1) + "]",
                         .encoding = tag("direct", two)});
  b.type("Option<&u32>",
         {.kind = enumKind("Option", "isize"),
          .size = 8,
          .align = 8,
          .repr = scalarRepr(pointerScalar()),
          .variants = "[" + B::variant("None", "", 0) + "," +
                      B::variant("Some", B::field("0", "&u32", 0), 1) + "]",
          .encoding = tag("niche", pointerScalar(),
                          R"(,"untagged":1,"start_variant":0,"end_variant":0,"niche_start":"0")")});
  std::string ordering = rangeScalar(8, "255", "1");
  b.type("Ordering",
         {.kind = enumKind("Ordering", "i8"),
          .size = 1,
          .align = 1,
          .repr = scalarRepr(ordering),
          .variants = "[" + B::variant("Less", "", 255) + "," + B::variant("Equal", "", 0) + "," +
                      B::variant("Greater", "", 1) + "]",
          .encoding = tag("direct", ordering)});
  b.type("Result<u32,!>", {.kind = enumKind("Result", "isize"),
                           .size = 4,
                           .align = 4,
                           .repr = scalarRepr(intScalar(32)),
                           .variants = "[" + B::variant("Ok", B::field("0", "u32", 0), 0) + "," +
                                       B::variant("Err", B::field("0", "!", 0), 1, true) + "]"});
  b.type(
      "Void",
      {.kind = enumKind("Void", "isize"), .encoding = R"({"kind":"empty"})", .uninhabited = true});
  b.type("coroutine#2",
         {.kind = R"("kind":"coroutine","def":"sample::f::{closure#2}","discr_ty":${u32})",
          .size = 8,
          .align = 4,
          .variants = "[" + B::variant("Unresumed", B::field("x", "u32", 0), 0) + "," +
                      B::variant("Returned", "", 1) + "," +
                      B::variant("Suspend0", B::field("kept", "u32", 0), 3) + "]",
          .encoding =
              R"({"kind":"direct","tag":)" + rangeScalar(8, "0", "3") + R"(,"tag_offset":4})"});
}

void addTypes(SampleBuilder &b) {
  addPrimitives(b);
  addStructs(b);
  addSequences(b);
  addPointers(b);
  addEnums(b);
}

} // namespace mirgpu::mir::test
