// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read -> lower -> emit. Each target is lowered in a context of its own: the neutral module depends
// on its data layout.
#include "driver/pipeline.h"

#include "driver/crash.h"
#include "driver/exporter.h"
#include "driver/math_libraries.h"
#include "driver/render.h"
#include "driver/test_kernels.h"
#include "mir_reader/read.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace mirgpu::driver {

llvm::Expected<TemporaryFile> TemporaryFile::create(llvm::StringRef stem,
                                                    llvm::StringRef extension) {
  llvm::SmallString<128> path;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile(stem, extension, path))
    return llvm::createStringError(code, "cannot make a temporary file: " + code.message());
  TemporaryFile file;
  file.path_ = path.str().str();
  return file;
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty())
    (void)llvm::sys::fs::remove(path_);
}

llvm::Expected<Input> Input::open(const Driver &driver, llvm::StringRef path, bool tests) {
  Input input;
  input.name = path.str();
  input.mirPath = input.name;
  if (path.ends_with(".rs")) {
    auto temporary = TemporaryFile::create(llvm::sys::path::stem(path), "mir.json");
    if (!temporary)
      return temporary.takeError();
    input.temporary = std::move(*temporary);
    input.mirPath = input.temporary.path();
    const std::vector<std::string> arguments(tests ? 1 : 0, "--test");
    if (llvm::Error error = exportSource(driver, path, input.mirPath, arguments))
      return error;
  }
  setReproducer(input.mirPath);
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  input.sources.addFolder(folder.str());
  if (!folder.empty())
    input.sources.addFolder("");
  Step step(driver, "read", input.mirPath);
  auto program = mir::readFile(input.mirPath);
  if (!program)
    return program.takeError();
  input.program = std::make_unique<mir::Program>(std::move(*program));
  if (tests)
    makeKernelsOfTests(*input.program);
  driver.log("            " + llvm::Twine(input.program->functions.size()) + " functions, " +
             llvm::Twine(input.program->types.size()) + " types, " +
             llvm::Twine(input.program->kernels.size()) + " kernels");
  return input;
}

bool printDiagnostics(const Driver &driver, const Diagnostics &diagnostics, Sources &sources,
                      bool keepGoing) {
  if (diagnostics.all().empty())
    return false;
  addRemappedFolders(driver, sources);
  RenderOptions options;
  options.verbose = driver.verbose;
  options.colors = llvm::sys::Process::StandardErrHasColors();
  for (const Diagnostic &diagnostic : diagnostics.all())
    if (driver.errorFormat == ErrorFormat::Json)
      llvm::errs() << renderJson(diagnostic, sources, options) << '\n';
    else
      llvm::errs() << renderTerminal(diagnostic, sources, options) << '\n';
  if (!diagnostics.hasErrors())
    return false;
  size_t count = diagnostics.errorCount();
  std::string total = std::to_string(count) + (count == 1 ? " error" : " errors");
  total = keepGoing ? total + "; kernels without errors are emitted" : "aborting due to " + total;
  if (driver.errorFormat == ErrorFormat::Json)
    llvm::errs() << renderPlainJson("error", total) << '\n';
  else
    llvm::errs() << "error: " << total << '\n';
  return true;
}

static llvm::Expected<Lowered> lowerFor(const Driver &driver, const Input &input,
                                        const TargetSpec &spec,
                                        const lowering::LowerOptions &options,
                                        Diagnostics &diagnostics) {
  auto target = codegen::createTarget(spec);
  if (!target)
    return target.takeError();
  Lowered lowered;
  lowered.context = std::make_unique<llvm::LLVMContext>();
  Step step(driver, "lower", spec.name);
  lowered.module =
      lowering::lowerModule(*input.program, *lowered.context, **target, options, diagnostics);
  return lowered;
}

/// The entry names that every module has, in the first one's order.
static std::vector<std::string> commonKernels(const std::vector<Lowered> &all) {
  auto has = [](const Lowered &lowered, const std::string &entry) {
    return llvm::any_of(lowered.module.kernels,
                        [&](const lowering::LoweredKernel &k) { return k.entry == entry; });
  };
  std::vector<std::string> common;
  for (const lowering::LoweredKernel &kernel : all.front().module.kernels)
    if (llvm::all_of(all, [&](const Lowered &lowered) { return has(lowered, kernel.entry); }))
      common.push_back(kernel.entry);
  return common;
}

/// A program without kernels, or without one that the user names, is not what was meant.
static llvm::Error checkKernels(const Input &input, const lowering::LowerOptions &options) {
  const auto &kernels = input.program->kernels;
  if (kernels.empty())
    return programError("`" + input.name +
                        "` has no kernels: mark a function with `#[kernel]`; a generic one is "
                        "exported where host code names an instance");
  for (const std::string &name : options.kernels) {
    if (llvm::any_of(kernels, [&](const mir::Kernel &kernel) {
          return lowering::isKernelNamed(kernel, name);
        }))
      continue;
    std::string known;
    for (const mir::Kernel &kernel : kernels)
      known += (known.empty() ? "" : ", ") + std::string(kernel.entry);
    return usageError("`" + input.name + "` has no kernel `" + name + "`; it has " + known);
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<Lowered>> lowerAll(const Driver &driver, Input &input,
                                              const std::vector<TargetSpec> &targets,
                                              const CompileSettings &settings, bool &reported) {
  if (llvm::Error error = checkKernels(input, settings.lower))
    return error;
  Diagnostics diagnostics;
  std::vector<Lowered> all;
  for (const TargetSpec &spec : targets) {
    auto lowered = lowerFor(driver, input, spec, settings.lower, diagnostics);
    if (!lowered)
      return lowered.takeError();
    all.push_back(std::move(*lowered));
  }
  if (!printDiagnostics(driver, diagnostics, input.sources, settings.lower.keepGoing))
    return all;
  reported = true;
  std::vector<std::string> common = commonKernels(all);
  if (!settings.lower.keepGoing || common.empty())
    return programError("");
  lowering::LowerOptions fewer =
      settings.lower; // a module lists the same kernels for all its targets
  fewer.kernels = common;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].module.kernels.size() != common.size()) {
      Diagnostics known;
      auto again = lowerFor(driver, input, targets[i], fewer, known);
      if (!again)
        return again.takeError();
      all[i] = std::move(*again);
    }
  return all;
}

llvm::Expected<codegen::Emitted> emitFor(const Driver &driver, Lowered &lowered,
                                         const TargetSpec &spec, const CompileSettings &settings,
                                         codegen::EmitKind kind) {
  Step step(driver, "emit", spec.name);
  codegen::EmitOptions options = settings.emit;
  options.math = findMathLibraries(driver);
  return codegen::emit(lowered.module, spec, options, kind);
}

llvm::Expected<std::string> buildModule(const Driver &driver, Input &input,
                                        const std::vector<TargetSpec> &targets,
                                        const CompileSettings &settings, bool &reported) {
  auto modules = lowerAll(driver, input, targets, settings, reported);
  if (!modules)
    return modules.takeError();
  std::vector<codegen::TargetCode> codes;
  for (auto [lowered, spec] : llvm::zip(*modules, targets)) {
    auto code = emitFor(driver, lowered, spec, settings, codegen::EmitKind::Code);
    if (!code)
      return code.takeError();
    codes.push_back({spec, std::move(*code)});
  }
  Step step(driver, "write", "module");
  return codegen::writeModule(modules->front().module, codes, "");
}

llvm::Expected<std::vector<TargetSpec>> parseTargets(llvm::StringRef list) {
  std::vector<TargetSpec> targets;
  llvm::SmallVector<llvm::StringRef> names;
  list.split(names, ',');
  for (llvm::StringRef name : names) {
    auto parsed = parseTarget(name.trim());
    if (const std::string *problem = std::get_if<std::string>(&parsed))
      return usageError("option `--target`: " + *problem);
    if (llvm::any_of(targets, [&](const TargetSpec &t) { return t.name == name.trim(); }))
      return usageError("option `--target` names `" + name.trim() + "` twice");
    targets.push_back(std::get<TargetSpec>(std::move(parsed)));
  }
  return targets;
}

} // namespace mirgpu::driver
