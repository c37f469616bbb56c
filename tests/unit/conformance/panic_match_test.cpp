// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/conformance/panic_match.h"

#include <doctest/doctest.h>

using mirgpu::conformance::panicContains;

TEST_CASE("expected text of a panic without holes") {
  CHECK(panicContains("index out of bounds", "out of", false));
  CHECK(panicContains("anything", "", false));
  CHECK_FALSE(panicContains("index out of bounds", "out off", false));
  CHECK_FALSE(panicContains("", "x", false));
}

TEST_CASE("a hole stands for any text, but proves nothing by itself") {
  CHECK(panicContains("called on an `Err` value: {}", "`Err` value: LayoutError", false));
  CHECK(panicContains("{} of {}", "3 of 4", false));
  CHECK(panicContains("{}", "whatever", false));
  CHECK_FALSE(panicContains("mid > len: {}", "attempt to divide", false));
  CHECK_FALSE(panicContains("len: {}", "lens: 4", false));
}

TEST_CASE("a text that was cut may go on") {
  CHECK(panicContains("a long mess", "mess of words", true));
  CHECK_FALSE(panicContains("a long mess", "mess of words", false));
  CHECK_FALSE(panicContains("a long mess", "other words", true));
}
