// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See kernel_use.h.
#include "driver/kernel_use.h"

#include "codegen/codegen.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/DataExtractor.h"

#include <algorithm>

namespace mirgpu::driver {

using runtime::ModuleCode;
using runtime::ModuleFile;
using runtime::ModuleKernel;

static llvm::Error addPtx(const Driver &driver, const ModuleCode &code, const std::string &ptxas,
                          std::vector<KernelUse> &uses) {
  if (ptxas.empty())
    return llvm::Error::success();
  auto assembled = assemble(driver, ptxas, code.target, textOf(code));
  if (!assembled)
    return assembled.takeError();
  for (KernelUse &use : uses)
    if (auto it = assembled->find(use.kernel); it != assembled->end()) {
      use.registers = it->second.registers;
      use.spillBytes = it->second.spillBytes;
      use.sharedBytes = it->second.sharedBytes;
      use.localBytes = it->second.stackBytes;
    }
  return llvm::Error::success();
}

static llvm::Error addHsaco(const ModuleCode &code, std::vector<KernelUse> &uses) {
  std::vector<codegen::KernelResources> resources(uses.size());
  for (size_t i = 0; i < uses.size(); ++i)
    resources[i].entry = uses[i].kernel;
  if (llvm::Error error = codegen::readHsacoResources(textOf(code), resources))
    return error;
  for (size_t i = 0; i < uses.size(); ++i) {
    uses[i].registers = resources[i].registers;
    uses[i].scalarRegisters = resources[i].scalarRegisters;
    uses[i].accumulationRegisters = resources[i].accumulationRegisters;
    uses[i].spillBytes = resources[i].spillBytes;
    uses[i].scalarSpills = resources[i].scalarSpills;
    uses[i].sharedBytes = resources[i].sharedBytes;
    uses[i].localBytes = resources[i].localBytes;
  }
  return llvm::Error::success();
}

/// Frames by the address of the function: `.stack_sizes` is pairs of an address and a ULEB128.
static std::map<uint64_t, uint64_t> stackSizes(const llvm::object::ELFObjectFileBase &file) {
  std::map<uint64_t, uint64_t> sizes;
  for (const llvm::object::SectionRef &section : file.sections()) {
    auto name = section.getName();
    auto contents = section.getContents();
    if (!name || !contents || *name != ".stack_sizes") {
      llvm::consumeError(name.takeError());
      llvm::consumeError(contents.takeError());
      continue;
    }
    llvm::DataExtractor data(*contents, file.isLittleEndian(), 8);
    llvm::DataExtractor::Cursor at(0);
    while (at && at.tell() < contents->size()) {
      uint64_t address = data.getAddress(at);
      sizes[address] = data.getULEB128(at);
    }
    llvm::consumeError(at.takeError());
  }
  return sizes;
}

bool isOfKernel(llvm::StringRef symbol, llvm::StringRef kernel) {
  return symbol == kernel ||
         (symbol.consume_front("mirgpu.") && symbol.consume_back(kernel) && symbol.ends_with("."));
}

/// Sizes of the functions, and on the host their frames.
static llvm::Error addElf(const ModuleCode &code, std::vector<KernelUse> &uses) {
  auto object = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(textOf(code), llvm::StringRef(code.target)));
  if (!object)
    return object.takeError();
  const auto &file = llvm::cast<llvm::object::ELFObjectFileBase>(**object);
  const std::map<uint64_t, uint64_t> frames = stackSizes(file);
  auto symbols = file.symbols();
  for (llvm::object::ELFSymbolRef symbol :
       symbols.empty() ? file.getDynamicSymbolIterators() : symbols) {
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    if (!name || !address)
      return llvm::joinErrors(name.takeError(), address.takeError());
    if (symbol.getELFType() != llvm::ELF::STT_FUNC)
      continue;
    for (KernelUse &use : uses) {
      if (!isOfKernel(*name, use.kernel))
        continue;
      use.codeBytes = (use.codeBytes == mgpu::kUnknown ? 0 : use.codeBytes) +
                      static_cast<uint32_t>(symbol.getSize());
      if (auto it = frames.find(*address); it != frames.end())
        use.localBytes =
            std::max(use.localBytes == mgpu::kUnknown ? 0 : use.localBytes,
                     static_cast<uint32_t>(std::min<uint64_t>(it->second, UINT32_MAX - 1)));
    }
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<KernelUse>> usesOf(const Driver &driver, const ModuleFile &file,
                                              const ModuleCode &code, const std::string &ptxas) {
  std::vector<KernelUse> uses;
  for (const ModuleKernel &kernel : file.kernels()) {
    KernelUse &use = uses.emplace_back();
    use.target = code.target;
    use.kernel = kernel.entry;
    use.sharedBytes = kernel.staticSharedBytes;
  }
  llvm::Error error = llvm::Error::success();
  if (code.kind == mgpu::SectionKind::Ptx)
    error = addPtx(driver, code, ptxas, uses);
  if (code.kind == mgpu::SectionKind::Hsaco)
    error = llvm::joinErrors(addHsaco(code, uses), addElf(code, uses));
  if (code.kind == mgpu::SectionKind::HostObject)
    error = addElf(code, uses);
  if (error)
    return std::move(error);
  return uses;
}

} // namespace mirgpu::driver
