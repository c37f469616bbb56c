// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CHECK: the third kind of failure (DESIGN D9), a bug of ours. It stays on in release builds. The
// driver installs a hook that prints the MIR function and span being lowered and writes a
// reproducer; without a hook the text alone is printed.
#pragma once

namespace mirgpu {

/// Called once with the text of a failed CHECK, before the process ends. Must not return to the
/// failed code by throwing.
using CheckHook = void (*)(const char *file, int line, const char *text);

/// Installs `hook` (null: the default, which prints) and returns the one before. Not thread-safe:
/// call it at start-up.
CheckHook setCheckHook(CheckHook hook);

/// Reports a bug of ours and ends the process with exit code 4.
[[noreturn]] void checkFailed(const char *file, int line, const char *text);

} // namespace mirgpu

/// Ends the process with a bug report unless `cond` holds. Never used for what a user's program or
/// the world can cause.
#define MIRGPU_CHECK(cond, text)                                                                   \
  do {                                                                                             \
    if (!(cond)) [[unlikely]]                                                                      \
      ::mirgpu::checkFailed(__FILE__, __LINE__, text);                                             \
  } while (false)
