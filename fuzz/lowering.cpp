// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes lowering and what codegen does before LLVM's passes: a program that the reader takes gives
// diagnostics, an error of codegen, or a module that LLVM's verifier takes, on every target. What
// the reader refuses is no new seed, so that the corpus stays one of programs.
#include "codegen/codegen.h"
#include "fuzz/harness.h"
#include "fuzz/json_mutator.h"
#include "mir_reader/read.h"
#include "support/target_spec.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <variant>
#include <vector>

using namespace mirgpu;

namespace {
struct FuzzTarget {
  TargetSpec spec;
  std::unique_ptr<lowering::Target> target;
};
} // namespace

static std::vector<FuzzTarget> &targets() {
  static std::vector<FuzzTarget> all;
  return all;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  fuzz::initialize();
  codegen::initialize();
  for (const char *name : {"host:x86-64-v3", "sm_90", "gfx1100", "gfx90a"}) {
    auto spec = std::get<TargetSpec>(parseTarget(name));
    auto target = codegen::createTarget(spec);
    if (!target) { // a host of another architecture
      llvm::consumeError(target.takeError());
      continue;
    }
    targets().push_back({std::move(spec), std::move(*target)});
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  auto text = fuzz::mutateJson(fuzz::asText(data, size), maxSize, seed);
  if (!text)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, text->data(), text->size());
  return text->size();
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t oneSize,
                                            const uint8_t *other, size_t otherSize, uint8_t *out,
                                            size_t maxSize, unsigned seed) {
  auto text =
      fuzz::spliceJson(fuzz::asText(one, oneSize), fuzz::asText(other, otherSize), maxSize, seed);
  if (!text)
    return 0;
  std::memcpy(out, text->data(), text->size());
  return text->size();
}

/// A number that the input decides and that changes with each of its bytes.
static size_t digest(const uint8_t *data, size_t size) {
  uint32_t hash = 2166136261;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ data[i]) * 16777619;
  return hash >> 8;
}

/// With `keepGoing` kernels without errors are emitted where others have some.
static void lower(const mir::Program &program, const FuzzTarget &target, bool contract,
                  bool keepGoing) {
  llvm::LLVMContext context;
  Diagnostics diagnostics;
  lowering::LowerOptions options;
  options.fpContract = contract;
  options.keepGoing = keepGoing;
  lowering::LoweredModule lowered =
      lowering::lowerModule(program, context, *target.target, options, diagnostics);
  if (diagnostics.hasErrors() && (!keepGoing || lowered.kernels.empty()))
    return;
  codegen::EmitOptions emit;
  emit.runPasses = false;
  auto emitted = codegen::emit(lowered, target.spec, emit, codegen::EmitKind::LlvmBc);
  if (!emitted && llvm::toString(emitted.takeError()).empty())
    std::abort(); // an error without a text
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > fuzz::kMaxInputBytes)
    return -1;
  auto program = mir::read(llvm::MemoryBufferRef(fuzz::asText(data, size), "fuzz.mir.json"));
  fuzz::count(bool(program));
  if (!program) {
    llvm::consumeError(program.takeError());
    return -1;
  }
  const size_t choice = digest(data, size);
  lower(*program, targets()[choice % targets().size()], choice / 16 % 2 != 0, choice / 32 % 2 != 0);
  return 0;
}
