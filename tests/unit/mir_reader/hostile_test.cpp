// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No text crashes the reader or makes it use memory without bound: truncation at every length,
// flipped bits, huge numbers, deep nesting. Each must give an error or a program that verifies. The
// suite runs these under ASan and UBSan too.
#include "mir_reader/printer.h"
#include "mir_reader/read.h"
#include "mir_reader/verifier.h"
#include "tests/unit/mir_reader/sample.h"

#include <doctest/doctest.h>

#include <random>

using namespace mirgpu::mir;
using namespace mirgpu::mir::test;

/// Reads; a program that comes out must verify and print.
static bool survives(std::string_view text) {
  auto program = readText(text);
  if (!program) {
    std::string error = llvm::toString(program.takeError());
    return error.find("test.mir.json") != std::string::npos;
  }
  llvm::raw_null_ostream nowhere;
  print(*program, nowhere, /*withSpans=*/true);
  return llvm::toString(verify(*program)).empty();
}

TEST_CASE("hostile: a text that ends early is an error at every length") {
  const std::string &text = sampleText();
  for (size_t size = 0; size < text.size(); size += 1 + size / 64) {
    std::string error = readError(std::string_view(text).substr(0, size));
    CHECK_MESSAGE(!error.empty(), size);
  }
  std::string small = R"({"format":{"name":"mirgpu-mir","major":1,"minor":0},"producer":"p"})";
  for (size_t size = 0; size <= small.size(); ++size)
    CHECK_MESSAGE(!readError(std::string_view(small).substr(0, size)).empty(), size);
}

TEST_CASE("hostile: flipped bits give an error or a program that verifies") {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string text = sampleText();
    for (unsigned flips = 1 + random() % 2; flips; --flips)
      text[random() % text.size()] ^= static_cast<char>(1u << random() % 8);
    CHECK_MESSAGE(survives(text), i);
  }
}

TEST_CASE("hostile: changed digits give an error or a program that verifies") {
  std::mt19937 random(2);
  const std::string &original = sampleText();
  std::vector<size_t> digits;
  for (size_t i = 0; i < original.size(); ++i)
    if (original[i] >= '0' && original[i] <= '9')
      digits.push_back(i);
  int alive = 0;
  for (int i = 0; i < 6000; ++i) {
    std::string text = original;
    text[digits[random() % digits.size()]] = static_cast<char>('0' + random() % 10);
    CHECK_MESSAGE(survives(text), i);
    alive += readError(text).empty();
  }
  CHECK(alive > 0);
}

TEST_CASE("hostile: huge numbers are errors, not allocations") {
  struct Case {
    const char *from, *to;
  };
  const Case cases[] = {
      {R"("len":4)", R"("len":1152921504606846976)"},
      {R"("len":4)", R"("len":18446744073709551615)"},
      {R"("undef":[[0,2])", R"("undef":[[0,1152921504606846976])"},
      {R"("relocs":[[8,0]])", R"("relocs":[[18446744073709551615,0]])"},
      {R"("count":4)", R"("count":1152921504606846976)"},
      {R"("arg_count":1)", R"("arg_count":4294967295)"},
      {R"("slice":[0,5])", R"("slice":[0,18446744073709551615])"},
      {R"("indirect":[1,4])", R"("indirect":[1,18446744073709551615])"},
      {R"("size":16,"align":16)", R"("size":18446744073709551615,"align":16)"},
      {R"("bits":128)", R"("bits":4294967295)"},
      {R"("line_spans":[0)", R"("line_spans":[4294967294)"},
  };
  for (const Case &c : cases) {
    INFO(std::string(c.to));
    CHECK(!readError(replaced(sampleText(), c.from, c.to)).empty());
  }
}

TEST_CASE("hostile: deep nesting is an error") {
  std::string open(100000, '['), close(100000, ']');
  CHECK(readError(open + close).find("nest") != std::string::npos);
  CHECK(!readError(open).empty());
  std::string deep =
      replaced(sampleText(), R"("attributes":["no_std"])", R"("attributes":)" + open + close);
  CHECK(readError(deep).find("nest") != std::string::npos);
}

TEST_CASE("hostile: bytes that are no text") {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    std::string text(random() % 300, ' ');
    for (char &c : text)
      c = static_cast<char>(random());
    CHECK(survives(text));
  }
  CHECK(survives(std::string(1000, '\0')));
}
