// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an element of `types` to mir::Type: the kind with its own keys, then what all types share.
#include "mir_reader/read_parts.h"

#include <algorithm>

namespace mirgpu::mir {

static std::optional<PointeeInfo> readPointeeInfo(Json &json) {
  if (json.isNull())
    return std::nullopt;
  PointeeInfo info;
  info.size = json.key("size").u64();
  info.align = json.key("align").u64();
  Json safety = json.key("safe");
  if (!safety.isNull())
    info.safety = safety.word<PointerSafety>();
  return info;
}

static TypeKind readPointer(Json &json, bool isRef) {
  TyPointer pointer;
  pointer.isRef = isRef;
  pointer.pointee = json.key("pointee").id<TypeId>();
  pointer.isMutable = json.key("mutable").boolean();
  Json info = json.key("pointee_info");
  pointer.info = readPointeeInfo(info);
  return pointer;
}

static TypeKind readAdt(Json &json, AdtKind kind) {
  TyAdt adt;
  adt.kind = kind;
  adt.def = json.key("def").text();
  json.key("args").list(adt.args, readGenericArg);
  json.key("flags").texts(adt.flags);
  if (kind == AdtKind::Enum)
    adt.discrTy = json.key("discr_ty").id<TypeId>();
  return adt;
}

static TypeKind readClosure(Json &json, ClosureKind kind) {
  TyClosure closure;
  closure.kind = kind;
  closure.def = json.key("def").text();
  if (kind == ClosureKind::Coroutine)
    closure.discrTy = json.key("discr_ty").id<TypeId>();
  return closure;
}

static TypeKind readFnPtr(Json &json) {
  TyFnPtr pointer;
  json.key("inputs").ids(pointer.inputs);
  pointer.output = json.key("output").id<TypeId>();
  pointer.abi = json.key("abi").text();
  pointer.isUnsafe = json.key("unsafe").boolean();
  pointer.isVariadic = json.key("variadic").boolean();
  return pointer;
}

static TypeKind readInt(Json &json) {
  TyInt integer;
  integer.isSigned = json.key("signed").boolean();
  integer.bits = json.key("bits").u32();
  return integer;
}

static TypeKind readArray(Json &json) {
  TyArray array;
  array.elem = json.key("elem").id<TypeId>();
  array.len = json.key("len").u64();
  return array;
}

namespace {
struct KindReader {
  std::string_view word;
  TypeKind (*read)(Json &json);
};
} // namespace

static constexpr KindReader kindReaders[] = {
    {"bool", [](Json &) -> TypeKind { return TyBool{}; }},
    {"char", [](Json &) -> TypeKind { return TyChar{}; }},
    {"str", [](Json &) -> TypeKind { return TyStr{}; }},
    {"never", [](Json &) -> TypeKind { return TyNever{}; }},
    {"foreign", [](Json &) -> TypeKind { return TyForeign{}; }},
    {"int", readInt},
    {"float", [](Json &json) -> TypeKind { return TyFloat{json.key("bits").u32()}; }},
    {"array", readArray},
    {"slice", [](Json &json) -> TypeKind { return TySlice{json.key("elem").id<TypeId>()}; }},
    {"tuple", [](Json &) -> TypeKind { return TyTuple{}; }},
    {"struct", [](Json &json) { return readAdt(json, AdtKind::Struct); }},
    {"union", [](Json &json) { return readAdt(json, AdtKind::Union); }},
    {"enum", [](Json &json) { return readAdt(json, AdtKind::Enum); }},
    {"closure", [](Json &json) { return readClosure(json, ClosureKind::Closure); }},
    {"coroutine", [](Json &json) { return readClosure(json, ClosureKind::Coroutine); }},
    {"coroutine_closure",
     [](Json &json) { return readClosure(json, ClosureKind::CoroutineClosure); }},
    {"raw_ptr", [](Json &json) { return readPointer(json, false); }},
    {"ref", [](Json &json) { return readPointer(json, true); }},
    {"fn_def",
     [](Json &json) -> TypeKind { return TyFnDef{json.key("function").idOrNull<FunctionId>()}; }},
    {"fn_ptr", readFnPtr},
    {"dyn", [](Json &json) -> TypeKind { return TyDyn{json.key("principal").textOrNull()}; }},
    {"pattern", [](Json &json) -> TypeKind { return TyPattern{json.key("base").id<TypeId>()}; }},
    {"unsafe_binder",
     [](Json &json) -> TypeKind { return TyUnsafeBinder{json.key("inner").id<TypeId>()}; }},
};

/// The part of a type's object that depends on its kind.
static TypeKind readKind(Json &json, Json &kind) {
  std::string_view word = kind.rawText();
  const auto *reader = std::ranges::find(kindReaders, word, &KindReader::word);
  if (reader != std::end(kindReaders))
    return reader->read(json);
  kind.failExpected("a kind of type");
  return TyTuple{};
}

static std::optional<Unsized> readUnsized(Json &json) {
  if (json.isNull())
    return std::nullopt;
  Unsized result;
  result.metadata = json.key("metadata").word<Metadata>();
  result.tail = json.key("tail").id<TypeId>();
  return result;
}

Type readType(Json &json) {
  Type type;
  Json kind = json.key("kind");
  type.name = json.key("name").text();
  type.kind = readKind(json, kind);
  type.size = json.key("size").u64();
  type.align = json.key("align").u64();
  Json repr = json.key("repr");
  type.repr = readRepr(repr);
  Json encoding = json.key("encoding");
  type.encoding = readEncoding(encoding);
  type.uninhabited = json.key("uninhabited").boolean();
  type.freeze = json.key("freeze").boolean();
  Json unsizedTail = json.key("unsized");
  type.unsizedTail = readUnsized(unsizedTail);
  Json variants = json.key("variants");
  type.variants = readVariants(variants);
  Json attributes = json.key("tool_attrs");
  type.toolAttrs = readToolAttrs(attributes);
  type.span = json.key("span").idOrNull<SpanId>();
  return type;
}

} // namespace mirgpu::mir
