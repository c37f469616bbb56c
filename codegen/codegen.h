// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From lowering's neutral module to code: entry points, expansion of `mirgpu.*`, the target
// machine's own pass pipeline, PTX, HSACO or a host shared object in-process, and the `.mgpu`
// module that holds them.
#pragma once

#include "lowering/lower.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace mirgpu::codegen {

enum class EmitKind : uint8_t { LlvmIr, LlvmBc, Assembly, Object, Code };
enum class PanicExit : uint8_t { Auto, Exit, Trap };
enum class Tier : uint8_t { Auto, T0, T1, T2, T3 };

/// Files of bitcode that have the math functions of a back end. An empty path was not found: an
/// error once a kernel needs it.
struct MathLibraries {
  std::string libdevice, ocml, host;
};

struct EmitOptions {
  unsigned optLevel = 3;
  PanicExit panic = PanicExit::Auto;
  Tier tier = Tier::Auto;
  bool unroll = true;
  bool fpContract = false;
  bool ftz = false;
  bool sanitizeThread = false; ///< host alone: accesses report to ThreadSanitizer, which the
                               ///< process that loads the code must hold
  MathLibraries math;
  bool runPasses =
      true; ///< false: IR kinds show the module as expansion leaves it, for measurements
  bool verboseAssembly = false; ///< text says beside each line through which calls it was inlined
};

/// Inline assembly that the target's assembler refuses: the user's program is at fault.
class AssemblyError : public llvm::ErrorInfo<AssemblyError> {
public:
  static char ID;
  explicit AssemblyError(std::string text) : text_(std::move(text)) {}
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string text_;
};

struct KernelResources {
  std::string entry;
  uint32_t registers = mgpu::kUnknown, scalarRegisters = mgpu::kUnknown,
           accumulationRegisters = mgpu::kUnknown, spillBytes = mgpu::kUnknown,
           scalarSpills = mgpu::kUnknown;
  uint32_t sharedBytes = mgpu::kUnknown, localBytes = mgpu::kUnknown;
};

/// One target's result. `bytes` is text for LlvmIr and Assembly (PTX on NVIDIA), else binary.
/// `Code` is what a `.mgpu` carries: PTX text, an HSACO, a host shared object.
struct Emitted {
  std::string bytes;
  std::vector<KernelResources> resources;
  std::vector<uint32_t>
      sharedBytes; ///< static shared memory of each kernel, in LoweredModule order
};

/// Registers LLVM's targets; called once, before anything else here.
void initialize();

/// The hooks that lowering needs for `spec`; an error if LLVM does not know the CPU.
llvm::Expected<std::unique_ptr<lowering::Target>> createTarget(const TargetSpec &spec);

/// Consumes `lowered` (its module is changed in place) and emits `kind` for `spec`. With LlvmIr and
/// optLevel 0 the module is printed as lowering left it; with a higher level after the pass
/// pipeline. Objects with assembly that the assembler refuses are an AssemblyError.
llvm::Expected<Emitted> emit(lowering::LoweredModule &lowered, const TargetSpec &spec,
                             const EmitOptions &options, EmitKind kind);

/// Fills in registers, spills and memory of the kernels from the metadata note of an HSACO.
llvm::Error readHsacoResources(llvm::StringRef hsaco, std::vector<KernelResources> &resources);

/// One code section of a module to write.
struct TargetCode {
  TargetSpec spec;
  Emitted code;
};

/// The bytes of a `.mgpu` (support/mgpu_format.h). `lowered` gives kernels, parameters and places,
/// the same for every target; `mir` may be empty.
llvm::Expected<std::string> writeModule(const lowering::LoweredModule &lowered,
                                        const std::vector<TargetCode> &codes, llvm::StringRef mir);

} // namespace mirgpu::codegen
