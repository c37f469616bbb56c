// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the function symbols of an ELF and prints each one's instructions. A byte that starts no
// instruction is shown as such.
#include "driver/disassemble.h"

#include "driver/driver.h"

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

static void printFunction(Machine &machine, llvm::ArrayRef<uint8_t> code, uint64_t address,
                          llvm::raw_ostream &out) {
  for (uint64_t at = 0; at < code.size();) {
    llvm::MCInst instruction;
    uint64_t size = 0;
    auto status = machine.disassembler->getInstruction(instruction, size, code.drop_front(at),
                                                       address + at, llvm::nulls());
    out << llvm::format("%8llx:", static_cast<unsigned long long>(address + at));
    if (status == llvm::MCDisassembler::Fail)
      out << "  <unknown>";
    else
      machine.printer->printInst(&instruction, address + at, "", *machine.subtarget, out);
    out << '\n';
    at += std::max<uint64_t>(size, 1);
  }
}

llvm::Error disassemble(llvm::StringRef bytes, llvm::StringRef target, llvm::raw_ostream &out) {
  auto object = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(bytes, target));
  if (!object)
    return object.takeError();
  const auto &file = llvm::cast<llvm::object::ELFObjectFileBase>(**object);
  llvm::InitializeAllDisassemblers();
  auto machine = createMachine(file, target);
  if (!machine)
    return machine.takeError();
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
    if (*section == file.section_end())
      continue;
    auto contents = (*section)->getContents();
    if (!contents)
      return contents.takeError();
    uint64_t start = *address - (*section)->getAddress();
    if (start > contents->size() || symbol.getSize() > contents->size() - start)
      return worldError("the code for " + target + " has a function beyond its section");
    out << '\n' << *name << ":\n";
    printFunction(*machine, llvm::arrayRefFromStringRef(contents->substr(start, symbol.getSize())),
                  *address, out);
  }
  return llvm::Error::success();
}

} // namespace mirgpu::driver
