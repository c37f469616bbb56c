// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors to exit codes and texts, steps to lines of `-v`, bytes to files. After `report` an error
// has been printed exactly once.
#include "driver/driver.h"

#include "codegen/codegen.h"
#include "driver/render.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

namespace mirgpu::driver {

char UsageError::ID = 0;
char ProgramError::ID = 0;

void UsageError::log(llvm::raw_ostream &out) const { out << text_; }
std::error_code UsageError::convertToErrorCode() const {
  return std::make_error_code(std::errc::invalid_argument);
}
void ProgramError::log(llvm::raw_ostream &out) const { out << text_; }
std::error_code ProgramError::convertToErrorCode() const {
  return std::make_error_code(std::errc::operation_canceled);
}

llvm::Error usageError(const llvm::Twine &text) { return llvm::make_error<UsageError>(text.str()); }
llvm::Error programError(const llvm::Twine &text) {
  return llvm::make_error<ProgramError>(text.str());
}
llvm::Error worldError(const llvm::Twine &text) {
  return llvm::createStringError(std::make_error_code(std::errc::io_error), text);
}

void Driver::log(const llvm::Twine &text) const {
  if (verbose)
    llvm::errs() << text << '\n';
}

static void printPlain(const Driver &driver, llvm::StringRef text) {
  if (driver.errorFormat == ErrorFormat::Json)
    llvm::errs() << renderPlainJson("error", text) << '\n';
  else
    llvm::errs() << "error: " << text << '\n';
}

ExitCode Driver::report(llvm::Error error) const {
  ExitCode worst = ExitCode::Right;
  auto note = [&](ExitCode code) { worst = std::max(worst, code); };
  llvm::handleAllErrors(
      std::move(error),
      [&](const UsageError &usage) {
        note(ExitCode::Usage);
        printPlain(*this, usage.message());
        if (errorFormat == ErrorFormat::Human)
          llvm::errs()
              << "  `mirgpu --help` lists commands, `mirgpu COMMAND --help` their options\n";
      },
      [&](const ProgramError &fault) {
        note(ExitCode::Program);
        if (!fault.text().empty())
          printPlain(*this, fault.text());
      },
      [&](const codegen::AssemblyError &fault) {
        note(ExitCode::Program);
        printPlain(*this, fault.message());
      },
      [&](const llvm::ErrorInfoBase &other) {
        note(ExitCode::World);
        printPlain(*this, other.message());
      });
  return worst;
}

Step::Step(const Driver &driver, llvm::StringRef name, llvm::StringRef detail)
    : driver_(driver), text_(detail.empty() ? name.str() : (name + " " + detail).str()),
      start_(std::chrono::steady_clock::now()) {
  if (llvm::timeTraceProfilerEnabled())
    llvm::timeTraceProfilerBegin(name, detail);
}

Step::~Step() {
  if (llvm::timeTraceProfilerEnabled())
    llvm::timeTraceProfilerEnd();
  if (!driver_.verbose)
    return;
  std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start_;
  llvm::errs() << llvm::format("%9.2f ms  ", spent.count()) << text_ << '\n';
}

llvm::Error writeOutput(llvm::StringRef path, llvm::StringRef bytes) {
  if (path == "-") {
    llvm::outs() << bytes;
    llvm::outs().flush();
    return llvm::Error::success();
  }
  std::error_code code;
  llvm::ToolOutputFile file(path, code, llvm::sys::fs::OpenFlags::OF_None);
  if (code)
    return llvm::createFileError(path, code);
  file.os() << bytes;
  file.os().flush();
  if (file.os().has_error()) {
    std::error_code failed = file.os().error();
    file.os().clear_error();
    return llvm::createFileError(path, failed);
  }
  file.keep();
  return llvm::Error::success();
}

llvm::Expected<std::string> readFileBytes(llvm::StringRef path) {
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createFileError(path, buffer.getError());
  return (*buffer)->getBuffer().str();
}

} // namespace mirgpu::driver
