// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way through the compiler, end to end: read, lower, emit. `compile` and `run` share it. After
// `Input::open` the program is verified; after `lowerFor` without errors no unsupported construct
// remains; after `emit` there is code.
#pragma once

#include "codegen/codegen.h"
#include "driver/driver.h"
#include "driver/sources.h"
#include "mir_reader/mir.h"

#include "llvm/IR/LLVMContext.h"

#include <memory>
#include <string>
#include <vector>

namespace mirgpu::driver {

/// A file made for this process alone; it is removed at the end.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(llvm::StringRef stem, llvm::StringRef extension);
  TemporaryFile() = default;
  TemporaryFile(TemporaryFile &&other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFile &operator=(TemporaryFile &&other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryFile();
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

/// Serialized MIR that the user named, or that the exporter made of the Rust source that the user
/// named.
struct Input {
  std::string name;    ///< as the user wrote it
  std::string mirPath; ///< the serialized MIR
  TemporaryFile temporary;
  std::unique_ptr<mir::Program> program;
  Sources sources;

  /// With `tests` the `#[test]` functions are the kernels, and a source is exported under `--test`.
  static llvm::Expected<Input> open(const Driver &driver, llvm::StringRef path, bool tests = false);
};

struct CompileSettings {
  lowering::LowerOptions lower;
  codegen::EmitOptions emit;
};

/// A lowered module and the context that owns it.
struct Lowered {
  std::unique_ptr<llvm::LLVMContext> context;
  lowering::LoweredModule module;
};

/// Prints every diagnostic; returns whether there were errors.
bool printDiagnostics(const Driver &driver, const Diagnostics &diagnostics, Sources &sources,
                      bool keepGoing);

/// Lowers for every target and prints the diagnostics of all, each once. A program with errors
/// gives a ProgramError without text unless `keepGoing` left kernels to emit; then `reported` is
/// set, and every module has the same kernels.
llvm::Expected<std::vector<Lowered>> lowerAll(const Driver &driver, Input &input,
                                              const std::vector<TargetSpec> &targets,
                                              const CompileSettings &settings, bool &reported);

llvm::Expected<codegen::Emitted> emitFor(const Driver &driver, Lowered &lowered,
                                         const TargetSpec &spec, const CompileSettings &settings,
                                         codegen::EmitKind kind);

/// A `.mgpu` with code for every target, and the serialized MIR if asked.
llvm::Expected<std::string> buildModule(const Driver &driver, Input &input,
                                        const std::vector<TargetSpec> &targets,
                                        const CompileSettings &settings, bool &reported);

/// A comma-separated target list.
llvm::Expected<std::vector<TargetSpec>> parseTargets(llvm::StringRef list);

} // namespace mirgpu::driver
