// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See math_libraries.h. Each library is looked for where its environment variable says, beside
// mirgpu (`<prefix>/lib/mirgpu`), where `./dev setup` has noted it (`<cache>/lib`), and where its
// vendor's package has it: a CUDA Toolkit and NVIDIA's wheels have `nvvm/libdevice` beside the
// folder of ptxas; ROCm and Debian have `amdgcn/bitcode`.
#include "driver/math_libraries.h"

#include "driver/exporter.h"
#include "driver/ptxas.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdlib>

namespace mirgpu::driver {

namespace {
/// The first of several places that has a file.
class Search {
public:
  explicit Search(const char *variable) {
    if (const char *named = std::getenv(variable); named && *named)
      found_ = named;
  }
  Search &in(llvm::StringRef folder, llvm::StringRef below) {
    if (!found_.empty() || folder.empty())
      return *this;
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, below);
    if (llvm::sys::fs::exists(path))
      found_ = path.str().str();
    return *this;
  }
  Search &inVariable(const char *variable, llvm::StringRef below) {
    const char *folder = std::getenv(variable);
    return in(folder ? folder : "", below);
  }
  const std::string &path() const { return found_; }

private:
  std::string found_;
};
} // namespace

/// The folder above the `bin` of `executable`, links followed; empty if there is none.
static std::string prefixOf(llvm::StringRef executable) {
  llvm::SmallString<128> real;
  if (executable.empty() || llvm::sys::fs::real_path(executable, real))
    return "";
  return llvm::sys::path::parent_path(llvm::sys::path::parent_path(real)).str();
}

codegen::MathLibraries findMathLibraries(const Driver &driver) {
  const std::string prefix = prefixOf(driver.executable), cache = cacheRoot();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  const std::string multiarch = "/usr/lib/" + triple.getArchName().str() + "-linux-gnu";
  codegen::MathLibraries found;
  found.libdevice = Search("MIRGPU_LIBDEVICE")
                        .in(prefix, "lib/mirgpu/libdevice.10.bc")
                        .in(cache, "lib/libdevice.10.bc")
                        .inVariable("CUDA_HOME", "nvvm/libdevice/libdevice.10.bc")
                        .inVariable("CUDA_PATH", "nvvm/libdevice/libdevice.10.bc")
                        .in(prefixOf(findPtxas()), "nvvm/libdevice/libdevice.10.bc")
                        .path();
  found.ocml = Search("MIRGPU_OCML")
                   .in(prefix, "lib/mirgpu/ocml.bc")
                   .in(cache, "lib/ocml.bc")
                   .inVariable("ROCM_PATH", "amdgcn/bitcode/ocml.bc")
                   .in("/opt/rocm", "amdgcn/bitcode/ocml.bc")
                   .in(multiarch, "amdgcn/bitcode/ocml.bc")
                   .path();
  found.host = Search("MIRGPU_HOST_MATH").in(prefix, "lib/mirgpu/host_math.bc").path();
  return found;
}

} // namespace mirgpu::driver
