// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every command of `mirgpu` shares: the exit codes of DESIGN §5, the two classes of error that
// decide between them, and `Driver`, the options that all commands take. An llvm::Error that is
// none of ours is the world's fault (exit code 3).
#pragma once

#include "support/diagnostics.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <string>
#include <vector>

namespace mirgpu::driver {

inline constexpr llvm::StringLiteral kVersion = MIRGPU_VERSION;

enum class ExitCode : int {
  Right = 0,
  Program = 1, ///< the user's program: diagnostics, a panic, a wrong result of `--check`
  Usage = 2,
  World = 3, ///< a file, a tool, a device
  Bug = 4,
};

/// A command line that makes no sense; the text names the option. Exit code 2.
class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  static char ID;
  explicit UsageError(std::string text) : text_(std::move(text)) {}
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string text_;
};

/// The user's program is at fault and no diagnostic of the compiler says it: a panic at run time, a
/// refused launch, a rustc error that the exporter has printed (then the text is empty). Exit
/// code 1.
class ProgramError : public llvm::ErrorInfo<ProgramError> {
public:
  static char ID;
  explicit ProgramError(std::string text) : text_(std::move(text)) {}
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;
  const std::string &text() const { return text_; }

private:
  std::string text_;
};

llvm::Error usageError(const llvm::Twine &text);
llvm::Error programError(const llvm::Twine &text);
/// The world's fault.
llvm::Error worldError(const llvm::Twine &text);

enum class ErrorFormat : uint8_t { Human, Json };

struct Driver {
  bool verbose = false;
  ErrorFormat errorFormat = ErrorFormat::Human;
  std::string executable; ///< path of the running `mirgpu`

  /// One line on standard error, with `-v` alone.
  void log(const llvm::Twine &text) const;
  /// Prints `error` once, in the chosen format, and returns its exit code.
  ExitCode report(llvm::Error error) const;
};

/// One named step: shown with its time under `-v`, and a section of `--time-trace`.
class Step {
public:
  Step(const Driver &driver, llvm::StringRef name, llvm::StringRef detail);
  ~Step();
  Step(const Step &) = delete;
  Step &operator=(const Step &) = delete;

private:
  const Driver &driver_;
  std::string text_;
  std::chrono::steady_clock::time_point start_;
};

/// Writes `bytes` to `path`; `-` is standard output.
llvm::Error writeOutput(llvm::StringRef path, llvm::StringRef bytes);
/// The bytes of a file; the error names it.
llvm::Expected<std::string> readFileBytes(llvm::StringRef path);

} // namespace mirgpu::driver
