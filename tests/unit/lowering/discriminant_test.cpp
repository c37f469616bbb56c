// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What marks a variant in memory: the discriminant's value for a direct tag, an index above the
// niche's start for a niche, nothing for the untagged variant and for types with one variant.
#include "lowering/discriminant.h"

#include <doctest/doctest.h>

using namespace mirgpu;
using lowering::tagOfVariant;

static mir::Scalar tag(uint32_t bits) {
  mir::Scalar scalar;
  scalar.bits = bits;
  scalar.validEnd = (mir::u128(1) << bits) - 1;
  return scalar;
}

static mir::Type enumOf(std::vector<mir::u128> discriminants, mir::Encoding encoding) {
  mir::Type type;
  type.kind = mir::TyAdt{mir::AdtKind::Enum, "E", {}, {}, {}};
  for (mir::u128 discriminant : discriminants)
    type.variants.push_back({"V", discriminant, false, {}});
  type.encoding = std::move(encoding);
  return type;
}

TEST_CASE("discriminant: a direct tag holds the value, not the index") {
  const mir::Type type = enumOf({1, 9, 0xfffb}, mir::EncodingDirect{tag(16), 2});
  const auto second = tagOfVariant(type, 1);
  REQUIRE(second.has_value());
  CHECK(second->offset == 2);
  CHECK(uint64_t(second->bits) == 9);
  CHECK(uint64_t(tagOfVariant(type, 2)->bits) == 0xfffb);
}

TEST_CASE("discriminant: a niche counts from its start and skips the untagged variant") {
  // Four variants; variant 1 holds a value whose bytes 254.. are free: 0 is 254, 2 is 256 = 0.
  mir::EncodingNiche niche{tag(8), 0, /*untagged=*/1, /*startVariant=*/0, /*endVariant=*/3, 254};
  const mir::Type type = enumOf({0, 1, 2, 3}, niche);
  CHECK_FALSE(tagOfVariant(type, 1).has_value());
  CHECK(uint8_t(tagOfVariant(type, 0)->bits) == 254);
  CHECK(uint8_t(tagOfVariant(type, 2)->bits) == 0);
  CHECK(uint8_t(tagOfVariant(type, 3)->bits) == 1);
}

TEST_CASE("discriminant: one variant needs no mark") {
  CHECK_FALSE(tagOfVariant(enumOf({0}, mir::EncodingSingle{0}), 0).has_value());
  CHECK_FALSE(tagOfVariant(enumOf({}, mir::EncodingEmpty{}), 0).has_value());
}
