// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs that the fuzz targets once found (tests/fuzz/found): each is refused by the reader, gives
// diagnostics, or becomes a module that verifies, on every target. A failed check of ours or a
// crash ends the test program.
#include "codegen/codegen.h"
#include "mir_reader/printer.h"
#include "mir_reader/read.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <variant>
#include <vector>

using namespace mirgpu;

static std::vector<std::filesystem::path> found(const std::string &target) {
  std::vector<std::filesystem::path> paths;
  std::error_code missing;
  std::filesystem::directory_iterator folder(
      std::string(MIRGPU_SOURCE_DIR) + "/tests/fuzz/found/" + target, missing);
  for (const auto &entry : folder)
    paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

/// Lowers and expands; an error of codegen is as good as a module.
static void lower(const mir::Program &program, const char *name) {
  auto spec = std::get<TargetSpec>(parseTarget(name));
  auto target = codegen::createTarget(spec);
  REQUIRE(bool(target));
  llvm::LLVMContext context;
  Diagnostics diagnostics;
  auto lowered = lowering::lowerModule(program, context, **target, {}, diagnostics);
  if (diagnostics.hasErrors())
    return;
  codegen::EmitOptions options;
  options.runPasses = false;
  auto emitted = codegen::emit(lowered, spec, options, codegen::EmitKind::LlvmBc);
  if (!emitted)
    CHECK(!llvm::toString(emitted.takeError()).empty());
}

TEST_CASE("found: inputs that once failed are errors, diagnostics or valid modules") {
  codegen::initialize();
  size_t count = 0;
  for (const char *folder : {"reader", "lowering"})
    for (const std::filesystem::path &path : found(folder)) {
      INFO(path.string());
      ++count;
      auto program = mir::readFile(path.string());
      if (!program) {
        CHECK(!llvm::toString(program.takeError()).empty());
        continue;
      }
      llvm::raw_null_ostream nowhere;
      mir::print(*program, nowhere, /*withSpans=*/true);
      for (const char *target : {"host", "sm_90", "gfx1100", "gfx90a"})
        lower(*program, target);
    }
  CHECK(count > 0);
}
