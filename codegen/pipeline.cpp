// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an expanded module to an optimised one, and to assembly or an object, by LLVM's pipelines
// alone. The TargetMachine always gives the TTI: without it LLVM does not know that threads diverge
// and moves barriers. Function merging stays off (an alias of a kernel is fatal to the NVPTX back
// end), unrolling is an option, since only it may clone a barrier (DESIGN D6).
#include "codegen/pipeline.h"

#include "codegen/constant_pointers.h"
#include "codegen/edge_values.h"
#include "codegen/host/thread_loop.h"
#include "codegen/split_locals.h"
#include "codegen/thread_jumps.h"
#include "codegen/unroll_hints.h"
#include "codegen/version_checks.h"
#include "lowering/inline_asm.h"
#include "support/check.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace mirgpu::codegen {

static OptimizationLevel levelOf(unsigned optLevel) {
  switch (optLevel) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default:
    return OptimizationLevel::O3;
  }
}

/// The passes of ours that make loops as tight as NVIDIA's compiler does.
static void addOwnPasses(PassBuilder &builder, const EmitOptions &options) {
  builder.registerPeepholeEPCallback([](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(SplitLocals());
    passes.addPass(EdgeValues());
  });
  builder.registerScalarOptimizerLateEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) { passes.addPass(ThreadJumps()); });
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &passes, OptimizationLevel) { passes.addPass(VersionChecks()); });
  if (options.unroll)
    builder.registerVectorizerStartEPCallback(
        [](FunctionPassManager &passes, OptimizationLevel) { passes.addPass(UnrollHints()); });
}

static bool isGpu(const Triple &triple) { return triple.isNVPTX() || triple.isAMDGPU(); }

/// Where AMDGPU's own callbacks run InferAddressSpaces; to be registered before those.
static void addBeforeInference(PassBuilder &builder) {
  builder.registerCGSCCOptimizerLateEPCallback([](CGSCCPassManager &passes, OptimizationLevel) {
    passes.addPass(createCGSCCToFunctionPassAdaptor(FreezeConstantPointers()));
  });
  builder.registerScalarOptimizerLateEPCallback([](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(FreezeConstantPointers());
  });
}

/// Runs the passes that `make` gives for the machine's pass builder.
static void runPasses(Module &module, TargetMachine &machine, const PipelineTuningOptions &tuning,
                      function_ref<ModulePassManager(PassBuilder &)> make) {
  // Without the machine, which would register its callbacks before ours.
  PassBuilder builder(nullptr, tuning);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  TargetLibraryInfoImpl library(machine.getTargetTriple());
  functions.registerPass([&] { return TargetLibraryAnalysis(library); });
  functions.registerPass([&] { return machine.getTargetIRAnalysis(); });
  if (isGpu(machine.getTargetTriple()))
    addBeforeInference(builder);
  machine.registerPassBuilderCallbacks(builder);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  make(builder).run(module, modules);
}

/// Last, so that only accesses that are left are watched.
static void addThreadSanitizer(PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
        passes.addPass(ModuleThreadSanitizerPass());
        passes.addPass(createModuleToFunctionPassAdaptor(ThreadSanitizerPass()));
      });
}

void optimize(Module &module, TargetMachine &machine, const EmitOptions &options) {
  TimeTraceScope trace("optimize", module.getName());
  PipelineTuningOptions tuning;
  tuning.LoopUnrolling = options.unroll;
  tuning.MergeFunctions = false;
  OptimizationLevel level = levelOf(options.optLevel);
  runPasses(module, machine, tuning, [&](PassBuilder &builder) {
    if (options.optLevel >= 2 && machine.getTargetTriple().isNVPTX())
      addOwnPasses(builder, options);
    if (options.optLevel >= 1 && !isGpu(machine.getTargetTriple()))
      host::addThreadLoopPasses(builder);
    if (options.sanitizeThread)
      addThreadSanitizer(builder);
    return options.optLevel == 0 ? builder.buildO0DefaultPipeline(level)
                                 : builder.buildPerModuleDefaultPipeline(level);
  });
}

void promoteLocals(Module &module, TargetMachine &machine) {
  runPasses(module, machine, PipelineTuningOptions(), [](PassBuilder &) {
    FunctionPassManager passes;
    passes.addPass(SROAPass(SROAOptions::PreserveCFG));
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
    ModulePassManager all;
    all.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
    return all;
  });
}

namespace {
/// Collects what LLVM reports as errors through the context while it lives; without it LLVM would
/// end the process.
class ErrorCollector {
public:
  explicit ErrorCollector(const Module &module)
      : module_(module), handler_(module.getContext().getDiagnosticHandlerCallBack()),
        data_(module.getContext().getDiagnosticContext()) {
    module.getContext().setDiagnosticHandlerCallBack(&collect, this);
  }
  ~ErrorCollector() { module_.getContext().setDiagnosticHandlerCallBack(handler_, data_); }
  ErrorCollector(const ErrorCollector &) = delete;
  ErrorCollector &operator=(const ErrorCollector &) = delete;
  /// What was reported, `; ` between two.
  const std::string &text() const { return text_; }
  /// Whether all of it is about inline assembly.
  bool isAssembly() const { return isAssembly_; }

private:
  static void collect(const DiagnosticInfo *info, void *self) {
    if (info->getSeverity() == DS_Error)
      static_cast<ErrorCollector *>(self)->add(*info);
  }

  void add(const DiagnosticInfo &info) {
    raw_string_ostream out(text_);
    if (!text_.empty())
      out << "; ";
    if (const auto *line = dyn_cast<DiagnosticInfoSrcMgr>(&info)) {
      const SMDiagnostic &diagnostic = line->getSMDiag();
      out << asmPlace(line->getLocCookie()) << diagnostic.getMessage() << ": `"
          << diagnostic.getLineContents().trim() << "`";
      return;
    }
    if (const auto *assembly = dyn_cast<DiagnosticInfoInlineAsm>(&info)) {
      out << asmPlace(assembly->getLocCookie()) << assembly->getMsgStr();
      return;
    }
    isAssembly_ = false;
    DiagnosticPrinterRawOStream printer(out);
    info.print(printer);
  }

  /// `FILE:LINE:COLUMN: ` of the assembly with this `!srcloc`.
  std::string asmPlace(uint64_t cookie) const {
    const NamedMDNode *places = module_.getNamedMetadata(lowering::kAsmPlaces);
    if (!places || cookie == 0 || cookie > places->getNumOperands())
      return "";
    const MDNode *place = places->getOperand(static_cast<unsigned>(cookie) - 1);
    return (cast<MDString>(place->getOperand(0))->getString() + ": ").str();
  }

  const Module &module_;
  DiagnosticHandler::DiagnosticHandlerTy handler_;
  void *data_;
  std::string text_;
  bool isAssembly_ = true;
};
} // namespace

char AssemblyError::ID = 0;
void AssemblyError::log(raw_ostream &out) const { out << text_; }
std::error_code AssemblyError::convertToErrorCode() const {
  return std::make_error_code(std::errc::invalid_argument);
}

Expected<std::string> emitMachineCode(Module &module, TargetMachine &machine,
                                      CodeGenFileType type) {
  TimeTraceScope trace("emit", module.getName());
  if (isGpu(machine.getTargetTriple())) // whose back ends begin with InferAddressSpaces
    runPasses(module, machine, PipelineTuningOptions(), [](PassBuilder &) {
      ModulePassManager all;
      all.addPass(createModuleToFunctionPassAdaptor(FreezeConstantPointers()));
      return all;
    });
  ErrorCollector errors(module);
  SmallString<0> bytes;
  raw_svector_ostream out(bytes);
  legacy::PassManager passes;
  passes.add(new TargetLibraryInfoWrapperPass(TargetLibraryInfoImpl(machine.getTargetTriple())));
  if (machine.addPassesToEmitFile(passes, out, nullptr, type))
    return createStringError("LLVM's target for " + machine.getTargetTriple().str() +
                             " does not write this kind of file");
  passes.run(module);
  if (!errors.text().empty() && errors.isAssembly())
    return make_error<AssemblyError>("inline assembly that " + machine.getTargetTriple().str() +
                                     " does not take: " + errors.text());
  if (!errors.text().empty())
    return createStringError("code generation for " + machine.getTargetTriple().str() +
                             " failed: " + errors.text());
  return bytes.str().str();
}

void verifyOrDie(Module &module, StringRef when) {
  std::string text;
  raw_string_ostream out(text);
  if (verifyModule(module, &out))
    checkFailed(__FILE__, __LINE__,
                ("the module does not verify " + when + ": " + text).str().c_str());
}

} // namespace mirgpu::codegen
