// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/harness.h"

#include "support/check.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstdio>
#include <cstdlib>

namespace mirgpu::fuzz {

static uint64_t inputs, accepted;

static void printShare() {
  std::fprintf(stderr, "inputs: %llu, accepted: %llu (%.1f%%)\n",
               static_cast<unsigned long long>(inputs), static_cast<unsigned long long>(accepted),
               inputs ? 100.0 * static_cast<double>(accepted) / static_cast<double>(inputs) : 0.0);
}

void initialize() {
  setCheckHook([](const char *file, int line, const char *text) {
    std::fprintf(stderr, "internal error: %s (%s:%d)\n", text, file, line);
    std::abort();
  });
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) {
    std::fprintf(stderr, "LLVM ends the process: %s\n", reason);
    std::abort();
  });
  std::atexit(printShare);
}

void count(bool wasAccepted) {
  ++inputs;
  accepted += wasAccepted;
}

} // namespace mirgpu::fuzz
