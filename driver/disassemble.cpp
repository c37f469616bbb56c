// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the function symbols of an ELF and lists each one's instructions with the places that the
// line table and the inlined calls of its DWARF give. A byte that starts no instruction is shown as
// such.
#include "driver/disassemble.h"

#include "driver/driver.h"
#include "driver/kernel_use.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/TargetSelect.h"

#include <algorithm>

namespace mirgpu::driver {

namespace {
/// LLVM's machine-code layer for one ELF.
struct Machine {
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};
} // namespace

static llvm::Expected<Machine> createMachine(const llvm::object::ELFObjectFileBase &file,
                                             llvm::StringRef target) {
  llvm::Triple triple = file.makeTriple();
  std::string problem;
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!found)
    return worldError("cannot disassemble code for " + target + ": " + problem);
  Machine machine;
  std::string cpu = file.tryGetCPUName().value_or("").str();
  auto features = file.getFeatures();
  if (!features)
    return features.takeError();
  machine.registers.reset(found->createMCRegInfo(triple));
  machine.assembly.reset(found->createMCAsmInfo(*machine.registers, triple, machine.options));
  machine.subtarget.reset(found->createMCSubtargetInfo(triple, cpu, features->getString()));
  machine.instructions.reset(found->createMCInstrInfo());
  machine.context = std::make_unique<llvm::MCContext>(
      triple, machine.assembly.get(), machine.registers.get(), machine.subtarget.get());
  machine.disassembler.reset(found->createMCDisassembler(*machine.subtarget, *machine.context));
  machine.printer.reset(found->createMCInstPrinter(triple, machine.assembly->getAssemblerDialect(),
                                                   *machine.assembly, *machine.instructions,
                                                   *machine.registers));
  if (!machine.disassembler || !machine.printer)
    return worldError("this LLVM has no disassembler for " + target);
  return machine;
}

/// Where the instruction at `address` comes from.
static LineChain chainOf(llvm::DWARFContext &dwarf, llvm::object::SectionedAddress address) {
  using Kind = llvm::DILineInfoSpecifier::FileLineInfoKind;
  llvm::DIInliningInfo info =
      dwarf.getInliningInfoForAddress(address, llvm::DILineInfoSpecifier(Kind::RelativeFilePath));
  LineChain chain;
  for (uint32_t i = 0; i < info.getNumberOfFrames(); ++i) {
    const llvm::DILineInfo &frame = info.getFrame(i);
    if (frame.FileName != llvm::DILineInfo::BadString)
      chain.push_back({frame.FileName, frame.Line, frame.Column});
  }
  return chain;
}

static void listFunction(Machine &machine, llvm::ArrayRef<uint8_t> code,
                         llvm::object::SectionedAddress start, llvm::DWARFContext &dwarf,
                         Listing &listing) {
  const uint64_t address = start.Address;
  for (uint64_t at = 0; at < code.size();) {
    llvm::MCInst instruction;
    uint64_t size = 0;
    auto status = machine.disassembler->getInstruction(instruction, size, code.drop_front(at),
                                                       address + at, llvm::nulls());
    std::string text;
    llvm::raw_string_ostream out(text);
    if (status == llvm::MCDisassembler::Fail)
      out << "<unknown>";
    else
      machine.printer->printInst(&instruction, address + at, "", *machine.subtarget, out);
    std::string line;
    llvm::raw_string_ostream(line)
        << llvm::format("%6llx: ", static_cast<unsigned long long>(address + at))
        << llvm::StringRef(text).trim();
    std::ranges::replace(line, '\t', ' ');
    listing.instruction(line, chainOf(dwarf, {address + at, start.SectionIndex}));
    at += std::max<uint64_t>(size, 1);
  }
}

llvm::Error disassemble(llvm::StringRef bytes, llvm::StringRef target, llvm::StringRef kernel,
                        Listing &listing) {
  auto object = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(bytes, target));
  if (!object)
    return object.takeError();
  const auto &file = llvm::cast<llvm::object::ELFObjectFileBase>(**object);
  llvm::InitializeAllDisassemblers();
  auto machine = createMachine(file, target);
  if (!machine)
    return machine.takeError();
  auto dwarf = llvm::DWARFContext::create(file);
  auto symbols = file.symbols();
  std::vector<llvm::object::ELFSymbolRef> functions;
  for (llvm::object::ELFSymbolRef symbol :
       symbols.empty() ? file.getDynamicSymbolIterators() : symbols)
    if (symbol.getELFType() == llvm::ELF::STT_FUNC && symbol.getSize())
      functions.push_back(symbol);
  for (const llvm::object::ELFSymbolRef &symbol : functions) {
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    auto section = symbol.getSection();
    if (!name || !address || !section)
      return llvm::joinErrors(llvm::joinErrors(name.takeError(), address.takeError()),
                              section.takeError());
    if (*section == file.section_end() || (!kernel.empty() && !isOfKernel(*name, kernel)))
      continue;
    auto contents = (*section)->getContents();
    if (!contents)
      return contents.takeError();
    uint64_t start = *address - (*section)->getAddress();
    if (start > contents->size() || symbol.getSize() > contents->size() - start)
      return worldError("the code for " + target + " has a function beyond its section");
    listing.begin(name->str() + ":");
    listFunction(*machine, llvm::arrayRefFromStringRef(contents->substr(start, symbol.getSize())),
                 {*address, (*section)->getIndex()}, *dwarf, listing);
  }
  return llvm::Error::success();
}

} // namespace mirgpu::driver
