// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the sample: every projection, operand, rvalue, statement, callee and terminator
// at least once.
#include "tests/unit/mir_reader/sample_parts.h"

namespace mirgpu::mir::test {

using B = SampleBuilder;

static const char *const unwind = R"("unwind":"unreachable")";

/// `dest = callee(args)`, then block `target`.
static std::string call(const std::string &callee, const std::string &args, const std::string &dest,
                        const std::string &target, const std::string &location = "null",
                        const std::string &action = unwind) {
  return R"("call",{"callee":)" + callee + R"(,"args":[)" + args + R"(],"dest":)" + dest +
         R"(,"target":)" + target + "," + action + R"(,"fn_span":0,"caller_location":)" + location +
         "}";
}

static std::string assign(const std::string &place, const std::string &rvalue) {
  return R"("assign",)" + place + "," + rvalue;
}

static void addSmallFunctions(B &b) {
  b.function("sample::double", {"x: u32"}, "u32",
             R"({"name":"x","scope":0,"span":0,"argument":1,"value":{"place":[%x]},)"
             R"("fragment":null})");
  b.statement(assign("[%ret]", R"(["binary","add",["copy",[%x]],["copy",[%x]]])"));
  b.terminator(R"("return")");
  b.endFunction();
  b.function("sample::glue", {"p: *mut Point"}, "()");
  b.terminator(R"("return")");
  b.endFunction();
  b.function("sample::closure", {"self: closure#0", "x: u32"}, "u32");
  b.statement(assign("[%ret]", R"(["use",["copy",[%x]]])"));
  b.terminator(R"("return")");
  b.endFunction();
  b.functions.back().replace(b.functions.back().find(R"("abi":"Rust")"), 12,
                             R"("abi":"rust-call")");
  b.declare("sample::declared", "", "!");
}

static void addRvalues(B &b) {
  b.function("sample::rvalues", {"x: u32", "p: *mut u32", "s: &[u32]", "c: closure#0"}, "u32",
             R"({"name":"half","scope":1,"span":1,"argument":null,"value":{"const":{"ty":${u32},)"
             R"("value":{"scalar":"7"},"span":null}},"fragment":{"ty":${Point},)"
             R"("projection":[["field",0,${f32}]]}})");
  for (auto [name, ty] : std::initializer_list<std::pair<const char *, const char *>>{
           {"b", "bool"},
           {"i", "i32"},
           {"n", "usize"},
           {"f", "f32"},
           {"f64", "f64"},
           {"pair", "(u32,bool)"},
           {"point", "Point"},
           {"bits", "Bits"},
           {"array", "[u32;4]"},
           {"ref", "&u32"},
           {"mref", "&mut u32"},
           {"cp", "*const u32"},
           {"ord", "Ordering"},
           {"opt", "Option<u32>"},
           {"discr", "isize"},
           {"fp", "fn(u32)->u32"},
           {"aref", "&[u32;4]"},
           {"slice", "&[u32]"},
           {"wide", "*const [u32]"},
           {"unit", "*mut ()"},
           {"dynr", "&dyn Shape"},
           {"bind", "unsafe<> u32"},
           {"str", "&str"},
           {"lanes", "Lanes"},
           {"chr", "char"},
           {"fn", "fn item sample::double"}})
    b.local(name, ty);
  std::string x = R"(["copy",[%x]])", n = R"(["copy",[%n]])";
  for (const char *op :
       {"add", "sub", "mul", "add_unchecked", "sub_unchecked", "mul_unchecked", "div", "rem",
        "bit_xor", "bit_and", "bit_or", "shl", "shl_unchecked", "shr", "shr_unchecked"})
    b.statement(assign("[%ret]", R"(["binary",")" + std::string(op) + "\"," + x + ",@3:u32@]"));
  for (const char *op : {"add_with_overflow", "sub_with_overflow", "mul_with_overflow"})
    b.statement(assign("[%pair]", R"(["binary",")" + std::string(op) + "\"," + x + "," + x + "]"));
  for (const char *op : {"eq", "lt", "le", "ne", "ge", "gt"})
    b.statement(assign("[%b]", R"(["binary",")" + std::string(op) + "\"," + x + "," + x + "]"));
  b.statement(assign("[%ord]", R"(["binary","cmp",)" + x + "," + x + "]"));
  b.statement(assign("[%p]", R"(["binary","offset",["copy",[%p]],)" + n + "]"));
  b.statement(assign("[%i]", R"(["unary","neg",@4294967295:i32@])"));
  b.statement(assign("[%b]", R"(["unary","not",@1:bool@])"));
  b.statement(assign("[%n]", R"(["unary","ptr_metadata",["copy",[%s]]])"));
  b.statement(assign("[%array]", R"(["repeat",)" + x + ",4]"));
  b.statement(assign("[%ref]", R"(["ref","shared",[%x]])"));
  b.statement(assign("[%mref]", R"(["ref","mut",[%p,["deref"]]])"));
  b.statement(assign("[%cp]", R"(["raw_ptr","const",[%s,["deref"],["index",%n]]])"));
  b.statement(assign("[%cp]", R"(["thread_local_ref",0])"));
  b.statement(assign("[%discr]", R"(["discriminant",[%opt]])"));
  b.statement(assign("[%opt]", R"(["aggregate",${Option<u32>},1,null,[)" + x + "]]"));
  b.statement(assign("[%point]", R"(["aggregate",${Point},0,null,[@0:f32@,@0:f32@]])"));
  b.statement(assign("[%bits]", R"(["aggregate",${Bits},0,1,[@1065353216:f32@]])"));
  b.statement(assign("[%pair]", R"(["aggregate",${(u32,bool)},null,null,[)" + x + ",@0:bool@]]"));
  b.statement(assign("[%array]", R"(["aggregate",${[u32;4]},null,null,[)" + x + "," + x + "," + x +
                                     "," + x + "]]"));
  b.statement(
      assign("[%wide]", R"(["aggregate",${*const [u32]},null,null,[["copy",[%cp]],)" + n + "]]"));
  b.statement(assign("[%ref]", R"(["copy_for_deref",[%ref]])"));
  b.statement(assign("[%bind]", R"(["wrap_unsafe_binder",)" + x + R"(,${unsafe<> u32}])"));
  b.statement(assign("[%ret]", R"(["use",["copy",[%bind,["unwrap_unsafe_binder",${u32}]]]])"));
  b.statement(assign("[%b]", R"(["use",["runtime_checks","overflow"]])"));
  auto cast = [&](const char *dest, const char *kind, const std::string &operand, const char *ty,
                  const char *extra = "null") {
    b.statement(assign(dest, R"(["cast",")" + std::string(kind) + "\"," + operand + ",${" + ty +
                                 "}," + extra + "]"));
  };
  cast("[%n]", "pointer_expose_provenance", R"(["copy",[%p]])", "usize");
  cast("[%p]", "pointer_with_exposed_provenance", n, "*mut u32");
  cast("[%fp]", "reify_fn_pointer", R"(["move",[%fn]])", "fn(u32)->u32", R"({"function":0})");
  cast("[%fp]", "unsafe_fn_pointer", R"(["copy",[%fp]])", "fn(u32)->u32");
  cast("[%fp]", "closure_fn_pointer", R"(["copy",[%c]])", "fn(u32)->u32", R"({"function":2})");
  cast("[%slice]", "unsize", R"(["copy",[%aref]])", "&[u32]", R"({"path":[],"to":{"length":4}})");
  cast("[%dynr]", "unsize", R"(["copy",[%ref]])", "&dyn Shape", R"({"path":[],"to":{"vtable":0}})");
  cast("[%dynr]", "unsize", R"(["copy",[%dynr]])", "&dyn Shape",
       R"({"path":[],"to":{"upcast":5}})");
  cast("[%i]", "int_to_int", x, "i32");
  cast("[%i]", "float_to_int", R"(["copy",[%f]])", "i32");
  cast("[%f64]", "float_to_float", R"(["copy",[%f]])", "f64");
  cast("[%f]", "int_to_float", x, "f32");
  cast("[%unit]", "ptr_to_ptr", R"(["copy",[%p]])", "*mut ()");
  cast("[%unit]", "fn_ptr_to_ptr", R"(["copy",[%fp]])", "*mut ()");
  cast("[%f]", "transmute", x, "f32");
  cast("[%ref]", "subtype", R"(["copy",[%ref]])", "&u32");
  b.statement(assign("[%str]", R"(["use",["const",{"ty":${&str},"value":{"slice":[0,5]},)"
                               R"("span":0}]])"));
  b.statement(assign("[%cp]", R"(["use",["const",{"ty":${*const u32},"value":{"ptr":[1,0]},)"
                              R"("span":0}]])"));
  b.statement(assign("[%point]", R"(["use",["const",{"ty":${Point},"value":{"indirect":[1,4]},)"
                                 R"("span":0}]])"));
  b.statement(assign("[%f]", R"(["use",["const",{"ty":${f32},"value":{"undef":true},)"
                             R"("span":0}]])"));
  b.statement(assign("[%fn]", R"(["use",["const",{"ty":${fn item sample::double},"value":"zst",)"
                              R"("span":0}]])"));
  b.statement(R"("storage_live",%f)");
  b.statement(R"("set_discriminant",[%opt],0)");
  b.statement(R"("assume",["copy",[%b]])");
  b.statement(R"("copy_nonoverlapping",["copy",[%cp]],["copy",[%p]],)" + n);
  b.statement(R"("storage_dead",%f)");
  b.statement(R"("nop")");
  b.terminator(R"("return")");
  b.endFunction();
}

static void addPlaces(B &b) {
  b.function("sample::places", {"s: &[u32]", "a: [u32;4]", "o: Option<u32>", "co: coroutine#2"},
             "u32");
  b.local("two", "[u32;2]");
  b.local("part", "&[u32]");
  auto use = [&](const char *dest, const std::string &place) {
    b.statement(assign(dest, R"(["use",["copy",)" + place + "]]"));
  };
  use("[%ret]", R"([%s,["deref"],["constant_index",1,2,false]])");
  use("[%ret]", R"([%s,["deref"],["constant_index",2,2,true]])");
  use("[%ret]", R"([%o,["downcast",1],["field",0,${u32}]])");
  use("[%ret]", R"([%co,["field",0,${u32}]])");
  use("[%ret]", R"([%co,["downcast",2],["field",0,${u32}]])");
  use("[%two]", R"([%a,["subslice",1,3,false]])");
  use("[%ret]", R"([%ret,["opaque_cast",${u32}]])");
  b.statement(assign("[%part]", R"(["ref","shared",[%s,["deref"],["subslice",1,1,true]]])"));
  b.terminator(R"("return")");
  b.endFunction();
}

static void addTerminators(B &b) {
  b.function("sample::terminators", {"x: u32", "d: &dyn Shape", "fp: fn(u32)->u32"}, "u32");
  b.local("n", "usize");
  b.local("b", "bool");
  b.local("point", "Point");
  b.local("unit", "()");
  b.local("pp", "*mut Point");
  b.local("pd", "*mut dyn Shape");
  b.local("c", "closure#0");
  b.local("tuple", "(u32,)");
  b.local("never", "!");
  std::string x = R"(["copy",[%x]])";
  std::string direct = R"({"kind":"direct","function":0,"ty":${fn item sample::double}})";
  b.terminator(R"("goto",1,true)");
  b.terminator(R"("switch_int",)" + x + R"(,${u32},[["0",2],["4294967295",3]],4)");
  b.terminator(call(direct, x, "[%ret]", "3", "2", R"("unwind":16)"));
  b.terminator(call(R"({"kind":"direct","function":2,"ty":${fn item intrinsic}})",
                    R"(["move",[%c]],["move",[%tuple]])", "[%ret]", "4"));
  b.terminator(call(R"({"kind":"intrinsic","name":"ctpop","args":[{"ty":${u32}},)"
                    R"({"const":"7","ty":${u32}}],"fallback":0,"ty":${fn item intrinsic}})",
                    x, "[%ret]", "5"));
  b.terminator(call(R"({"kind":"virtual","slot":3,"method":"sample::Shape::area",)"
                    R"("ty":${fn item intrinsic}})",
                    R"(["copy",[%d]])", "[%ret]", "6"));
  b.terminator(call(R"({"kind":"pointer","operand":["copy",[%fp]],"ty":${fn(u32)->u32}})", x,
                    "[%ret]", "7"));
  b.terminator(call(R"({"kind":"drop_glue","function":1})", R"(["copy",[%pp]])", "[%unit]", "8"));
  b.terminator(call(R"({"kind":"drop_virtual"})", R"(["copy",[%pd]])", "[%unit]", "9"));
  b.terminator(
      call(R"({"kind":"nothing"})", "", "[%unit]", "10", "null", R"("unwind":"continue")"));
  b.terminator(call(R"({"kind":"constant","value":{"ty":${usize},"value":{"scalar":"4"},)"
                    R"("span":null}})",
                    "", "[%n]", "11"));
  b.terminator(R"("drop",[%point],{"kind":"drop_glue","function":1},12,"terminate")");
  b.terminator(R"("drop",[%pd,["deref"]],{"kind":"drop_virtual"},13,"unreachable")");
  auto check = [&](const char *kind, const std::string &operands, const char *op,
                   const char *target) {
    b.terminator(R"("assert",{"cond":["copy",[%b]],"expected":true,"msg":{"kind":")" +
                 std::string(kind) + R"(","operands":[)" + operands + R"(],"op":)" + op +
                 R"(},"target":)" + target + R"(,"unwind":"unreachable","caller_location":2})");
  };
  check("bounds_check", R"(["copy",[%n]],["copy",[%n]])", "null", "14");
  check("overflow", x + "," + x, R"("add")", "15");
  b.terminator(R"("inline_asm",{"template":["add {x}, ",{"operand":0,"modifier":"r"},"\n",)"
               R"({"operand":1,"modifier":null}],"operands":[)"
               R"({"kind":"in","class":"reg","value":["copy",[%x]]},)"
               R"({"kind":"out","class":"reg","late":true,"place":[%ret]},)"
               R"({"kind":"inout","class":"eax","late":false,"in":["copy",[%x]],"out":null},)"
               R"({"kind":"const","value":{"ty":${u32},"value":{"scalar":"1"},"span":null}},)"
               R"({"kind":"sym_fn","function":0},{"kind":"sym_static","static":0},)"
               R"({"kind":"label","target":0}],"options":["pure","nomem"],"line_spans":[0,null],)"
               R"("targets":[17],"unwind":"unreachable"})");
  b.terminator(R"("unwind_resume")", /*isCleanup=*/true);
  b.terminator(
      call(R"({"kind":"direct","function":3,"ty":${fn item intrinsic}})", "", "[%never]", "null"));
  b.terminator(R"("unwind_terminate")", /*isCleanup=*/true);
  b.terminator(R"("unreachable")");
  b.terminator(R"("tail_call",{"callee":)" + direct + R"(,"args":[)" + x +
               R"(],"fn_span":0,"caller_location":null})");
  b.terminator(R"("return")");
  b.endFunction();
}

void addFunctions(SampleBuilder &b) {
  addSmallFunctions(b);
  addRvalues(b);
  addPlaces(b);
  addTerminators(b);
}

} // namespace mirgpu::mir::test
