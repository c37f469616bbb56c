// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three targets as lowering sees them (lowering/target.h) and as LLVM's TargetMachine. Address
// spaces are the numbers of the NVPTX and AMDGPU usage pages; the CPU has one space. Invariant:
// lowering's data layout is the TargetMachine's own, so that no pass ever sees another.
#include "codegen/asm_operands.h"
#include "codegen/codegen.h"
#include "codegen/target_machine.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace llvm;

namespace mirgpu::codegen {

using lowering::MemorySpace;

void initialize() {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmPrinter();
  LLVMInitializeAMDGPUAsmParser(); // for inline asm in objects
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  InitializeNativeTargetAsmParser();
}

static std::string tripleOf(const TargetSpec &spec) {
  switch (spec.backend) {
  case Backend::Nvptx:
    return "nvptx64-nvidia-cuda";
  case Backend::Amdgpu:
    return "amdgcn-amd-amdhsa";
  case Backend::Host:
    return Triple::normalize(sys::getProcessTriple());
  }
  llvm_unreachable("covered");
}

/// This machine's features as LLVM's feature string, sorted.
static std::string nativeFeatures() {
  std::vector<std::string> names;
  for (const auto &feature : sys::getHostCPUFeatures())
    names.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(names);
  return llvm::join(names, ",");
}

Expected<std::unique_ptr<TargetMachine>> createTargetMachine(const TargetSpec &spec,
                                                             unsigned optLevel, uint32_t ptx) {
  Triple triple(tripleOf(spec));
  std::string text;
  const Target *target = TargetRegistry::lookupTarget(triple, text);
  if (!target)
    return createStringError("LLVM has no target for `" + spec.name + "`: " + text);
  bool native = spec.backend == Backend::Host && spec.cpu == "native";
  std::string cpu = native ? sys::getHostCPUName().str() : spec.cpu;
  std::unique_ptr<MCSubtargetInfo> known(target->createMCSubtargetInfo(triple, "", ""));
  if (!known || !known->isCPUStringValid(cpu))
    return createStringError("LLVM knows no CPU `" + cpu + "` for " + triple.str() + " (target `" +
                             spec.name + "`)");
  std::string features = native ? nativeFeatures() : "";
  if (spec.backend == Backend::Nvptx)
    features = "+ptx" + std::to_string(std::max(ptx, spec.ptx));
  std::optional<CodeGenOptLevel> level = CodeGenOpt::getLevel(static_cast<int>(optLevel));
  if (!level)
    return createStringError("there is no optimisation level " + Twine(optLevel) +
                             "; levels are 0 to 3");
  TargetOptions options;
  options.EmitStackSizeSection = spec.backend == Backend::Host; // for `mirgpu inspect`
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features, options, Reloc::PIC_, std::nullopt, *level));
  if (!machine)
    return createStringError("LLVM cannot make a target machine for `" + spec.name + "`");
  return machine;
}

namespace {
class LlvmTarget final : public lowering::Target {
public:
  LlvmTarget(const TargetSpec &spec, const TargetMachine &machine)
      : spec_(spec), triple_(machine.getTargetTriple().str()),
        dataLayout_(machine.createDataLayout().getStringRepresentation()) {}

  const TargetSpec &spec() const override { return spec_; }
  std::string triple() const override { return triple_; }
  std::string dataLayout() const override { return dataLayout_; }
  bool supportsFloat(unsigned bits) const override {
    return bits == 16 || bits == 32 || bits == 64;
  }

  /// PTX ISA, "Constant State Space": 64 KiB that an initialiser can fill.
  uint64_t maxConstantBytes() const override {
    return spec_.backend == Backend::Nvptx ? 65536 : UINT64_MAX;
  }
  /// LLVM prints PTX's variables in an order in which each stands behind what it names.
  bool allowsStaticRings() const override { return spec_.backend != Backend::Nvptx; }

  unsigned addressSpace(MemorySpace space) const override {
    if (spec_.backend == Backend::Host)
      return 0;
    switch (space) {
    case MemorySpace::Generic:
      return 0;
    case MemorySpace::Global:
      return 1;
    case MemorySpace::Shared:
      return 3;
    case MemorySpace::Constant:
      return 4;
    case MemorySpace::Alloca:
      return spec_.backend == Backend::Amdgpu ? 5 : 0;
    }
    llvm_unreachable("covered");
  }

  std::optional<lowering::AsmRegister> asmRegister(std::string_view name,
                                                   lowering::AsmScalar scalar) const override {
    return codegen::asmRegister(spec_.backend, Triple(triple_), name, scalar);
  }
  std::string asmModifier(std::string_view name, std::string_view modifier) const override {
    return codegen::asmModifier(spec_.backend, Triple(triple_), name, modifier);
  }
  std::string asmFlags() const override {
    return isIntelAsm() ? "~{dirflag},~{fpsr},~{flags}"
                        : (spec_.backend == Backend::Host ? "~{cc}" : "");
  }
  bool hasAsmSymbols() const override { return spec_.backend == Backend::Host; }
  bool isIntelAsm() const override {
    return spec_.backend == Backend::Host && Triple(triple_).isX86();
  }

private:
  TargetSpec spec_;
  std::string triple_, dataLayout_;
};
} // namespace

Expected<std::unique_ptr<lowering::Target>> createTarget(const TargetSpec &spec) {
  auto machine = createTargetMachine(spec, 3);
  if (!machine)
    return machine.takeError();
  return std::make_unique<LlvmTarget>(spec, **machine);
}

} // namespace mirgpu::codegen
