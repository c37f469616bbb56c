// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From `allocs`, `statics`, `vtables` and constants to the model. The bytes of an alloc are decoded
// from hex, so memory stays proportional to the file's size.
#include "mir_reader/read_parts.h"

#include "llvm/ADT/StringExtras.h"

namespace mirgpu::mir {

static std::vector<uint8_t> readHex(const Json &json) {
  std::string_view digits = json.rawText();
  std::vector<uint8_t> bytes;
  if (digits.size() % 2 != 0) {
    json.fail("an odd number of hex digits");
    return bytes;
  }
  bytes.reserve(digits.size() / 2);
  for (size_t i = 0; i < digits.size(); i += 2) {
    unsigned high = llvm::hexDigitValue(digits[i]), low = llvm::hexDigitValue(digits[i + 1]);
    if (high > 15 || low > 15) {
      json.fail("not a hex digit at position " + llvm::Twine(high > 15 ? i : i + 1));
      return {};
    }
    bytes.push_back(static_cast<uint8_t>(high << 4 | low));
  }
  return bytes;
}

static ByteRange readRange(Json &json) {
  ByteRange range;
  range.start = json.next().u64();
  range.end = json.next().u64();
  json.finish();
  return range;
}

static Reloc readReloc(Json &json) {
  Reloc reloc;
  reloc.offset = json.next().u64();
  reloc.target = json.next().id<AllocId>();
  json.finish();
  return reloc;
}

static AllocMemory readMemory(Json &json) {
  AllocMemory memory;
  memory.align = json.key("align").u64();
  memory.isMutable = json.key("mutable").boolean();
  memory.bytes = readHex(json.key("bytes"));
  json.key("undef").list(memory.undef, readRange);
  json.key("relocs").list(memory.relocs, readReloc);
  return memory;
}

Alloc readAlloc(Json &json) {
  Json kind = json.key("kind");
  std::string_view word = kind.rawText();
  if (word == "memory")
    return readMemory(json);
  if (word == "function")
    return AllocFunction{json.key("function").id<FunctionId>()};
  if (word == "static")
    return AllocStatic{json.key("static").id<StaticId>()};
  if (word != "vtable")
    kind.failExpected("one of memory, function, static, vtable");
  return AllocVtable{json.key("vtable").id<VtableId>()};
}

Static readStatic(Json &json) {
  Static object;
  object.symbol = json.key("symbol").text();
  object.ty = json.key("ty").id<TypeId>();
  object.isMutable = json.key("mutable").boolean();
  object.interiorMutable = json.key("interior_mutable").boolean();
  object.threadLocal = json.key("thread_local").boolean();
  object.isExtern = json.key("extern").boolean();
  object.section = json.key("section").textOrNull();
  object.linkage = json.key("linkage").textOrNull();
  object.align = json.key("align").u64();
  Json attributes = json.key("tool_attrs");
  object.toolAttrs = readToolAttrs(attributes);
  object.init = json.key("init").idOrNull<AllocId>();
  object.span = json.key("span").idOrNull<SpanId>();
  return object;
}

static VtableEntry readVtableEntry(Json &json) {
  if (json.isString()) {
    if (json.rawText() != "vacant")
      json.failExpected("\"vacant\" or an object");
    return VtableVacant{};
  }
  if (json.hasKey("drop"))
    return VtableDrop{json.key("drop").idOrNull<FunctionId>()};
  if (json.hasKey("size"))
    return VtableSize{json.key("size").u64()};
  if (json.hasKey("align"))
    return VtableAlign{json.key("align").u64()};
  if (json.hasKey("super"))
    return VtableSuper{json.key("super").id<VtableId>()};
  return VtableMethod{json.key("method").id<FunctionId>()};
}

Vtable readVtable(Json &json) {
  Vtable vtable;
  vtable.ty = json.key("ty").id<TypeId>();
  vtable.traitName = json.key("trait").textOrNull();
  json.key("entries").list(vtable.entries, readVtableEntry);
  return vtable;
}

// ---- Constants
// ------------------------------------------------------------------------------------

/// `[alloc, number]`, as three forms of a constant have it.
template <class T> static T readInAlloc(Json &json) {
  AllocId alloc = json.next().id<AllocId>();
  uint64_t number = json.next().u64();
  json.finish();
  return T{alloc, number};
}

static ConstValue readConstValue(Json &json) {
  if (json.isString()) {
    if (json.rawText() != "zst")
      json.failExpected("\"zst\" or an object");
    return ConstZst{};
  }
  if (json.hasKey("scalar"))
    return ConstScalar{json.key("scalar").decimal()};
  if (json.hasKey("undef"))
    return ConstUndef{};
  if (json.hasKey("ptr")) {
    Json pointer = json.key("ptr");
    return readInAlloc<ConstPtr>(pointer);
  }
  if (json.hasKey("slice")) {
    Json slice = json.key("slice");
    return readInAlloc<ConstSlice>(slice);
  }
  Json indirect = json.key("indirect");
  return readInAlloc<ConstIndirect>(indirect);
}

Constant readConstant(Json &json) {
  Constant constant;
  constant.ty = json.key("ty").id<TypeId>();
  Json value = json.key("value");
  constant.value = readConstValue(value);
  constant.span = json.key("span").idOrNull<SpanId>();
  return constant;
}

} // namespace mirgpu::mir
