// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the verifier lets through, lowering takes: examples with changed digits (ids, sizes,
// offsets, values) are refused by the reader, or give diagnostics or valid IR. A failed check of
// ours or a crash ends the test program.
#include "codegen/codegen.h"
#include "mir_reader/read.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/MemoryBuffer.h"

#include <doctest/doctest.h>

#include <random>
#include <variant>

using namespace mirgpu;

static std::string exampleText(const std::string &name) {
  std::string path =
      std::string(MIRGPU_SOURCE_DIR) + "/examples/" + name + "/" + name + ".mir.json";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// The places of decimal digits from the types on; what comes before has no say in lowering.
static std::vector<size_t> digitsOf(const std::string &text) {
  std::vector<size_t> digits;
  for (size_t i = text.find("\"types\":"); i < text.size(); ++i)
    if (text[i] >= '0' && text[i] <= '9')
      digits.push_back(i);
  return digits;
}

/// Reads `text` and lowers what it gives. False if the reader refuses it.
static bool lowers(const std::string &text, const lowering::Target &target) {
  auto program = mir::read(llvm::MemoryBufferRef(text, "test.mir.json"));
  if (!program) {
    llvm::consumeError(program.takeError());
    return false;
  }
  llvm::LLVMContext context;
  Diagnostics diagnostics;
  lowering::lowerModule(*program, context, target, lowering::LowerOptions(), diagnostics);
  return true;
}

TEST_CASE("hostile: changed programs that verify can be lowered") {
  codegen::initialize();
  auto spec = parseTarget("host");
  REQUIRE(std::holds_alternative<TargetSpec>(spec));
  auto target = codegen::createTarget(std::get<TargetSpec>(spec));
  REQUIRE(bool(target));
  std::mt19937 random(4);
  for (const char *name : {"saxpy", "reduce", "interpreter"}) {
    const std::string original = exampleText(name);
    REQUIRE_MESSAGE(!original.empty(), std::string(name));
    CHECK(lowers(original, **target));
    std::vector<size_t> digits = digitsOf(original);
    int lowered = 0;
    for (int i = 0; i < 150; ++i) {
      std::string text = original;
      text[digits[random() % digits.size()]] = static_cast<char>('0' + random() % 10);
      lowered += lowers(text, **target);
    }
    CHECK(lowered > 0);
  }
}
