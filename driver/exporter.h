// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a Rust source to serialized MIR by way of the exporter, a program of its own (DESIGN D1). It
// is found by $MIRGPU_EXPORTER, beside an installed mirgpu, or in the cache root; the description
// beside it names the device sysroot and the device crates.
#pragma once

#include "driver/process.h"
#include "driver/sources.h"

#include <string>
#include <vector>

namespace mirgpu::driver {

/// A crate that every plain export can name.
struct DeviceCrate {
  std::string name, rmeta;
};

struct Exporter {
  std::string binary, sysroot, host;
  std::string origin; ///< how it was found, for `doctor`
  std::vector<DeviceCrate> crates;
  std::vector<std::string> search; ///< folders with what the device crates need
  std::vector<std::pair<std::string, std::string>> remap; ///< from a folder to the name in the file
  std::vector<std::string> arguments; ///< further arguments that every export takes
};

/// The cache root: $MIRGPU_CACHE, else $XDG_CACHE_HOME/mirgpu, else ~/.cache/mirgpu.
std::string cacheRoot();

/// The exporter, or an error that says how to get one.
llvm::Expected<Exporter> findExporter(const Driver &driver);

/// Runs the exporter on `source`. rustc's own errors go to standard error and give a ProgramError
/// without text.
llvm::Error exportSource(const Driver &driver, llvm::StringRef source, llvm::StringRef output,
                         llvm::ArrayRef<std::string> rustcArguments);

/// Tells `sources` where the names that the exporter writes lie on this machine, if it is here.
void addRemappedFolders(const Driver &driver, Sources &sources);

} // namespace mirgpu::driver
