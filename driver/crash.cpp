// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bug report. It is written once: a second failure while reporting ends the process at once.
#include "driver/crash.h"

#include "driver/driver.h"
#include "lowering/lower.h"
#include "support/check.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cstdlib>

namespace mirgpu::driver {

namespace {
struct CrashState {
  std::vector<std::string> argv;
  std::string mirPath;
  std::string kernel;
  std::atomic<bool> reporting = false;
};
} // namespace

static CrashState &state() {
  static CrashState theState;
  return theState;
}

static std::string writeReproducer() {
  if (state().mirPath.empty())
    return "";
  llvm::SmallString<64> path;
  if (llvm::sys::fs::createUniqueFile("mirgpu-crash-%%%%%%.mir.json", path) ||
      llvm::sys::fs::copy_file(state().mirPath, path))
    return "";
  return path.str().str();
}

static void printReport(const std::string &what) {
  llvm::raw_ostream &out = llvm::errs();
  out << "internal error: " << what << '\n';
  if (std::string location = lowering::currentLocation(); !location.empty())
    out << "  while lowering " << location << '\n';
  out << "  this is a bug of mirgpu " << kVersion << " (LLVM " << LLVM_VERSION_STRING
      << "); please report it\n";
  std::string reproducer = writeReproducer();
  if (!reproducer.empty())
    out << "  reproducer written to " << reproducer << '\n';
  out << "  command: " << llvm::join(state().argv, " ") << '\n';
  if (!reproducer.empty()) {
    out << "  reproduce: mirgpu compile " << reproducer;
    for (const std::string &argument : state().argv)
      if (llvm::StringRef(argument).starts_with("--target") ||
          llvm::StringRef(argument).starts_with("-O") ||
          llvm::StringRef(argument).starts_with("--emit"))
        out << ' ' << argument;
    out << '\n';
  }
  out.flush();
}

[[noreturn]] static void finish(const std::string &what) {
  if (!state().reporting.exchange(true))
    printReport(what);
  std::_Exit(static_cast<int>(ExitCode::Bug));
}

static void onCheck(const char *file, int line, const char *text) {
  finish(std::string(text) + " (" + file + ":" + std::to_string(line) + ")");
}

static void onFatalError(void *, const char *reason, bool) {
  finish(std::string("LLVM: ") + reason);
}

static void onSignal(void *) {
  if (!state().kernel.empty()) {
    llvm::errs() << "error: kernel `" << state().kernel
                 << "` accessed memory that is not mapped, or ran an invalid instruction\n";
    llvm::errs().flush();
    std::_Exit(static_cast<int>(ExitCode::Program));
  }
  finish("a signal ended the process");
}

void installCrashReports(std::vector<std::string> argv) {
  state().argv = std::move(argv);
  setCheckHook(onCheck);
  llvm::install_fatal_error_handler(onFatalError);
  llvm::sys::AddSignalHandler(onSignal, nullptr);
}

void setReproducer(llvm::StringRef mirPath) { state().mirPath = mirPath.str(); }
void setRunningKernel(llvm::StringRef kernel) { state().kernel = kernel.str(); }

} // namespace mirgpu::driver
