// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `mirgpu doctor`: one line for each thing that mirgpu can use, found or not, and for what is
// missing the command that gets it. Nothing of it is needed to compile serialized MIR and to run on
// the CPU device, so the exit code is 0.
#include "driver/commands.h"
#include "driver/exporter.h"
#include "driver/math_libraries.h"
#include "driver/ptxas.h"
#include "runtime/mirgpu.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <cstdlib>

namespace mirgpu::driver {

static void line(bool found, llvm::StringRef what, const llvm::Twine &text) {
  llvm::outs() << (found ? "  ok       " : "  missing  ") << what;
  llvm::outs().indent(what.size() < 14 ? 14 - what.size() : 1) << text << '\n';
}

static std::string firstLine(llvm::StringRef text, llvm::StringRef containing = "") {
  while (!text.empty()) {
    auto [head, rest] = text.split('\n');
    if (head.contains(containing))
      return head.trim().str();
    text = rest;
  }
  return "";
}

/// Every rustc worth asking, in the order in which the exporter's build asks: MIRGPU_RUSTC, PATH,
/// the Debian package.
static std::vector<std::string> rustcCandidates(const Driver &driver) {
  std::vector<std::string> all;
  auto add = [&](llvm::StringRef path) {
    if (llvm::sys::fs::can_execute(path) && !llvm::is_contained(all, path))
      all.push_back(path.str());
  };
  if (const char *named = std::getenv("MIRGPU_RUSTC"); named && *named)
    add(named);
  llvm::SmallVector<llvm::StringRef> parts;
  const char *path = std::getenv("PATH");
  llvm::StringRef(path ? path : "").split(parts, ':', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef folder : parts)
    add((folder + "/rustc").str());
  std::string dpkg = findInPath("dpkg");
  if (dpkg.empty())
    return all;
  auto listed = runProcess(driver, {dpkg, {"-L", "rustc-web"}, {}, true});
  if (!listed) {
    llvm::consumeError(listed.takeError());
    return all;
  }
  parts.clear();
  llvm::StringRef(listed->output).split(parts, '\n');
  for (llvm::StringRef file : parts)
    if (file.ends_with("/bin/rustc"))
      add(file);
  return all;
}

static void reportRustc(const Driver &driver) {
  std::string others;
  for (const std::string &rustc : rustcCandidates(driver)) {
    auto finished = runProcess(driver, {rustc, {"-V"}, {}, true});
    std::string version =
        finished ? firstLine(finished->output) : llvm::toString(finished.takeError());
    if (llvm::StringRef(version).starts_with("rustc 1.96.0")) {
      line(true, "rustc 1.96.0", rustc);
      return;
    }
    others += rustc + " is " + version + "; ";
  }
  line(false, "rustc 1.96.0",
       others + "needed to build the exporter: apt-get install --no-install-recommends rustc-web "
                "cargo-web "
                "libstd-rust-web-dev rust-web-src, or name one with MIRGPU_RUSTC");
}

static void reportExporter(const Driver &driver) {
  auto exporter = findExporter(driver);
  if (!exporter) {
    llvm::consumeError(exporter.takeError());
    line(false, "exporter",
         "Rust sources cannot be compiled; build it with `./dev exporter` in mirgpu's checkout");
    return;
  }
  auto finished = runProcess(driver, {exporter->binary, {"--mirgpu-version"}, {}, true});
  std::string version =
      finished ? firstLine(finished->output) : llvm::toString(finished.takeError());
  bool hasSysroot = llvm::sys::fs::is_directory(exporter->sysroot);
  line(hasSysroot, "exporter", exporter->binary + " (" + version + "; " + exporter->origin + ")");
  if (!hasSysroot)
    llvm::outs() << "             its device sysroot `" << exporter->sysroot
                 << "` is gone; run `./dev exporter` again\n";
}

static void reportPtxas(const Driver &driver) {
  std::string ptxas = findPtxas();
  if (ptxas.empty()) {
    line(false, "ptxas",
         "registers of PTX are not known; get it with: pip install nvidia-cuda-nvcc, then name it "
         "with MIRGPU_PTXAS");
    return;
  }
  auto finished = runProcess(driver, {ptxas, {"--version"}, {}, true});
  line(true, "ptxas",
       ptxas + " (" +
           (finished ? firstLine(finished->output, "release")
                     : llvm::toString(finished.takeError())) +
           ")");
}

static void reportMath(const Driver &driver) {
  codegen::MathLibraries libraries = findMathLibraries(driver);
  auto report = [](llvm::StringRef name, const std::string &path, llvm::StringRef how) {
    bool found = llvm::sys::fs::exists(path);
    line(found, name,
         found          ? llvm::Twine(path)
         : path.empty() ? llvm::Twine(how)
                        : path + ": is no file");
  };
  report(
      "libdevice", libraries.libdevice,
      "NVIDIA kernels cannot use math functions; get it with: pip install nvidia-nvvm, then name "
      "libdevice.10.bc with MIRGPU_LIBDEVICE");
  report("OCML", libraries.ocml,
         "AMD kernels cannot use math functions; get it with: apt-get install rocm-device-libs, or "
         "name ocml.bc with MIRGPU_OCML");
  report("host math", libraries.host,
         "CPU kernels cannot use math functions; build mirgpu with `./dev build`, which fetches "
         "SLEEF");
}

static void reportLibrary(llvm::StringRef name, llvm::ArrayRef<const char *> files,
                          const llvm::Twine &how) {
  for (const char *file : files)
    if (llvm::sys::DynamicLibrary::getPermanentLibrary(file).isValid()) {
      line(true, name, file);
      return;
    }
  line(false, name, how);
}

static void reportDevices() {
  for (const char *name : {"cpu", "cuda:0", "hip:0"}) {
    auto device = Device::open(name);
    if (device)
      line(true, name,
           llvm::StringRef(device->info().description) + ", at most " +
               llvm::Twine(device->info().max_block_threads) + " threads a block");
    else
      line(false, name, device.error().message);
  }
}

CommandResult doctorCommand(const Driver &driver, const ParsedOptions &options) {
  if (!options.positional.empty())
    return usageError("`mirgpu doctor` takes no file");
  llvm::outs() << "mirgpu " << kVersion << "\n\ncompiler\n";
  line(true, "LLVM", LLVM_VERSION_STRING ", host CPU " + llvm::sys::getHostCPUName());
  reportRustc(driver);
  reportExporter(driver);
  reportPtxas(driver);
  reportMath(driver);
  llvm::outs() << "\ndrivers\n";
  reportLibrary("libcuda", {"libcuda.so.1"},
                "NVIDIA GPUs cannot be used; it comes with NVIDIA's driver");
  reportLibrary("libamdhip64",
                {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"},
                "AMD GPUs cannot be used; it comes with ROCm");
  llvm::outs() << "\ndevices\n";
  reportDevices();
  return ExitCode::Right;
}

} // namespace mirgpu::driver
