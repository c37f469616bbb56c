// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From lowering's neutral module to one target's code. After each step, what is true:
//   checks       every used row exists on the target, nothing is in the module that its back end
//   aborts on expand       entries have the target's calling convention, no `mirgpu.*` declaration
//   is left, entries and the host's statics alone are visible optimize     the target machine's own
//   pipeline has run, nothing used is undefined emit, link   text or bytes; an HSACO or a host
//   object needs nothing that its loader does not give
#include "codegen/codegen.h"

#include "codegen/check_module.h"
#include "codegen/entry.h"
#include "codegen/host/thread_loop.h"
#include "codegen/link.h"
#include "codegen/math.h"
#include "codegen/panic.h"
#include "codegen/pipeline.h"
#include "codegen/shared_memory.h"
#include "codegen/target_machine.h"
#include "intrinsics/intrinsics.h"
#include "support/check.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace mirgpu::codegen {

using lowering::LoweredModule;

static std::string printIr(const Module &module, EmitKind kind) {
  std::string bytes;
  raw_string_ostream out(bytes);
  if (kind == EmitKind::LlvmIr)
    out << module;
  else
    WriteBitcodeToFile(module, out);
  return bytes;
}

static bool isIrKind(EmitKind kind) { return kind == EmitKind::LlvmIr || kind == EmitKind::LlvmBc; }

/// PTX names are of letters, digits, `_` and `$`; LLVM aborts on an entry with others.
static Error checkEntryNames(const LoweredModule &lowered, const TargetSpec &spec) {
  for (const lowering::LoweredKernel &kernel : lowered.kernels)
    if (spec.backend == Backend::Nvptx &&
        !all_of(kernel.entry, [](char c) { return isAlnum(c) || c == '_' || c == '$'; }))
      return createStringError("PTX has no symbol called `" + kernel.entry + "`");
  return Error::success();
}

static Error checkOptions(const TargetSpec &spec, const EmitOptions &options, EmitKind kind) {
  if (spec.backend == Backend::Host && (options.tier == Tier::T1 || options.tier == Tier::T2))
    return createStringError("tier " + Twine(options.tier == Tier::T1 ? "T1" : "T2") +
                             " of the CPU device is not built yet; T0 (a loop over the threads of "
                             "a block) and T3 (fibers) are");
  if (spec.backend != Backend::Host && options.sanitizeThread)
    return createStringError("ThreadSanitizer watches the CPU device alone, not `" + spec.name +
                             "`");
  if (spec.backend == Backend::Nvptx && kind == EmitKind::Object)
    return createStringError(
        "there is no object form of PTX; ask for ptx, or for cubin once an assembler is at hand");
  return Error::success();
}

/// Attributes that hold for every function of the module.
static void setFunctionAttributes(Module &module, const TargetMachine &machine,
                                  const EmitOptions &options) {
  const Triple &triple = machine.getTargetTriple();
  bool probes = triple.isX86() || triple.isAArch64();
  for (Function &fn : module) {
    if (fn.isDeclaration())
      continue;
    if (options.sanitizeThread)
      fn.addFnAttr(Attribute::SanitizeThread);
    if (options.ftz)
      fn.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    if (probes)
      fn.addFnAttr("probe-stack",
                   "inline-asm"); // a deep frame must not step over a fiber's guard page
  }
}

/// The names that the code must export.
static std::vector<std::string> makeEntries(LoweredModule &lowered, const TargetSpec &spec,
                                            ArrayRef<std::string> t0Refusals) {
  std::vector<std::string> entries;
  for (const lowering::LoweredKernel &kernel : lowered.kernels)
    entries.push_back(kernel.entry);
  switch (spec.backend) {
  case Backend::Nvptx:
    nvptx::makeEntries(lowered);
    return entries;
  case Backend::Amdgpu:
    amdgpu::makeEntries(lowered, spec);
    return entries;
  case Backend::Host:
    return host::makeEntries(lowered, t0Refusals);
  }
  llvm_unreachable("covered");
}

/// For each kernel why it has no T0 code; an error where the user wants it and there can be none.
static Expected<std::vector<std::string>> t0Refusals(LoweredModule &lowered, const TargetSpec &spec,
                                                     const EmitOptions &options) {
  std::vector<std::string> refusals;
  if (spec.backend != Backend::Host || options.tier == Tier::T3)
    return refusals;
  refusals = host::t0Refusals(lowered);
  for (size_t i = 0; options.tier == Tier::T0 && i < refusals.size(); ++i)
    if (!refusals[i].empty())
      return createStringError("tier T0 does not admit kernel `" + lowered.kernels[i].key +
                               "`: " + refusals[i]);
  return refusals;
}

static void definePanics(LoweredModule &lowered, const TargetSpec &spec, PanicExit mode) {
  Module &module = *lowered.module;
  switch (spec.backend) {
  case Backend::Nvptx:
    return nvptx::definePanics(module, trappingFunctions(lowered, mode));
  case Backend::Amdgpu: // the wave ends as a whole, so that no lane of it waits for another: only
                        // the option traps
    return amdgpu::definePanics(
        module, trappingFunctions(lowered, mode == PanicExit::Auto ? PanicExit::Exit : mode));
  case Backend::Host:
    return host::definePanics(module);
  }
  llvm_unreachable("covered");
}

/// From the neutral form to the target's: after this no `mirgpu.*` declaration is left.
static Error expand(LoweredModule &lowered, const TargetSpec &spec, const EmitOptions &options,
                    const SharedLayout &shared) {
  TimeTraceScope trace("expand", spec.name);
  Module &module = *lowered.module;
  Expected<std::vector<std::string>> refusals = t0Refusals(lowered, spec, options);
  if (!refusals)
    return refusals.takeError();
  if (spec.backend == Backend::Host)
    host::yieldInSpinLoops(module);
  definePanics(lowered, spec, options.panic);
  std::vector<std::string> made = makeEntries(lowered, spec, *refusals);
  expandSharedAddress(module, spec, shared);
  intrinsics::expandIntrinsics(module, spec);
  if (spec.backend == Backend::Nvptx)
    nvptx::keepLinesOnly(module);
  if (Error error = linkMath(module, spec, options))
    return error;
  StringSet<> visible;
  for (const std::string &name : made)
    visible.insert(name);
  for (const lowering::LoweredStatic &item : lowered.statics)
    visible.insert(item.symbol);
  internalizeModule(module,
                    [&](const GlobalValue &global) { return visible.contains(global.getName()); });
  return Error::success();
}

/// Atomics in the forms of PTX. Local memory that only atomics kept from becoming registers gets
/// another chance.
static Error finishAtomics(Module &module, TargetMachine &machine, const EmitOptions &options) {
  bool morePlain = nvptx::makeLocalAtomicsPlain(module);
  if (morePlain && options.optLevel > 0 && options.runPasses)
    promoteLocals(module, machine);
  return nvptx::legalizeAtomics(module);
}

/// Bytes of the kind that is asked for, from an optimised module.
static Expected<std::string> emitCode(Module &module, TargetMachine &machine,
                                      const TargetSpec &spec, EmitKind kind) {
  if (spec.backend == Backend::Nvptx || kind == EmitKind::Assembly) {
    auto text = emitMachineCode(module, machine, CodeGenFileType::AssemblyFile);
    if (text && spec.backend == Backend::Nvptx)
      if (Error error = checkPtxDefined(*text, spec))
        return std::move(error);
    return text;
  }
  auto object = emitMachineCode(module, machine, CodeGenFileType::ObjectFile);
  if (!object || kind == EmitKind::Object)
    return object;
  if (Error error = checkObjectDefined(*object, spec))
    return std::move(error);
  return linkShared(*object, spec);
}

static Emitted startResult(const LoweredModule &lowered, const SharedLayout &shared) {
  Emitted result;
  result.sharedBytes = shared.kernelBytes;
  for (size_t i = 0; i < lowered.kernels.size(); ++i) {
    KernelResources &resources = result.resources.emplace_back();
    resources.entry = lowered.kernels[i].entry;
    resources.sharedBytes = shared.kernelBytes[i];
  }
  return result;
}

/// The layout of `module` must be the machine's: lowering took it from there.
static void adoptMachine(Module &module, const TargetMachine &machine) {
  MIRGPU_CHECK(module.getDataLayout().getStringRepresentation() ==
                   machine.createDataLayout().getStringRepresentation(),
               "the module was lowered for another data layout");
  module.setTargetTriple(machine.getTargetTriple());
}

Expected<Emitted> emit(LoweredModule &lowered, const TargetSpec &spec, const EmitOptions &options,
                       EmitKind kind) {
  Module &module = *lowered.module;
  Expected<SharedLayout> shared = layoutSharedMemory(lowered);
  if (!shared)
    return shared.takeError();
  Emitted result = startResult(lowered, *shared);
  if (isIrKind(kind) && options.optLevel == 0) {
    result.bytes = printIr(module, kind);
    return result;
  }
  if (Error error = checkOptions(spec, options, kind))
    return std::move(error);
  if (Error error = checkEntryNames(lowered, spec))
    return std::move(error);
  Expected<uint32_t> ptx = checkRequirements(module, spec);
  if (!ptx)
    return ptx.takeError();
  if (Error error = checkSupported(module, spec))
    return std::move(error);
  auto machine = createTargetMachine(spec, options.optLevel, *ptx);
  if (!machine)
    return machine.takeError();
  (*machine)->Options.MCOptions.AsmVerbose = options.verboseAssembly;
  adoptMachine(module, **machine);
  if (Error error = expand(lowered, spec, options, *shared))
    return std::move(error);
  setFunctionAttributes(module, **machine, options);
  verifyOrDie(module, "after expansion");
  if (options.runPasses)
    optimize(module, **machine, options);
  if (spec.backend == Backend::Host)
    host::lowerLanes(module);
  if (spec.backend == Backend::Nvptx)
    if (Error error = finishAtomics(module, **machine, options))
      return std::move(error);
  if (spec.backend == Backend::Nvptx && options.optLevel > 0 && options.runPasses)
    nvptx::inlinePanics(module);
  verifyOrDie(module, "after the passes");
  if (Error error = checkDefined(module, spec))
    return std::move(error);
  if (Error error = checkNoCycles(module, spec))
    return std::move(error);
  if (isIrKind(kind)) {
    result.bytes = printIr(module, kind);
    return result;
  }
  auto bytes = emitCode(module, **machine, spec, kind);
  if (!bytes)
    return bytes.takeError();
  result.bytes = std::move(*bytes);
  if (spec.backend == Backend::Amdgpu && kind == EmitKind::Code)
    if (Error error = readHsacoResources(result.bytes, result.resources))
      return std::move(error);
  return result;
}

} // namespace mirgpu::codegen
