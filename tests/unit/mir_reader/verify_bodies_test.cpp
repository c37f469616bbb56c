// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One failing program for each rule of spans, functions, scopes, places, operands, rvalues,
// statements, terminators, kernels.
#include "tests/unit/mir_reader/verifier_cases.h"

using namespace mirgpu::mir;
using namespace mirgpu::mir::test;

TEST_CASE("verifier: spans, symbols, kernels, tests") {
  const BrokenRule rules[] = {
      {"`spans[0]`: no file 3", [](Program &p) { p.spans[SpanId(0)].file = FileId(3); }},
      {"`spans[1]`: no span 9", [](Program &p) { p.spans[SpanId(1)].callSite = SpanId(9); }},
      {"comes back to itself", [](Program &p) { p.spans[SpanId(0)].callSite = SpanId(1); }},
      {"comes back to itself", [](Program &p) { p.spans[SpanId(0)].callSite = SpanId(0); }},
      {"`functions[1]`: `sample::double` is there twice",
       [](Program &p) { p.functions[FunctionId(1)].symbol = "sample::double"; }},
      {"the symbol is empty", [](Program &p) { p.functions[FunctionId(1)].symbol = ""; }},
      {"`kernels[0]`: no function",
       [](Program &p) { p.kernels[KernelId(0)].function = FunctionId(70); }},
      {"must have a body", [](Program &p) { p.kernels[KernelId(0)].function = FunctionId(3); }},
      {"a key and an entry", [](Program &p) { p.kernels[KernelId(0)].entry = ""; }},
      {"has 0 parameters, its function 1",
       [](Program &p) { p.kernels[KernelId(0)].params.clear(); }},
      {"`kernels[0].params[0]`: the parameter's type",
       [](Program &p) { p.kernels[KernelId(0)].params[0].ty = typeNamed(p, "i32"); }},
      {"kind does not fit",
       [](Program &p) { p.kernels[KernelId(0)].params[0].kind = ParamKind::Slice; }},
      {"kind does not fit",
       [](Program &p) { p.kernels[KernelId(0)].params[0].kind = ParamKind::Pointer; }},
      {"kind does not fit",
       [](Program &p) { p.kernels[KernelId(0)].params[0].kind = ParamKind::Zst; }},
      {"kind does not fit",
       [](Program &p) { p.kernels[KernelId(0)].params[0].kind = ParamKind::DisjointSlice; }},
      {"`tests[0]`: no function", [](Program &p) { p.tests[0].function = FunctionId(70); }},
  };
  checkRules(rules);
}

TEST_CASE("verifier: signatures, locals, scopes, debug variables") {
  const BrokenRule rules[] = {
      {"`functions[0]`: no type",
       [](Program &p) { p.functions[FunctionId(0)].inputs[0] = TypeId(9999); }},
      {"the result must be sized",
       [](Program &p) { p.functions[FunctionId(3)].output = typeNamed(p, "str"); }},
      {"a local for the result", [](Program &p) { bodyOf(p, "sample::double").argCount = 2; }},
      {"a local for the result", [](Program &p) { bodyOf(p, "sample::double").locals.resize(1); }},
      {"local 0 must have",
       [](Program &p) { bodyOf(p, "sample::double").locals[LocalId(0)].ty = typeNamed(p, "i32"); }},
      {"local 1 must have",
       [](Program &p) { bodyOf(p, "sample::double").locals[LocalId(1)].ty = typeNamed(p, "i32"); }},
      {"a local must be sized",
       [](Program &p) {
         bodyOf(p, "sample::rvalues").locals[LocalId(9)].ty = typeNamed(p, "str");
       }},
      {"must be the last one",
       [](Program &p) { p.functions[FunctionId(0)].spreadArg = LocalId(5); }},
      {"must be a tuple", [](Program &p) { p.functions[FunctionId(0)].spreadArg = LocalId(1); }},
      {"with a body spreads",
       [](Program &p) { p.functions[FunctionId(3)].spreadArg = LocalId(1); }},
      {"a pass mode for each",
       [](Program &p) { p.functions[FunctionId(0)].passModes = {"direct"}; }},
      {"body.scopes[1]`: no scope 5",
       [](Program &p) { bodyOf(p, "sample::double").scopes[ScopeId(1)].parent = ScopeId(5); }},
      {"body.scopes`: scopes come back",
       [](Program &p) { bodyOf(p, "sample::double").scopes[ScopeId(0)].parent = ScopeId(1); }},
      {"scopes[1]`: no function",
       [](Program &p) {
         bodyOf(p, "sample::double").scopes[ScopeId(1)].inlined->function = FunctionId(70);
       }},
      {"scopes[1]`: no span",
       [](Program &p) {
         bodyOf(p, "sample::double").scopes[ScopeId(1)].inlined->callSite = SpanId(70);
       }},
      {"body.debug[0]`: no scope",
       [](Program &p) { bodyOf(p, "sample::double").debug[0].scope = ScopeId(5); }},
      {"body.debug[0]`: no local",
       [](Program &p) {
         std::get<Place>(bodyOf(p, "sample::double").debug[0].value).local = LocalId(50);
       }},
      {"fragment's projection",
       [](Program &p) {
         bodyOf(p, "sample::rvalues").debug[0].fragment->ty = typeNamed(p, "u32");
       }},
      {"must have a block", [](Program &p) { bodyOf(p, "sample::double").blocks.resize(0); }},
      {"must not be a cleanup block",
       [](Program &p) { bodyOf(p, "sample::double").blocks[BlockId(0)].isCleanup = true; }},
  };
  checkRules(rules);
}

/// The projection of the first place in `sample::places` that reads `steps` steps.
static std::vector<Projection> &stepsOf(Program &p, size_t statement) {
  auto &assign =
      std::get<Assign>(bodyOf(p, "sample::places").blocks[BlockId(0)].statements[statement].kind);
  return std::get<Copy>(std::get<Use>(assign.rvalue).operand).place.projection;
}

TEST_CASE("verifier: places") {
  const BrokenRule rules[] = {
      {"statements[0]`: projection 1 of a place (constant index) does not fit `[u32]`",
       [](Program &p) { stepsOf(p, 0)[1] = ProjConstantIndex{2, 2, false}; }},
      {"(constant index)", [](Program &p) { stepsOf(p, 1)[1] = ProjConstantIndex{0, 2, true}; }},
      {"(constant index)", [](Program &p) { stepsOf(p, 5)[0] = ProjConstantIndex{1, 5, false}; }},
      {"(deref) does not fit `u32`", [](Program &p) { stepsOf(p, 0).push_back(ProjDeref{}); }},
      {"(field) does not fit `Option<u32>`",
       [](Program &p) { stepsOf(p, 2).erase(stepsOf(p, 2).begin()); }},
      {"(downcast) does not fit `Option<u32>`",
       [](Program &p) { stepsOf(p, 2)[0] = ProjDowncast{2}; }},
      {"(downcast) does not fit `[u32]`", [](Program &p) { stepsOf(p, 0)[1] = ProjDowncast{0}; }},
      {"(field) does not fit", [](Program &p) { std::get<ProjField>(stepsOf(p, 2)[1]).field = 1; }},
      {"(field) does not fit",
       [](Program &p) { std::get<ProjField>(stepsOf(p, 2)[1]).ty = typeNamed(p, "i32"); }},
      {"(subslice) does not fit `[u32;4]`",
       [](Program &p) { stepsOf(p, 5)[0] = ProjSubslice{3, 1, false}; }},
      {"(subslice)", [](Program &p) { stepsOf(p, 5)[0] = ProjSubslice{0, 3, false}; }},
      {"(subslice)", [](Program &p) { stepsOf(p, 5)[0] = ProjSubslice{0, 5, true}; }},
      {"(index)", [](Program &p) { stepsOf(p, 0)[1] = ProjIndex{LocalId(0)}; }},
      {"(index)", [](Program &p) { stepsOf(p, 0)[1] = ProjIndex{LocalId(90)}; }},
      {"(opaque cast)", [](Program &p) { stepsOf(p, 6)[0] = ProjOpaqueCast{typeNamed(p, "i32")}; }},
      {"(unsafe binder)",
       [](Program &p) { stepsOf(p, 6)[0] = ProjUnwrapUnsafeBinder{typeNamed(p, "u32")}; }},
      {"must not end in a downcast", [](Program &p) { stepsOf(p, 2).pop_back(); }},
      {"no local 90", [](Program &p) { firstStatement<Assign>(p).place.local = LocalId(90); }},
  };
  checkRules(rules);
}

TEST_CASE("verifier: operands and constants") {
  const BrokenRule rules[] = {
      {"an operand must be sized", [](Program &p) { stepsOf(p, 0).pop_back(); }},
      {"bits it fits",
       [](Program &p) { firstRvalue<UnaryOp>(p).operand = scalarOf(p, "i32", u128(1) << 32); }},
      {"must have a scalar type",
       [](Program &p) { firstRvalue<UnaryOp>(p).operand = scalarOf(p, "Point", 0); }},
      {"not a zero-sized type",
       [](Program &p) {
         firstRvalue<UnaryOp>(p).operand = Constant{typeNamed(p, "i32"), ConstZst{}, {}};
       }},
      {"of a thin pointer",
       [](Program &p) {
         firstRvalue<UnaryOp>(p).operand =
             Constant{typeNamed(p, "&str"), ConstPtr{AllocId(0), 0}, {}};
       }},
      {"no alloc 70",
       [](Program &p) {
         firstRvalue<UnaryOp>(p).operand =
             Constant{typeNamed(p, "&u32"), ConstPtr{AllocId(70), 0}, {}};
       }},
      {"longer than its alloc",
       [](Program &p) {
         firstRvalue<UnaryOp>(p).operand =
             Constant{typeNamed(p, "&str"), ConstSlice{AllocId(0), 6}, {}};
       }},
      {"longer than its alloc",
       [](Program &p) {
         firstRvalue<UnaryOp>(p).operand =
             Constant{typeNamed(p, "&[u32]"), ConstSlice{AllocId(0), uint64_t(1) << 62}, {}};
       }},
      {"pointer and length",
       [](Program &p) {
         firstRvalue<UnaryOp>(p).operand =
             Constant{typeNamed(p, "&dyn Shape"), ConstSlice{AllocId(0), 1}, {}};
       }},
      {"inside its alloc",
       [](Program &p) {
         firstRvalue<UnaryOp>(p).operand =
             Constant{typeNamed(p, "i32"), ConstIndirect{AllocId(0), 2}, {}};
       }},
      {"inside its alloc",
       [](Program &p) {
         firstRvalue<UnaryOp>(p).operand =
             Constant{typeNamed(p, "i32"), ConstIndirect{AllocId(0), ~uint64_t(0)}, {}};
       }},
      {"must be memory",
       [](Program &p) {
         firstRvalue<UnaryOp>(p).operand =
             Constant{typeNamed(p, "i32"), ConstIndirect{AllocId(4), 0}, {}};
       }},
      {"type of a constant must be sized",
       [](Program &p) {
         firstRvalue<UnaryOp>(p).operand = Constant{typeNamed(p, "str"), ConstUndef{}, {}};
       }},
      {"has no type `bool`",
       [](Program &p) {
         TypeId boolTy = typeNamed(p, "bool");
         p.types[boolTy] = p.types[typeNamed(p, "u8")];
         firstStatement<Assign>(p).rvalue = Use{RuntimeChecks{}};
       }},
  };
  checkRules(rules);
}

TEST_CASE("verifier: binary and unary operations") {
  auto op = [](Program &p, BinOp wanted) -> BinaryOp & {
    return firstRvalue<BinaryOp>(p, [=](const BinaryOp &b) { return b.op == wanted; });
  };
  static auto at = op;
  const BrokenRule rules[] = {
      {"`mul` cannot have operands of types `u32` and `i32`",
       [](Program &p) { at(p, BinOp::Mul).rhs = scalarOf(p, "i32", 1); }},
      {"`mul` on `i32` cannot give `u32`",
       [](Program &p) { at(p, BinOp::Mul).lhs = at(p, BinOp::Mul).rhs = scalarOf(p, "i32", 1); }},
      {"`add_unchecked` cannot have",
       [](Program &p) {
         auto &b = at(p, BinOp::AddUnchecked);
         b.lhs = b.rhs = scalarOf(p, "f32", 1);
       }},
      {"`bit_and` cannot have",
       [](Program &p) {
         auto &b = at(p, BinOp::BitAnd);
         b.lhs = b.rhs = scalarOf(p, "f32", 1);
       }},
      {"`shl` cannot have", [](Program &p) { at(p, BinOp::Shl).rhs = scalarOf(p, "f32", 1); }},
      {"`add_with_overflow` on `i32` cannot give",
       [](Program &p) {
         auto &b = at(p, BinOp::AddWithOverflow);
         b.lhs = b.rhs = scalarOf(p, "i32", 1);
       }},
      {"`lt` cannot have",
       [](Program &p) {
         auto &b = at(p, BinOp::Lt);
         b.lhs = b.rhs = Constant{typeNamed(p, "Point"), ConstUndef{}, {}};
       }},
      {"cannot give `u32`", [](Program &p) { at(p, BinOp::Add).op = BinOp::Eq; }},
      {"`cmp` cannot have",
       [](Program &p) {
         auto &b = at(p, BinOp::Cmp);
         b.lhs = b.rhs = scalarOf(p, "f32", 1);
       }},
      {"`cmp` on `u32` cannot give", [](Program &p) { at(p, BinOp::Lt).op = BinOp::Cmp; }},
      {"`offset` cannot have",
       [](Program &p) { at(p, BinOp::Offset).rhs = scalarOf(p, "u32", 1); }},
      {"`neg` cannot have",
       [](Program &p) { firstRvalue<UnaryOp>(p).operand = scalarOf(p, "bool", 1); }},
      {"result: expected `i32`, found `u32`",
       [](Program &p) { firstRvalue<UnaryOp>(p).operand = scalarOf(p, "u32", 1); }},
      {"is not a pointer", [](Program &p) { firstRvalue<UnaryOp>(p).op = UnOp::PtrMetadata; }},
      {"the metadata of `&dyn Shape`",
       [](Program &p) {
         firstRvalue<UnaryOp>(p, [](const UnaryOp &u) {
           return u.op == UnOp::PtrMetadata;
         }).operand = Constant{typeNamed(p, "&dyn Shape"), ConstUndef{}, {}};
       }},
  };
  checkRules(rules);
}

TEST_CASE("verifier: other rvalues") {
  const BrokenRule rules[] = {
      {"assignment: expected",
       [](Program &p) { firstStatement<Assign>(p).rvalue = Use{scalarOf(p, "i32", 1)}; }},
      {"not an array of this length",
       [](Program &p) { firstRvalue<Repeat>(p).count = uint64_t(1) << 60; }},
      {"repeated element",
       [](Program &p) { firstRvalue<Repeat>(p).operand = scalarOf(p, "i32", 1); }},
      {"the address of a place cannot have",
       [](Program &p) {
         firstStatement<Assign>(p).rvalue = Ref{BorrowKind::Shared, Place{LocalId(0), {}}};
       }},
      {"the address of a place cannot have",
       [](Program &p) {
         auto ref = firstRvalue<Ref>(p);
         auto *a = firstStatement<Assign>(
             p, [](const Assign &x) { return std::holds_alternative<Ref>(x.rvalue); });
         a->rvalue = RawPtr{ref.kind, ref.place};
       }},
      {"pointee: expected `u32`", [](Program &p) { firstRvalue<Ref>(p).place.local = LocalId(5); }},
      {"no static 70", [](Program &p) { firstRvalue<ThreadLocalRef>(p).target = StaticId(70); }},
      {"the discriminant of",
       [](Program &p) {
         std::get<TyAdt>(typeOf(p, "Option<u32>").kind).discrTy = typeNamed(p, "i64");
       }},
      {"has 3 operands, expected 4",
       [](Program &p) {
         firstRvalue<Aggregate>(p, [&](const Aggregate &a) {
           return a.ty == typeNamed(p, "[u32;4]");
         }).operands.pop_back();
       }},
      {"must name a variant", [](Program &p) { firstRvalue<Aggregate>(p).variant = 9; }},
      {"must name a variant", [](Program &p) { firstRvalue<Aggregate>(p).variant.reset(); }},
      {"has 1 operands, expected 0", [](Program &p) { firstRvalue<Aggregate>(p).variant = 0; }},
      {"operands[0]`: operand: expected `u32`",
       [](Program &p) { firstRvalue<Aggregate>(p).operands[0] = scalarOf(p, "i32", 1); }},
      {"must name a field",
       [](Program &p) {
         firstRvalue<Aggregate>(p, [](const Aggregate &a) {
           return a.activeField.has_value();
         }).activeField.reset();
       }},
      {"only an aggregate of a union names a field",
       [](Program &p) {
         firstRvalue<Aggregate>(p, [](const Aggregate &a) { return !a.activeField; }).activeField =
             0;
       }},
      {"the metadata of a pointer does not fit",
       [](Program &p) {
         firstRvalue<Aggregate>(p, [&](const Aggregate &a) {
           return a.ty == typeNamed(p, "*const [u32]");
         }).operands[1] = scalarOf(p, "u32", 1);
       }},
      {"aggregate: expected",
       [](Program &p) {
         auto &a = firstRvalue<Aggregate>(p);
         a.ty = typeNamed(p, "()");
         a.variant.reset();
         a.operands.clear();
       }},
      {"not an unsafe binder",
       [](Program &p) { firstRvalue<WrapUnsafeBinder>(p).ty = typeNamed(p, "u32"); }},
      {"destination of an assignment must be sized",
       [](Program &p) {
         firstStatement<Assign>(p, [](const Assign &a) {
           return std::holds_alternative<CopyForDeref>(a.rvalue);
         })->place = Place{LocalId(3), {ProjDeref{}}};
       }},
  };
  checkRules(rules);
}

TEST_CASE("verifier: casts") {
  auto cast = [](Program &p, CastKind kind) -> Cast & {
    return firstRvalue<Cast>(p, [=](const Cast &c) { return c.kind == kind; });
  };
  static auto at = cast;
  const BrokenRule rules[] = {
      {"no `pointer_expose_provenance` cast",
       [](Program &p) {
         at(p, CastKind::PointerExposeProvenance).operand = scalarOf(p, "u64", 1);
       }},
      {"no `pointer_with_exposed_provenance` cast",
       [](Program &p) {
         at(p, CastKind::PointerWithExposedProvenance).operand = scalarOf(p, "f64", 1);
       }},
      {"no function 70",
       [](Program &p) { at(p, CastKind::ReifyFnPointer).function = FunctionId(70); }},
      {"no `reify_fn_pointer` cast",
       [](Program &p) { at(p, CastKind::ReifyFnPointer).operand = scalarOf(p, "u64", 1); }},
      {"no `closure_fn_pointer` cast",
       [](Program &p) { at(p, CastKind::ClosureFnPointer).operand = scalarOf(p, "u64", 1); }},
      {"no `unsafe_fn_pointer` cast",
       [](Program &p) { at(p, CastKind::UnsafeFnPointer).operand = scalarOf(p, "u64", 1); }},
      {"must lead to a pointer",
       [](Program &p) { at(p, CastKind::Unsize).operand = scalarOf(p, "u64", 1); }},
      {"must lead to a pointer", [](Program &p) { at(p, CastKind::Unsize).unsize->path = {0}; }},
      {"does not add this metadata",
       [](Program &p) { at(p, CastKind::Unsize).unsize->to = UnsizeVtable{VtableId(0)}; }},
      {"does not add this metadata",
       [](Program &p) { at(p, CastKind::Unsize).unsize->to = UnsizeUpcast{}; }},
      {"no vtable 70",
       [](Program &p) { at(p, CastKind::Unsize).unsize->to = UnsizeVtable{VtableId(70)}; }},
      {"must say what it adds", [](Program &p) { at(p, CastKind::Unsize).unsize.reset(); }},
      {"no `int_to_int` cast",
       [](Program &p) { at(p, CastKind::IntToInt).operand = scalarOf(p, "f32", 1); }},
      {"no `float_to_int` cast",
       [](Program &p) { at(p, CastKind::FloatToInt).operand = scalarOf(p, "u32", 1); }},
      {"no `float_to_float` cast",
       [](Program &p) { at(p, CastKind::FloatToFloat).operand = scalarOf(p, "u32", 1); }},
      {"no `int_to_float` cast",
       [](Program &p) { at(p, CastKind::IntToFloat).operand = scalarOf(p, "f32", 1); }},
      {"no `ptr_to_ptr` cast",
       [](Program &p) {
         auto &c = at(p, CastKind::PtrToPtr);
         c.ty = typeNamed(p, "*const [u32]");
       }},
      {"no `fn_ptr_to_ptr` cast",
       [](Program &p) { at(p, CastKind::FnPtrToPtr).operand = scalarOf(p, "*const u32", 1); }},
      {"no `subtype` cast",
       [](Program &p) { at(p, CastKind::Subtype).operand = scalarOf(p, "u32", 1); }},
      {"cast: expected `i32`, found `u32`",
       [](Program &p) { at(p, CastKind::IntToInt).ty = typeNamed(p, "u32"); }},
      {"the target of a cast must be sized",
       [](Program &p) { at(p, CastKind::Transmute).ty = typeNamed(p, "str"); }},
  };
  checkRules(rules);
}

TEST_CASE("verifier: what rustc allows is not refused") {
  // Function pointers that differ in erased lifetimes are two types of one name, kind and shape.
  Program p = sample();
  TypeId other = p.types.push(p.types[typeNamed(p, "fn(u32)->u32")]);
  auto &body = bodyOf(p, "sample::rvalues");
  Local extra{other, true, {}, "fp2"};
  LocalId local = body.locals.push(extra);
  firstRvalue<Cast>(p, [](const Cast &c) { return c.kind == CastKind::UnsafeFnPointer; }).operand =
      Copy{Place{local, {}}};
  CHECK(llvm::toString(verify(p)) == "");
  // A transmute between two sizes stands in dead code of generic functions.
  firstRvalue<Cast>(p, [](const Cast &c) { return c.kind == CastKind::Transmute; }).operand =
      scalarOf(p, "u64", 1);
  CHECK(llvm::toString(verify(p)) == "");
}
