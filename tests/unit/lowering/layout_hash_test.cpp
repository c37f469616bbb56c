// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout hash: equal exactly where a value may cross the launch as bytes, stable, and finite
// for types that hold themselves.
#include "lowering/layout_hash.h"

#include "program_builder.h"

#include <doctest/doctest.h>

using namespace lowering_test;
using mirgpu::lowering::layoutHash;

TEST_CASE("the hash tells layouts apart") {
  ProgramBuilder b;
  const TypeId i32 = b.integer(32, true);
  const TypeId ab = b.structure("Ab", {{b.u32, 0}, {b.f32, 4}}, 8, 4);
  const TypeId ba = b.structure("Ba", {{b.u32, 4}, {b.f32, 0}}, 8, 4);
  const TypeId padded = b.structure("Padded", {{b.u32, 0}, {b.f32, 8}}, 16, 8);
  const TypeId wide = b.structure("Wide", {{b.u32, 0}, {b.f32, 4}}, 16, 16);
  std::vector<TypeId> all = {b.u32,
                             i32,
                             b.f32,
                             b.u64,
                             ab,
                             ba,
                             padded,
                             wide,
                             b.arrayOf(b.u32, 2),
                             b.arrayOf(b.u32, 3),
                             b.strRef,
                             b.pointer,
                             b.refTo(b.u32)};
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      CHECK(layoutHash(b.program, all[i]) != layoutHash(b.program, all[j]));
}

TEST_CASE("names and fields without bytes do not count") {
  ProgramBuilder b;
  const TypeId one = b.structure("One", {{b.u32, 0}, {b.f32, 4}}, 8, 4);
  const TypeId two = b.structure("Two", {{b.u32, 0}, {b.unit, 0}, {b.f32, 4}}, 8, 4);
  CHECK(layoutHash(b.program, one) == layoutHash(b.program, two));
}

TEST_CASE("a wrapper is what it wraps, unless its alignment differs") {
  ProgramBuilder b;
  const TypeId wrapper = b.structure("Wrapper", {{b.unit, 0}, {b.f32, 0}}, 4, 4);
  const TypeId twice = b.structure("Twice", {{wrapper, 0}}, 4, 4);
  const TypeId aligned = b.structure("Aligned", {{b.f32, 0}}, 16, 16);
  CHECK(layoutHash(b.program, wrapper) == layoutHash(b.program, b.f32));
  CHECK(layoutHash(b.program, twice) == layoutHash(b.program, b.f32));
  CHECK(layoutHash(b.program, aligned) != layoutHash(b.program, b.f32));
}

TEST_CASE("a type that points to itself") {
  ProgramBuilder b;
  const TypeId node = b.structure("Node", {}, 16, 8);
  const TypeId link = b.refTo(node);
  b.program.types[node].variants[0].fields = {{{}, b.u64, 0}, {{}, link, 8}};
  const uint64_t first = layoutHash(b.program, node);
  CHECK(first == layoutHash(b.program, node));
  CHECK(first != layoutHash(b.program, link));
}

TEST_CASE("a small program can describe a type with 2^60 parts, or a pointer to a pointer …") {
  ProgramBuilder b;
  TypeId pairs = b.u8, links = b.u8;
  for (uint64_t i = 0; i < 60; ++i)
    pairs = b.structure("Pair", {{pairs, 0}, {pairs, uint64_t(1) << i}}, uint64_t(2) << i, 1);
  for (int i = 0; i < 100000; ++i)
    links = b.refTo(links);
  CHECK(layoutHash(b.program, pairs) != layoutHash(b.program, links));
}

TEST_CASE("the encoding is fixed: the values of version 1") {
  ProgramBuilder b;
  CHECK(layoutHash(b.program, b.f32) == 11695820984882956991ull);
  CHECK(layoutHash(b.program, b.u32) == 2596745979839608466ull);
  CHECK(layoutHash(b.program, b.u64) == 2736834920422999187ull);
}
