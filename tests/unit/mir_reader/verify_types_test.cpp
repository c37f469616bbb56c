// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One failing program for each rule of types, layouts, encodings and memory.
#include "mir_reader/query.h"
#include "tests/unit/mir_reader/verifier_cases.h"

using namespace mirgpu::mir;
using namespace mirgpu::mir::test;

TEST_CASE("verifier: ids of types") {
  const BrokenRule rules[] = {
      {"`types[",
       [](Program &p) { std::get<TyArray>(typeOf(p, "[u32;4]").kind).elem = TypeId(9999); }},
      {"no type 9999",
       [](Program &p) { std::get<TySlice>(typeOf(p, "[u32]").kind).elem = TypeId(9999); }},
      {"no type",
       [](Program &p) { std::get<TyPointer>(typeOf(p, "&u32").kind).pointee = TypeId(); }},
      {"no type 9999",
       [](Program &p) { typeOf(p, "Point").variants[0].fields[1].ty = TypeId(9999); }},
      {"no type 9999",
       [](Program &p) { std::get<TyAdt>(typeOf(p, "Point").kind).args[0].ty = TypeId(9999); }},
      {"no type 9999",
       [](Program &p) { std::get<TyAdt>(typeOf(p, "Ordering").kind).discrTy = TypeId(9999); }},
      {"no type 9999",
       [](Program &p) {
         std::get<TyClosure>(typeOf(p, "coroutine#2").kind).discrTy = TypeId(9999);
       }},
      {"no type 9999",
       [](Program &p) {
         std::get<TyFnPtr>(typeOf(p, "fn(u32)->u32").kind).inputs[0] = TypeId(9999);
       }},
      {"no type 9999",
       [](Program &p) { std::get<TyFnPtr>(typeOf(p, "fn(u32)->u32").kind).output = TypeId(9999); }},
      {"no function 77",
       [](Program &p) {
         std::get<TyFnDef>(typeOf(p, "fn item sample::double").kind).function = FunctionId(77);
       }},
      {"no type 9999",
       [](Program &p) { std::get<TyPattern>(typeOf(p, "NonZero").kind).base = TypeId(9999); }},
      {"no type 9999",
       [](Program &p) {
         std::get<TyUnsafeBinder>(typeOf(p, "unsafe<> u32").kind).inner = TypeId(9999);
       }},
      {"no type 9999", [](Program &p) { typeOf(p, "str").unsizedTail->tail = TypeId(9999); }},
      {"no span 50", [](Program &p) { typeOf(p, "u32").span = SpanId(50); }},
  };
  checkRules(rules);
}

TEST_CASE("verifier: nesting") {
  const BrokenRule rules[] = {
      {"contains itself by value",
       [](Program &p) { typeOf(p, "Point").variants[0].fields[0].ty = typeNamed(p, "Point"); }},
      {"contains itself by value",
       [](Program &p) {
         typeOf(p, "Option<u32>").variants[1].fields[0].ty = typeNamed(p, "(u32,)");
         typeOf(p, "(u32,)").variants[0].fields[0].ty = typeNamed(p, "Option<u32>");
       }},
      {"deeper than 1024 levels",
       [](Program &p) {
         for (int i = 0; i < 2000; ++i) {
           Type type;
           type.kind = TyTuple{};
           type.variants.resize(1);
           TypeId last(static_cast<uint32_t>(p.types.size() - 1));
           type.variants[0].fields = {{"0", i ? last : typeNamed(p, "()"), 0}};
           p.types.push(std::move(type));
         }
       }},
  };
  checkRules(rules);
}

TEST_CASE("verifier: kinds of types") {
  const BrokenRule rules[] = {
      {"scalar of 8 bits", [](Program &p) { typeOf(p, "bool").repr = ReprMemory{}; }},
      {"sign must be",
       [](Program &p) { std::get<ReprScalar>(typeOf(p, "bool").repr).scalar.isSigned = true; }},
      {"sign must be",
       [](Program &p) { std::get<ReprScalar>(typeOf(p, "u32").repr).scalar.isSigned = true; }},
      {"pointee's alignment",
       [](Program &p) {
         std::get<TyPointer>(typeOf(p, "&u32").kind).info =
             PointeeInfo{4, uint64_t(1) << 60, PointerSafety::SharedFrozen};
       }},
      {"pointee's size",
       [](Program &p) {
         std::get<TyPointer>(typeOf(p, "&u32").kind).info =
             PointeeInfo{uint64_t(1) << 62, 4, PointerSafety::SharedFrozen};
       }},
      {"scalar of 32 bits",
       [](Program &p) { std::get<ReprScalar>(typeOf(p, "char").repr).scalar.bits = 64; }},
      {"every value of the type",
       [](Program &p) { std::get<ReprScalar>(typeOf(p, "bool").repr).scalar.validEnd = 2; }},
      {"every value of the type",
       [](Program &p) { std::get<ReprScalar>(typeOf(p, "u8").repr).scalar.validEnd = 1; }},
      {"no such width of an integer",
       [](Program &p) { std::get<TyInt>(typeOf(p, "u32").kind).bits = 33; }},
      {"no such width of a float",
       [](Program &p) { std::get<TyFloat>(typeOf(p, "f32").kind).bits = 8; }},
      {"the size must be 4", [](Program &p) { typeOf(p, "i32").size = 8; }},
      {"times the length",
       [](Program &p) { std::get<TyArray>(typeOf(p, "[u32;4]").kind).len = 5; }},
      {"times the length",
       [](Program &p) { std::get<TyArray>(typeOf(p, "[u32;4]").kind).len = uint64_t(1) << 62; }},
      {"the alignment must be the element's", [](Program &p) { typeOf(p, "[u32;4]").align = 8; }},
      {"must be kept in memory",
       [](Program &p) { typeOf(p, "[u32;2]").repr = typeOf(p, "u64").repr; }},
      {"must be unsized", [](Program &p) { typeOf(p, "str").unsizedTail.reset(); }},
      {"must be unsized",
       [](Program &p) { typeOf(p, "dyn Shape").unsizedTail->metadata = Metadata::Length; }},
      {"its own unsized tail",
       [](Program &p) { typeOf(p, "str").unsizedTail->tail = typeNamed(p, "[u32]"); }},
      {"the sized prefix must be 0", [](Program &p) { typeOf(p, "[u32]").size = 4; }},
      {"a pair of pointer and metadata",
       [](Program &p) { typeOf(p, "&str").repr = typeOf(p, "Point").repr; }},
      {"a pair of pointer and metadata",
       [](Program &p) { typeOf(p, "&dyn Shape").repr = typeOf(p, "&str").repr; }},
      {"scalar of 64 bits", [](Program &p) { typeOf(p, "&u32").repr = typeOf(p, "u64").repr; }},
      {"pointee's alignment",
       [](Program &p) { std::get<TyPointer>(typeOf(p, "&u32").kind).info->align = 3; }},
      {"one variant", [](Program &p) { typeOf(p, "Point").variants.clear(); }},
      {"one variant", [](Program &p) { typeOf(p, "()").variants.resize(2); }},
      {"one variant", [](Program &p) { typeOf(p, "closure#0").variants.resize(2); }},
      {"has no variants", [](Program &p) { typeOf(p, "u32").variants.resize(1); }},
      {"a coroutine must have a variant",
       [](Program &p) { typeOf(p, "coroutine#2").variants.clear(); }},
      {"discriminant's type must be an integer",
       [](Program &p) {
         std::get<TyAdt>(typeOf(p, "Ordering").kind).discrTy = typeNamed(p, "f32");
       }},
      {"no size and no values", [](Program &p) { typeOf(p, "!").uninhabited = false; }},
      {"a function item must have no size",
       [](Program &p) { typeOf(p, "fn item intrinsic").size = 1; }},
      {"must be those of `u32`",
       [](Program &p) {
         std::get<TyPattern>(typeOf(p, "NonZero").kind).base = typeNamed(p, "u32"),
                                       typeOf(p, "NonZero").size = 8;
       }},
      {"must be that of `u32`", [](Program &p) { typeOf(p, "unsafe<> u32").repr = ReprMemory{}; }},
  };
  checkRules(rules);
}

TEST_CASE("verifier: layouts") {
  const BrokenRule rules[] = {
      {"a power of two", [](Program &p) { typeOf(p, "Point").align = 3; }},
      {"a power of two", [](Program &p) { typeOf(p, "Point").align = 0; }},
      {"at most 2^29", [](Program &p) { typeOf(p, "Point").align = uint64_t(1) << 30; }},
      {"below 2^61", [](Program &p) { typeOf(p, "Bits").size = uint64_t(1) << 61; }},
      {"a multiple of the alignment", [](Program &p) { typeOf(p, "Bits").size = 6; }},
      {"no scalar has 7 bits",
       [](Program &p) { std::get<ReprPair>(typeOf(p, "Point").repr).a.bits = 7; }},
      {"address space",
       [](Program &p) { std::get<ReprScalar>(typeOf(p, "&u32").repr).scalar.addressSpace = 3; }},
      {"valid range",
       [](Program &p) { std::get<ReprScalar>(typeOf(p, "bool").repr).scalar.validEnd = 256; }},
      {"behind the first",
       [](Program &p) { std::get<ReprPair>(typeOf(p, "Point").repr).bOffset = 3; }},
      {"inside the type",
       [](Program &p) { std::get<ReprPair>(typeOf(p, "Point").repr).bOffset = 6; }},
      {"inside the type",
       [](Program &p) { std::get<ReprPair>(typeOf(p, "Point").repr).bOffset = ~uint64_t(0); }},
      {"32768 lanes", [](Program &p) { std::get<ReprVector>(typeOf(p, "Lanes").repr).count = 0; }},
      {"32768 lanes",
       [](Program &p) { std::get<ReprVector>(typeOf(p, "Lanes").repr).count = uint64_t(1) << 62; }},
      {"fit its size", [](Program &p) { std::get<ReprVector>(typeOf(p, "Lanes").repr).count = 5; }},
      {"the size of its type", [](Program &p) { typeOf(p, "(u32,)").size = 8; }},
      {"`sized` must agree", [](Program &p) { typeOf(p, "str").repr = ReprMemory{true}; }},
      {"kept in memory", [](Program &p) { typeOf(p, "Tailed").repr = typeOf(p, "u32").repr; }},
      {"offset is too large",
       [](Program &p) { typeOf(p, "Bits").variants[0].fields[0].offset = kMaxSize; }},
      {"does not fit the type's size",
       [](Program &p) { typeOf(p, "Bits").variants[0].fields[0].offset = 1; }},
      {"no part of the type's representation",
       [](Program &p) { typeOf(p, "Point").variants[0].fields[1].offset = 2; }},
      {"no part of the type's representation",
       [](Program &p) { typeOf(p, "Point").variants[0].fields[1].ty = typeNamed(p, "u32"); }},
      {"only the last field",
       [](Program &p) { typeOf(p, "Bits").variants[0].fields[1].ty = typeNamed(p, "str"); }},
      {"field's unsized tail",
       [](Program &p) { typeOf(p, "Tailed").unsizedTail->tail = typeNamed(p, "str"); }},
      {"at the prefix's end",
       [](Program &p) { typeOf(p, "Tailed").variants[0].fields[1].offset = 5; }},
      {"whose last field is unsized",
       [](Program &p) { typeOf(p, "Tailed").variants[0].fields.pop_back(); }},
      {"whose last field is unsized",
       [](Program &p) {
         Type &bits = typeOf(p, "Bits");
         bits.unsizedTail = Unsized{Metadata::None, typeNamed(p, "Foreign")};
         bits.repr = ReprMemory{false};
       }},
  };
  checkRules(rules);
}

TEST_CASE("verifier: encodings") {
  using Direct = EncodingDirect;
  using Niche = EncodingNiche;
  const BrokenRule rules[] = {
      {"no variant 7", [](Program &p) { typeOf(p, "Result<u32,!>").encoding = EncodingSingle{7}; }},
      {"no variant 1", [](Program &p) { typeOf(p, "Point").encoding = EncodingSingle{1}; }},
      {"without values", [](Program &p) { typeOf(p, "Ordering").encoding = EncodingEmpty{}; }},
      {"only enums and coroutines",
       [](Program &p) { typeOf(p, "Point").encoding = typeOf(p, "Ordering").encoding; }},
      {"only enums and coroutines",
       [](Program &p) { typeOf(p, "Point").encoding = typeOf(p, "Option<&u32>").encoding; }},
      {"inside the type",
       [](Program &p) { std::get<Direct>(typeOf(p, "Ordering").encoding).tagOffset = 1; }},
      {"inside the type",
       [](Program &p) { std::get<Direct>(typeOf(p, "coroutine#2").encoding).tagOffset = 8; }},
      {"no part of the type's representation",
       [](Program &p) { std::get<Direct>(typeOf(p, "Option<u32>").encoding).tagOffset = 2; }},
      {"an integer or pointer",
       [](Program &p) {
         std::get<Direct>(typeOf(p, "Option<u32>").encoding).tag = *scalarOf(typeOf(p, "f32"));
       }},
      {"a direct tag must be an integer",
       [](Program &p) {
         typeOf(p, "Option<&u32>").encoding = Direct{*scalarOf(typeOf(p, "*const u32")), 0};
       }},
      {"the same tag", [](Program &p) { typeOf(p, "Ordering").variants[0].discr = 1; }},
      {"the same tag", [](Program &p) { typeOf(p, "coroutine#2").variants[2].discr = 257; }},
      {"must have a variant",
       [](Program &p) {
         auto &t = typeOf(p, "Void");
         t.encoding = typeOf(p, "Ordering").encoding;
         t.size = t.align = 1;
       }},
      {"names a variant",
       [](Program &p) { std::get<Niche>(typeOf(p, "Option<&u32>").encoding).untagged = 2; }},
      {"names a variant",
       [](Program &p) { std::get<Niche>(typeOf(p, "Option<&u32>").encoding).endVariant = 2; }},
      {"names a variant",
       [](Program &p) { std::get<Niche>(typeOf(p, "Option<&u32>").encoding).startVariant = 1; }},
      {"does not fit the tag",
       [](Program &p) {
         std::get<Niche>(typeOf(p, "Option<&u32>").encoding).nicheStart = u128(1) << 64;
       }},
      {"does not fit its type", [](Program &p) { typeOf(p, "Ordering").variants[0].discr = 256; }},
  };
  checkRules(rules);
}

TEST_CASE("verifier: memory") {
  auto memory = [](Program &p, uint32_t id) -> AllocMemory & {
    return std::get<AllocMemory>(p.allocs[AllocId(id)]);
  };
  static auto at = memory;
  const BrokenRule rules[] = {
      {"`allocs[0]`: the alignment", [](Program &p) { at(p, 0).align = 12; }},
      {"`allocs[1].undef[0]`", [](Program &p) { at(p, 1).undef[0] = {2, 2}; }},
      {"`allocs[1].undef[1]`", [](Program &p) { at(p, 1).undef[1] = {1, 4}; }},
      {"inside the bytes", [](Program &p) { at(p, 1).undef[1].end = uint64_t(1) << 60; }},
      {"no alloc 70", [](Program &p) { at(p, 1).relocs[0].target = AllocId(70); }},
      {"`allocs[1].relocs[0]`", [](Program &p) { at(p, 1).relocs[0].offset = 9; }},
      {"`allocs[1].relocs[1]`",
       [](Program &p) { at(p, 1).relocs.insert(at(p, 1).relocs.begin(), {4, AllocId(0)}); }},
      {"on undefined bytes", [](Program &p) { at(p, 1).relocs[0].offset = 3; }},
      {"no function 70", [](Program &p) { p.allocs[AllocId(4)] = AllocFunction{FunctionId(70)}; }},
      {"no static 70", [](Program &p) { p.allocs[AllocId(5)] = AllocStatic{StaticId(70)}; }},
      {"no vtable 70", [](Program &p) { p.allocs[AllocId(6)] = AllocVtable{VtableId(70)}; }},
      {"extern or have an initializer", [](Program &p) { p.statics[StaticId(0)].init = {}; }},
      {"extern or have an initializer",
       [](Program &p) { p.statics[StaticId(1)].init = AllocId(3); }},
      {"the size of the static's type",
       [](Program &p) { p.statics[StaticId(0)].init = AllocId(0); }},
      {"must be memory", [](Program &p) { p.statics[StaticId(0)].init = AllocId(5); }},
      {"no type 9999", [](Program &p) { p.statics[StaticId(0)].ty = TypeId(9999); }},
      {"is there twice",
       [](Program &p) { p.statics[StaticId(0)].symbol = p.statics[StaticId(1)].symbol; }},
      {"begin with drop, size, align",
       [](Program &p) { p.vtables[VtableId(0)].entries.resize(2); }},
      {"begin with drop, size, align",
       [](Program &p) { p.vtables[VtableId(0)].entries[1] = VtableVacant{}; }},
      {"must be that of the vtable's type",
       [](Program &p) { p.vtables[VtableId(0)].entries[1] = VtableSize{8}; }},
      {"must be that of the vtable's type",
       [](Program &p) { p.vtables[VtableId(0)].entries[2] = VtableAlign{8}; }},
      {"`vtables[0].entries[3]`: no function",
       [](Program &p) { p.vtables[VtableId(0)].entries[3] = VtableMethod{FunctionId(70)}; }},
      {"`vtables[0].entries[5]`: no vtable",
       [](Program &p) { p.vtables[VtableId(0)].entries[5] = VtableSuper{VtableId(70)}; }},
  };
  checkRules(rules);
}
