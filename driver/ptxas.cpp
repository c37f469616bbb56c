// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs `ptxas -v` and reads its report: for each entry a line "Compiling entry function 'NAME' for
// 'sm_90'", then lines with numbers before "bytes stack frame", "bytes spill stores", "registers",
// "bytes smem".
#include "driver/ptxas.h"

#include "driver/pipeline.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"

#include <cstdlib>

namespace mirgpu::driver {

std::string findPtxas() {
  if (const char *named = std::getenv("MIRGPU_PTXAS"); named && *named)
    return llvm::sys::fs::can_execute(named) ? named : "";
  return findInPath("ptxas");
}

/// The number that stands before `words` in `line`; 0 if they are not there.
static uint32_t numberBefore(llvm::StringRef line, llvm::StringRef words) {
  size_t at = line.find(words);
  if (at == llvm::StringRef::npos)
    return 0;
  llvm::StringRef before = line.take_front(at).rtrim();
  uint32_t number = 0;
  before = before.take_back(before.size() - (before.find_last_not_of("0123456789") + 1));
  return before.getAsInteger(10, number) ? 0 : number;
}

static std::map<std::string, PtxasUse> parseReport(llvm::StringRef report) {
  std::map<std::string, PtxasUse> uses;
  PtxasUse *current = nullptr;
  llvm::SmallVector<llvm::StringRef> lines;
  report.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (size_t at = line.find("Compiling entry function '"); at != llvm::StringRef::npos) {
      llvm::StringRef name = line.drop_front(at).split('\'').second.split('\'').first;
      current = &uses[name.str()];
    }
    // A function that an entry calls has a report of its own.
    if (size_t at = line.find("Function properties for "); at != llvm::StringRef::npos) {
      auto it = uses.find(line.drop_front(at).drop_front(24).trim().str());
      current = it == uses.end() ? nullptr : &it->second;
    }
    if (!current)
      continue;
    current->stackBytes += numberBefore(line, " bytes stack frame");
    current->spillBytes +=
        numberBefore(line, " bytes spill stores") + numberBefore(line, " bytes spill loads");
    current->registers += numberBefore(line, " registers");
    current->sharedBytes += numberBefore(line, " bytes smem");
  }
  return uses;
}

llvm::Expected<std::map<std::string, PtxasUse>> assemble(const Driver &driver,
                                                         const std::string &ptxas,
                                                         llvm::StringRef target,
                                                         llvm::StringRef ptx) {
  auto file = TemporaryFile::create("mirgpu", "ptx");
  if (!file)
    return file.takeError();
  if (llvm::Error error = writeOutput(file->path(), ptx))
    return error;
  Command command{
      ptxas, {"-v", "-arch=" + target.str(), "-o", "/dev/null", file->path()}, {}, true};
  auto finished = runProcess(driver, command);
  if (!finished)
    return finished.takeError();
  if (finished->exitCode != 0)
    return worldError("ptxas refuses the PTX for " + target + ":\n" +
                      llvm::StringRef(finished->output).rtrim());
  return parseReport(finished->output);
}

} // namespace mirgpu::driver
