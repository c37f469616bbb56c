// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a relocatable object to a shared one, by lld in this process through temporary files. lld
// keeps global state, so that calls are serialised, and after a crash inside it says that it must
// not run again; then every later call is an error.
#include "codegen/link.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace mirgpu::codegen {

static Error runLld(ArrayRef<const char *> args) {
  static std::mutex mutex;
  static bool unusable = false;
  std::lock_guard<std::mutex> lock(mutex);
  if (unusable)
    return createStringError("the linker crashed before in this process and cannot run again");
  std::string text;
  raw_string_ostream out(text);
  lld::Result result = lld::lldMain(args, out, out, {{lld::Gnu, &lld::elf::link}});
  unusable = !result.canRunAgain;
  if (result.retCode != 0)
    return createStringError("linking failed: " + StringRef(text).trim());
  return Error::success();
}

Expected<std::string> linkShared(StringRef object, const TargetSpec &spec) {
  TimeTraceScope trace("link", spec.name);
  int input = -1;
  SmallString<128> inputPath, outputPath;
  if (std::error_code ec = sys::fs::createTemporaryFile("mirgpu", "o", input, inputPath))
    return createStringError(ec, "cannot make a temporary file: " + ec.message());
  FileRemover removeInput(inputPath);
  raw_fd_ostream inputStream(input, /*shouldClose=*/true);
  inputStream << object;
  inputStream.close();
  if (std::error_code ec = inputStream.error()) {
    inputStream.clear_error();
    return createFileError(inputPath, ec);
  }
  if (std::error_code ec = sys::fs::createTemporaryFile("mirgpu", "so", outputPath))
    return createStringError(ec, "cannot make a temporary file: " + ec.message());
  FileRemover removeOutput(outputPath);
  SmallVector<const char *, 16> args = {"ld.lld", "-shared",     "--build-id=none",
                                        "-z",     "noexecstack", "--threads=1"};
  if (spec.backend == Backend::Amdgpu)
    args.append({"-z", "defs", "--no-undefined"});
  else
    args.append({"--hash-style=gnu", "--gc-sections"});
  args.append({inputPath.c_str(), "-o", outputPath.c_str()});
  if (Error error = runLld(args))
    return std::move(error);
  auto linked =
      MemoryBuffer::getFile(outputPath, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!linked)
    return createFileError(outputPath, linked.getError());
  return (*linked)->getBuffer().str();
}

} // namespace mirgpu::codegen
