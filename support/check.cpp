// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/check.h"

#include <cstdio>
#include <cstdlib>

namespace mirgpu {

static void printOnly(const char *file, int line, const char *text) {
  std::fprintf(stderr, "internal error: %s (%s:%d)\n", text, file, line);
}

static CheckHook &currentHook() {
  static constinit CheckHook hook = nullptr;
  return hook;
}

CheckHook setCheckHook(CheckHook hook) {
  CheckHook before = currentHook();
  currentHook() = hook;
  return before;
}

void checkFailed(const char *file, int line, const char *text) {
  CheckHook hook = currentHook();
  currentHook() = nullptr; // a bug inside the hook must not come back here for ever
  (hook ? hook : printOnly)(file, line, text);
  std::fflush(stderr);
  std::_Exit(4);
}

} // namespace mirgpu
