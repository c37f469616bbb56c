// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `mirgpu inspect`: a module as tables, one for the kernels and their parameters, one for what they
// use by target; with --asm the code under the Rust lines that made it.
#include "driver/inspect.h"
#include "driver/commands.h"
#include "driver/disassemble.h"
#include "driver/exporter.h"
#include "driver/pipeline.h"
#include "driver/run_arguments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace mirgpu::driver {

using runtime::ModuleCode;
using runtime::ModuleFile;
using runtime::ModuleKernel;
using runtime::ModuleParam;

llvm::StringRef kindName(mgpu::ParamKind kind) {
  switch (kind) {
  case mgpu::ParamKind::Scalar:
    return "scalar";
  case mgpu::ParamKind::Pointer:
    return "pointer";
  case mgpu::ParamKind::Slice:
    return "slice";
  case mgpu::ParamKind::SliceMut:
    return "mutable slice";
  case mgpu::ParamKind::DisjointSlice:
    return "disjoint slice";
  case mgpu::ParamKind::Aggregate:
    return "aggregate";
  case mgpu::ParamKind::LaunchContext:
    return "launch context";
  }
  llvm_unreachable("checked by the reader");
}

llvm::StringRef codeName(mgpu::SectionKind kind) {
  switch (kind) {
  case mgpu::SectionKind::Ptx:
    return "PTX";
  case mgpu::SectionKind::Cubin:
    return "cubin";
  case mgpu::SectionKind::Hsaco:
    return "HSACO";
  case mgpu::SectionKind::HostObject:
    return "shared object";
  case mgpu::SectionKind::Mir:
  case mgpu::SectionKind::Strings:
  case mgpu::SectionKind::Kernels:
  case mgpu::SectionKind::Params:
  case mgpu::SectionKind::Places:
  case mgpu::SectionKind::Resources:
  case mgpu::SectionKind::Globals:
    break;
  }
  return "other";
}

static void printKernel(const ModuleKernel &kernel) {
  llvm::raw_ostream &out = llvm::outs();
  out << "kernel " << kernel.entry << "\n  key " << kernel.key << '\n';
  if (!kernel.file.empty())
    out << "  at " << kernel.file << ':' << kernel.line << '\n';
  if (kernel.maxThreads)
    out << "  at most " << kernel.maxThreads << " threads a block\n";
  if (kernel.flags & mgpu::kHasCollective)
    out << "  reaches a barrier or a warp operation\n";
  if (kernel.flags & mgpu::kCanPanic)
    out << "  can panic\n";
  if (kernel.flags & mgpu::kUsesHeap)
    out << "  allocates from a heap\n";
  if (kernel.flags & mgpu::kUsesDynamicShared)
    out << "  uses dynamic shared memory\n";
  std::vector<std::vector<std::string>> rows{
      {"parameter", "type", "kind", "bytes", "align", "element"}};
  for (const ModuleParam &param : kernel.params) {
    std::string element = param.isSlice() ? std::to_string(param.elementSize) + " bytes" : "";
    rows.push_back({std::string(param.name), std::string(param.typeName),
                    kindName(param.kind).str() + (param.readOnly ? ", read-only" : ""),
                    std::to_string(param.size), std::to_string(param.align), element});
  }
  printTable(rows);
}

static bool isSelected(const ModuleKernel &kernel, const std::string &wanted) {
  return wanted.empty() || kernel.entry == wanted || kernel.key == wanted;
}

/// A `.mgpu` as it is; a source or serialized MIR is compiled for the targets first.
static llvm::Expected<ModuleFile> openModule(const Driver &driver, const ParsedOptions &options) {
  const std::string &path = options.positional[0];
  if (path.ends_with(".mgpu")) {
    for (const char *option : {"--target", "-O", "--fp-contract"})
      if (options.has(option))
        return usageError("option `" + llvm::Twine(option) + "` compiles, and `" + path +
                          "` is compiled already");
    return expected(ModuleFile::read(path));
  }
  auto settings = parseCompileSettings(options);
  if (!settings)
    return settings.takeError();
  settings->lower.kernels.clear(); // `--kernel` chooses what is shown
  settings->emit.verboseAssembly = options.has("--asm");
  auto targets = parseTargets(options.get("--target").value_or("host"));
  if (!targets)
    return targets.takeError();
  auto input = Input::open(driver, path);
  if (!input)
    return input.takeError();
  bool reported = false;
  auto bytes = buildModule(driver, *input, *targets, *settings, reported);
  if (!bytes)
    return bytes.takeError();
  auto first = reinterpret_cast<const std::byte *>(bytes->data());
  return expected(ModuleFile::parse({first, first + bytes->size()}, path));
}

static llvm::Error listCode(const Driver &driver, const ModuleFile &file, const std::string &path,
                            const std::string &kernel) {
  Sources sources;
  sources.addFolder(llvm::sys::path::parent_path(path).str());
  sources.addFolder("");
  addRemappedFolders(driver, sources);
  for (const ModuleCode &code : file.codes()) {
    llvm::outs() << "\n; " << code.target << ", " << codeName(code.kind) << '\n';
    Listing listing(sources, llvm::outs());
    if (code.kind == mgpu::SectionKind::Ptx)
      listPtx(textOf(code), kernel, listing);
    else if (code.kind == mgpu::SectionKind::Cubin)
      llvm::outs() << "; a cubin is shown by nvdisasm\n";
    else if (llvm::Error error = disassemble(textOf(code), code.target, kernel, listing))
      return error;
    listing.finish();
  }
  return llvm::Error::success();
}

static void printTables(const ModuleFile &file, const std::string &path,
                        const std::vector<KernelUse> &uses, const std::string &wanted) {
  llvm::outs() << path << ": module of version " << mgpu::kVersion << ", " << file.kernels().size()
               << " kernels, code for " << file.codes().size() << " targets\n\n";
  for (const ModuleKernel &kernel : file.kernels())
    if (isSelected(kernel, wanted)) {
      printKernel(kernel);
      llvm::outs() << '\n';
    }
  if (!file.globals().empty()) {
    std::vector<std::vector<std::string>> rows{{"static", "type", "bytes", "align", ""}};
    for (const runtime::ModuleGlobal &global : file.globals())
      rows.push_back({std::string(global.key), std::string(global.typeName),
                      std::to_string(global.size), std::to_string(global.align),
                      global.isConstant ? "constant" : ""});
    printTable(rows);
    llvm::outs() << '\n';
  }
  std::vector<std::vector<std::string>> sizes{{"target", "code", "bytes"}};
  for (const ModuleCode &code : file.codes())
    sizes.push_back(
        {std::string(code.target), codeName(code.kind).str(), std::to_string(code.bytes.size())});
  printTable(sizes);
  llvm::outs() << '\n';
  printUses(uses);
}

CommandResult inspectCommand(const Driver &driver, const ParsedOptions &options) {
  if (options.positional.size() != 1)
    return usageError("`mirgpu inspect` needs one file: a .mgpu, .mir.json or .rs");
  static constexpr std::string_view formats[] = {"table", "json"};
  auto format = parseChoice("--format", options.get("--format").value_or("table"), formats);
  if (!format)
    return format.takeError();
  auto file = openModule(driver, options);
  if (!file)
    return file.takeError();
  std::string wanted = options.get("--kernel").value_or("");
  auto chosen =
      llvm::find_if(file->kernels(), [&](const ModuleKernel &k) { return isSelected(k, wanted); });
  if (chosen == file->kernels().end() && !wanted.empty())
    return usageError("`" + options.positional[0] + "` has no kernel `" + wanted + "`");
  std::string ptxas = findPtxas();
  std::vector<KernelUse> uses;
  for (const ModuleCode &code : file->codes()) {
    auto some = usesOf(driver, *file, code, ptxas);
    if (!some)
      return some.takeError();
    for (KernelUse &use : *some)
      if (wanted.empty() || use.kernel == chosen->entry)
        uses.push_back(std::move(use));
  }
  if (*format == 1) {
    printJson(*file, uses, wanted);
    return ExitCode::Right;
  }
  printTables(*file, options.positional[0], uses, wanted);
  bool hasPtx = llvm::any_of(file->codes(),
                             [](const ModuleCode &c) { return c.kind == mgpu::SectionKind::Ptx; });
  if (ptxas.empty() && hasPtx)
    llvm::outs() << "\nregisters of PTX are known to ptxas alone, which was not found; `mirgpu "
                    "doctor` says how to get it\n";
  if (options.has("--asm"))
    if (llvm::Error error = listCode(driver, *file, options.positional[0],
                                     wanted.empty() ? "" : std::string(chosen->entry)))
      return error;
  return ExitCode::Right;
}

} // namespace mirgpu::driver
