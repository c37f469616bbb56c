// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `mirgpu inspect`: a `.mgpu` as tables, one for the kernels and their parameters, one for what
// they use by target; with --asm the code too. Registers of PTX come from ptxas where it is found;
// those of AMD code stand in the module.
#include "driver/commands.h"
#include "driver/disassemble.h"
#include "driver/ptxas.h"
#include "runtime/module_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace mirgpu::driver {

using runtime::ModuleCode;
using runtime::ModuleFile;
using runtime::ModuleKernel;
using runtime::ModuleParam;

static void printTable(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], row[i].size());
    }
  for (const std::vector<std::string> &row : rows) {
    std::string line = " ";
    for (size_t i = 0; i < row.size(); ++i)
      line += " " + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
    llvm::outs() << llvm::StringRef(line).rtrim() << '\n';
  }
}

static llvm::StringRef kindName(mgpu::ParamKind kind) {
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

static llvm::StringRef codeName(mgpu::SectionKind kind) {
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

static std::string number(uint32_t value) {
  return value == mgpu::kUnknown ? "-" : std::to_string(value);
}

static llvm::StringRef textOf(const ModuleCode &code) {
  return {reinterpret_cast<const char *>(code.bytes.data()), code.bytes.size()};
}

/// The rows of one code section: what the module itself says, completed by ptxas.
static llvm::Error addRows(const Driver &driver, const ModuleFile &file, const ModuleCode &code,
                           const std::string &ptxas, std::vector<std::vector<std::string>> &rows) {
  std::map<std::string, PtxasUse> uses;
  if (code.kind == mgpu::SectionKind::Ptx && !ptxas.empty()) {
    auto assembled = assemble(driver, ptxas, code.target, textOf(code));
    if (!assembled)
      return assembled.takeError();
    uses = std::move(*assembled);
  }
  for (size_t i = 0; i < file.kernels().size(); ++i) {
    const ModuleKernel &kernel = file.kernels()[i];
    mgpu::Resource use{};
    use.registers = use.scalarRegisters = use.spillBytes = use.localBytes = mgpu::kUnknown;
    use.sharedBytes = kernel.staticSharedBytes;
    for (const mgpu::Resource &known : file.resources())
      if (known.kernel == i && known.section == code.section)
        use = known;
    if (auto it = uses.find(std::string(kernel.entry)); it != uses.end()) {
      use.registers = it->second.registers;
      use.spillBytes = it->second.spillBytes;
      use.sharedBytes = it->second.sharedBytes;
      use.localBytes = it->second.stackBytes;
    }
    rows.push_back({std::string(code.target), std::string(kernel.entry), number(use.registers),
                    number(use.scalarRegisters), number(use.spillBytes), number(use.sharedBytes),
                    number(use.localBytes)});
  }
  return llvm::Error::success();
}

static llvm::Error printCode(const ModuleFile &file) {
  for (const ModuleCode &code : file.codes()) {
    llvm::outs() << "\n; " << code.target << ", " << codeName(code.kind) << '\n';
    if (code.kind == mgpu::SectionKind::Ptx) {
      llvm::outs() << textOf(code);
      continue;
    }
    if (code.kind == mgpu::SectionKind::Cubin) {
      llvm::outs() << "; a cubin is shown by nvdisasm\n";
      continue;
    }
    if (llvm::Error error = disassemble(textOf(code), code.target, llvm::outs()))
      return error;
  }
  return llvm::Error::success();
}

CommandResult inspectCommand(const Driver &driver, const ParsedOptions &options) {
  if (options.positional.size() != 1)
    return usageError("`mirgpu inspect` needs one .mgpu file");
  auto file = ModuleFile::read(options.positional[0]);
  if (!file)
    return worldError(file.error().message);
  llvm::outs() << options.positional[0] << ": module of version " << mgpu::kVersion << ", "
               << file->kernels().size() << " kernels, code for " << file->codes().size()
               << " targets\n\n";
  for (const ModuleKernel &kernel : file->kernels()) {
    printKernel(kernel);
    llvm::outs() << '\n';
  }
  std::vector<std::vector<std::string>> sizes{{"target", "code", "bytes"}};
  std::vector<std::vector<std::string>> rows{{"target", "kernel", "registers", "scalar registers",
                                              "spill bytes", "shared bytes", "local bytes"}};
  std::string ptxas = findPtxas();
  for (const ModuleCode &code : file->codes()) {
    sizes.push_back(
        {std::string(code.target), codeName(code.kind).str(), std::to_string(code.bytes.size())});
    if (llvm::Error error = addRows(driver, *file, code, ptxas, rows))
      return error;
  }
  printTable(sizes);
  llvm::outs() << '\n';
  printTable(rows);
  bool hasPtx = llvm::any_of(file->codes(),
                             [](const ModuleCode &c) { return c.kind == mgpu::SectionKind::Ptx; });
  if (ptxas.empty() && hasPtx)
    llvm::outs() << "\nregisters of PTX are known to ptxas alone, which was not found; `mirgpu "
                    "doctor` says how to get it\n";
  if (options.has("--asm"))
    if (llvm::Error error = printCode(*file))
      return error;
  return ExitCode::Right;
}

} // namespace mirgpu::driver
