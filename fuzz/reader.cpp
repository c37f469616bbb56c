// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes mir_reader: any bytes give an error or a program that verifies and can be printed. Every
// second mutation is of the bytes, the others are of the JSON values, which get further.
#include "fuzz/harness.h"
#include "fuzz/json_mutator.h"
#include "mir_reader/printer.h"
#include "mir_reader/read.h"
#include "mir_reader/verifier.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>

using namespace mirgpu;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  fuzz::initialize();
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  if (seed % 2)
    if (auto text = fuzz::mutateJson(fuzz::asText(data, size), maxSize, seed)) {
      std::memcpy(data, text->data(), text->size());
      return text->size();
    }
  return LLVMFuzzerMutate(data, size, maxSize);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > fuzz::kMaxInputBytes)
    return -1;
  auto program = mir::read(llvm::MemoryBufferRef(fuzz::asText(data, size), "fuzz.mir.json"));
  fuzz::count(bool(program));
  if (!program) {
    if (llvm::toString(program.takeError()).empty())
      std::abort(); // an error without a text
    return 0;
  }
  llvm::raw_null_ostream nowhere;
  mir::print(*program, nowhere, /*withSpans=*/true);
  if (llvm::Error error = mir::verify(*program)) {
    llvm::errs() << "a program that was read does not verify: " << llvm::toString(std::move(error))
                 << '\n';
    std::abort();
  }
  return 0;
}
