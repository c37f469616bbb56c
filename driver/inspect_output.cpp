// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See inspect.h: tables for people, JSON for programs.
#include "driver/inspect.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace mirgpu::driver {

using runtime::ModuleCode;
using runtime::ModuleFile;
using runtime::ModuleGlobal;
using runtime::ModuleKernel;
using runtime::ModuleParam;

void printTable(const std::vector<std::vector<std::string>> &rows) {
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

namespace {
struct UseColumn {
  llvm::StringLiteral heading; ///< of the table
  llvm::StringLiteral key;     ///< in JSON
  uint32_t KernelUse::*number;
};
} // namespace

static constexpr UseColumn columns[] = {
    {"registers", "registers", &KernelUse::registers},
    {"scalar", "scalar_registers", &KernelUse::scalarRegisters},
    {"accum", "accumulation_registers", &KernelUse::accumulationRegisters},
    {"spill bytes", "spill_bytes", &KernelUse::spillBytes},
    {"scalar spills", "scalar_spills", &KernelUse::scalarSpills},
    {"shared bytes", "shared_bytes", &KernelUse::sharedBytes},
    {"local bytes", "local_bytes", &KernelUse::localBytes},
    {"code bytes", "code_bytes", &KernelUse::codeBytes},
};

static std::string numberText(uint32_t value) {
  return value == mgpu::kUnknown ? "-" : std::to_string(value);
}

/// Cuts names of kernels so that rows fit into `width` columns; 0: no limit.
static void fitNames(std::vector<std::vector<std::string>> &rows, size_t width) {
  size_t others = 0, longest = 0;
  for (size_t i = 0; i < rows.front().size(); ++i) {
    size_t widest = 0;
    for (const auto &row : rows)
      widest = std::max(widest, row[i].size());
    (i == 1 ? longest : others) += widest + (i == 1 ? 0 : 2);
  }
  if (width == 0 || others + longest + 4 <= width)
    return;
  constexpr size_t kLeast = 12;
  size_t room = std::max(kLeast, width > others + 4 ? width - others - 4 : 0);
  for (auto &row : rows)
    if (row[1].size() > room)
      row[1] = row[1].substr(0, room - 3) + "...";
}

void printUses(const std::vector<KernelUse> &uses) {
  std::vector<std::vector<std::string>> rows{{"target", "kernel"}};
  for (const KernelUse &use : uses)
    rows.push_back({use.target, use.kernel});
  for (const UseColumn &column : columns) {
    if (std::ranges::all_of(
            uses, [&](const KernelUse &use) { return use.*column.number == mgpu::kUnknown; }))
      continue;
    rows[0].push_back(column.heading.str());
    for (size_t i = 0; i < uses.size(); ++i)
      rows[i + 1].push_back(numberText(uses[i].*column.number));
  }
  fitNames(rows, llvm::sys::Process::StandardOutColumns());
  printTable(rows);
}

static void printParam(llvm::json::OStream &json, const ModuleParam &param) {
  json.object([&] {
    json.attribute("name", llvm::StringRef(param.name));
    json.attribute("type", llvm::StringRef(param.typeName));
    json.attribute("kind", kindName(param.kind));
    json.attribute("bytes", param.size);
    json.attribute("align", param.align);
    if (param.isSlice())
      json.attribute("element_bytes", param.elementSize);
    json.attribute("read_only", param.readOnly);
  });
}

static void printKernel(llvm::json::OStream &json, const ModuleKernel &kernel) {
  json.object([&] {
    json.attribute("name", llvm::StringRef(kernel.entry));
    json.attribute("key", llvm::StringRef(kernel.key));
    json.attribute("file", llvm::StringRef(kernel.file));
    json.attribute("line", kernel.line);
    json.attribute("max_threads", kernel.maxThreads);
    json.attribute("collective", (kernel.flags & mgpu::kHasCollective) != 0);
    json.attribute("can_panic", (kernel.flags & mgpu::kCanPanic) != 0);
    json.attribute("dynamic_shared", (kernel.flags & mgpu::kUsesDynamicShared) != 0);
    json.attribute("heap", (kernel.flags & mgpu::kUsesHeap) != 0);
    json.attributeArray("parameters", [&] {
      for (const ModuleParam &param : kernel.params)
        printParam(json, param);
    });
  });
}

static void printUse(llvm::json::OStream &json, const KernelUse &use) {
  json.object([&] {
    json.attribute("target", use.target);
    json.attribute("kernel", use.kernel);
    for (const UseColumn &column : columns)
      if (use.*column.number == mgpu::kUnknown)
        json.attribute(column.key, nullptr);
      else
        json.attribute(column.key, use.*column.number);
  });
}

void printJson(const ModuleFile &file, const std::vector<KernelUse> &uses,
               const std::string &wanted) {
  llvm::json::OStream json(llvm::outs(), /*IndentSize=*/2);
  json.object([&] {
    json.attribute("version", mgpu::kVersion);
    json.attributeArray("kernels", [&] {
      for (const ModuleKernel &kernel : file.kernels())
        if (wanted.empty() || kernel.entry == wanted || kernel.key == wanted)
          printKernel(json, kernel);
    });
    json.attributeArray("statics", [&] {
      for (const ModuleGlobal &global : file.globals())
        json.object([&] {
          json.attribute("key", llvm::StringRef(global.key));
          json.attribute("type", llvm::StringRef(global.typeName));
          json.attribute("bytes", global.size);
          json.attribute("align", global.align);
          json.attribute("constant", global.isConstant);
        });
    });
    json.attributeArray("code", [&] {
      for (const ModuleCode &code : file.codes())
        json.object([&] {
          json.attribute("target", llvm::StringRef(code.target));
          json.attribute("kind", codeName(code.kind));
          json.attribute("bytes", code.bytes.size());
        });
    });
    json.attributeArray("resources", [&] {
      for (const KernelUse &use : uses)
        printUse(json, use);
    });
  });
  llvm::outs() << '\n';
}

} // namespace mirgpu::driver
