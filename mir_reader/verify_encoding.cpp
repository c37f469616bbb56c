// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of how a type says which variant it holds: tag inside the type and part of its
// representation, variants in range, discriminants distinct.
#include "mir_reader/verify_context.h"
#include "mir_reader/verify_shape.h"

#include "support/match.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace mirgpu::mir {

/// The tag lies inside the type, and where the type is kept as scalars, it is one of them.
static void verifyTag(Verifier &v, const Type &type, const Scalar &tag, uint64_t offset) {
  if (!verifyScalar(v, tag))
    return;
  uint64_t size = tag.bits / 8;
  v.check(offset <= type.size && size <= type.size - offset, "the tag must lie inside the type");
  v.check(tag.primitive != Primitive::Float, "a tag must be an integer or pointer");
  v.check(match(
              type.repr,
              [&](const ReprScalar &repr) { return offset == 0 && scalarFits(repr.scalar, tag); },
              [&](const ReprPair &repr) {
                return (offset == 0 && scalarFits(repr.a, tag)) ||
                       (offset == repr.bOffset && scalarFits(repr.b, tag));
              },
              [](const ReprVector &) { return false; },
              [](const ReprMemory &repr) { return repr.isSized; }),
          "the tag is no part of the type's representation");
}

static void verifyDirect(Verifier &v, const Type &type, const EncodingDirect &direct) {
  verifyTag(v, type, direct.tag, direct.tagOffset);
  if (v.failed())
    return;
  v.check(direct.tag.primitive == Primitive::Int, "a direct tag must be an integer");
  v.check(!type.variants.empty(), "a type with a tag must have a variant");
  std::vector<u128> tags;
  for (const Variant &variant : type.variants)
    tags.push_back(variant.discr & maxOfBits(direct.tag.bits));
  llvm::sort(tags);
  v.check(std::ranges::adjacent_find(tags) == tags.end(), "two variants have the same tag");
}

static void verifyNiche(Verifier &v, const Type &type, const EncodingNiche &niche) {
  verifyTag(v, type, niche.tag, niche.tagOffset);
  size_t count = type.variants.size();
  v.check(niche.untagged < count && niche.startVariant <= niche.endVariant &&
              niche.endVariant < count,
          "the niche names a variant that does not exist");
  v.check(niche.nicheStart <= maxOfBits(niche.tag.bits), "the niche does not fit the tag");
  v.check(niche.endVariant - niche.startVariant <= maxOfBits(std::min(niche.tag.bits, 32u)),
          "the niche has more variants than the tag has values");
}

/// The discriminants of an enum or coroutine fit their type.
static void verifyDiscriminants(Verifier &v, const Type &type) {
  u128 max = maxOfBits(std::get<TyInt>(v.program.types[discriminantType(type)].kind).bits);
  for (size_t i = 0; i < type.variants.size(); ++i)
    v.check(type.variants[i].discr <= max,
            "the discriminant of variant " + llvm::Twine(i) + " does not fit its type");
}

void verifyEncoding(Verifier &v, const Type &type) {
  bool isMulti = isMultiVariant(type);
  if (isMulti)
    verifyDiscriminants(v, type);
  Verifier::At at(v, "encoding");
  match(
      type.encoding,
      [&](const EncodingSingle &single) {
        v.check(isMulti ? single.variant < type.variants.size() : single.variant == 0,
                "no variant " + llvm::Twine(single.variant));
      },
      [&](const EncodingEmpty &) {
        v.check(type.uninhabited, "only a type without values may have an empty encoding");
      },
      [&](const EncodingDirect &direct) {
        v.check(isMulti, "only enums and coroutines have a tag");
        verifyDirect(v, type, direct);
      },
      [&](const EncodingNiche &niche) {
        v.check(isMulti, "only enums and coroutines have a niche");
        verifyNiche(v, type, niche);
      });
}

} // namespace mirgpu::mir
