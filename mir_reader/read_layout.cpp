// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the layout part of a type's JSON (`repr`, `encoding`, `variants`) and tool attributes to the
// model. Values are taken as they stand; whether they make a sane layout is verify_layout.cpp's
// question.
#include "mir_reader/read_parts.h"

namespace mirgpu::mir {

Scalar readScalar(Json &json) {
  Scalar scalar;
  Json prim = json.key("prim");
  scalar.primitive = prim.word<Primitive>();
  scalar.bits = json.key("bits").u32();
  if (scalar.primitive == Primitive::Int)
    scalar.isSigned = json.key("signed").boolean();
  if (scalar.primitive == Primitive::Pointer)
    scalar.addressSpace = json.key("space").u32();
  Json valid = json.key("valid");
  scalar.validStart = valid.next().decimal();
  scalar.validEnd = valid.next().decimal();
  valid.finish();
  scalar.isInit = json.key("init").boolean();
  return scalar;
}

/// The scalar under `name`.
static Scalar scalarAt(Json &json, std::string_view name) {
  Json scalar = json.key(name);
  return readScalar(scalar);
}

Repr readRepr(Json &json) {
  Json kind = json.key("kind");
  std::string_view word = kind.rawText();
  if (word == "scalar")
    return ReprScalar{scalarAt(json, "scalar")};
  if (word == "pair") {
    ReprPair pair;
    pair.a = scalarAt(json, "a");
    pair.b = scalarAt(json, "b");
    pair.bOffset = json.key("b_offset").u64();
    return pair;
  }
  if (word == "vector") {
    ReprVector vector;
    vector.scalar = scalarAt(json, "scalar");
    vector.count = json.key("count").u64();
    return vector;
  }
  if (word != "memory")
    kind.failExpected("one of scalar, pair, vector, memory");
  return ReprMemory{json.key("sized").boolean()};
}

Encoding readEncoding(Json &json) {
  Json kind = json.key("kind");
  std::string_view word = kind.rawText();
  if (word == "single")
    return EncodingSingle{json.key("variant").u32()};
  if (word == "empty")
    return EncodingEmpty{};
  if (word == "direct") {
    EncodingDirect direct;
    direct.tag = scalarAt(json, "tag");
    direct.tagOffset = json.key("tag_offset").u64();
    return direct;
  }
  if (word != "niche")
    kind.failExpected("one of single, empty, direct, niche");
  EncodingNiche niche;
  niche.tag = scalarAt(json, "tag");
  niche.tagOffset = json.key("tag_offset").u64();
  niche.untagged = json.key("untagged").u32();
  niche.startVariant = json.key("start_variant").u32();
  niche.endVariant = json.key("end_variant").u32();
  niche.nicheStart = json.key("niche_start").decimal();
  return niche;
}

static Field readField(Json &json) {
  Field field;
  field.name = json.key("name").text();
  field.ty = json.key("ty").id<TypeId>();
  field.offset = json.key("offset").u64();
  return field;
}

static Variant readVariant(Json &json) {
  Variant variant;
  variant.name = json.key("name").text();
  variant.discr = json.key("discr").decimal();
  variant.uninhabited = json.key("uninhabited").boolean();
  json.key("fields").list(variant.fields, readField);
  return variant;
}

std::vector<Variant> readVariants(Json &json) {
  std::vector<Variant> variants;
  json.list(variants, readVariant);
  return variants;
}

GenericArg readGenericArg(Json &json) {
  GenericArg argument;
  argument.ty = json.key("ty").id<TypeId>();
  if (json.hasKey("const"))
    argument.constant = json.key("const").decimal();
  return argument;
}

ToolAttr readToolAttr(Json &json) {
  ToolAttr attribute;
  attribute.path = json.key("path").text();
  Json args = json.key("args");
  args.texts(attribute.args);
  return attribute;
}

std::vector<ToolAttr> readToolAttrs(Json &json) {
  std::vector<ToolAttr> attributes;
  json.list(attributes, readToolAttr);
  return attributes;
}

} // namespace mirgpu::mir
