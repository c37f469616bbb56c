// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See math.h. From `call float @mirgpu.math.sin.f32(float %x)` to `call float @__nv_sinf(float %x)`
// with the body of libdevice's function in the module, or OCML's, or that of codegen/host/math.
// Invariant: of a library only what is used gets in, with the attributes of our own functions, so
// that the caller's processor and options decide how it is compiled.
#include "codegen/math.h"

#include "intrinsics/math.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/TargetParser/TargetParser.h"

using namespace llvm;

namespace mirgpu::codegen {

namespace {
struct Library {
  StringRef name, path, howToGet;
};
} // namespace

static Library libraryOf(Backend backend, const MathLibraries &libraries) {
  switch (backend) {
  case Backend::Nvptx:
    return {"NVIDIA's libdevice", libraries.libdevice,
            "install it with `pip install nvidia-nvvm` or a CUDA Toolkit, or name libdevice.10.bc "
            "with MIRGPU_LIBDEVICE"};
  case Backend::Amdgpu:
    return {"AMD's OCML", libraries.ocml,
            "install it with `apt-get install rocm-device-libs` or ROCm, or name ocml.bc with "
            "MIRGPU_OCML"};
  case Backend::Host:
    return {"the CPU device's math library", libraries.host,
            "build mirgpu with `./dev build`, which fetches SLEEF, or name host_math.bc with "
            "MIRGPU_HOST_MATH"};
  }
  llvm_unreachable("covered");
}

/// Calls of `neutral` as the instruction that computes it: frem, which the host has exactly.
static void replaceByInstruction(Function &neutral) {
  for (User *user : make_early_inc_range(neutral.users())) {
    auto *call = cast<CallInst>(user);
    IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateFRem(call->getArgOperand(0), call->getArgOperand(1)));
    call->eraseFromParent();
  }
}

/// Gives every neutral call its target's name; the names of the functions that a library must
/// define, in module order.
static std::vector<std::string> nameCalls(Module &module, Backend backend) {
  std::vector<std::string> needed;
  for (Function &fn : make_early_inc_range(module)) {
    const intrinsics::MathDef *def =
        fn.isDeclaration() ? intrinsics::findMathFunction(std::string_view(fn.getName())) : nullptr;
    if (!def)
      continue;
    std::string symbol = librarySymbol(*def, backend, fn.getReturnType()->isDoubleTy());
    if (symbol.empty() && !fn.use_empty())
      replaceByInstruction(fn);
    if (symbol.empty() || fn.use_empty()) {
      fn.eraseFromParent();
      continue;
    }
    fn.setName(symbol);
    needed.push_back(std::move(symbol));
  }
  return needed;
}

/// Flags that libdevice asks for through `__nvvm_reflect`, which LLVM's pipeline folds.
static void setReflection(Module &module, bool ftz) {
  module.addModuleFlag(Module::Override, "nvvm-reflect-ftz", ftz ? 1 : 0);
}

/// The constants that OCML asks: exact rules, and the processor. Its own files of constants end
/// with older processors.
static void defineOcmlConstants(Module &module, const TargetSpec &spec, bool ftz) {
  const AMDGPU::IsaVersion isa = AMDGPU::getIsaVersion(spec.cpu);
  for (GlobalVariable &global : module.globals()) {
    StringRef name = global.getName();
    if (!global.isDeclaration() || !name.consume_front("__oclc_"))
      continue;
    uint64_t value = 0; // unsafe_math_opt, finite_only_opt and what a newer OCML may add
    if (name == "ISA_version")
      value = 1000 * isa.Major + 100 * isa.Minor + isa.Stepping;
    else if (name == "daz_opt")
      value = ftz;
    else if (name == "correctly_rounded_sqrt32")
      value = 1;
    global.setInitializer(ConstantInt::get(global.getValueType(), value));
    global.setLinkage(GlobalValue::InternalLinkage);
  }
}

/// A library function's attributes name the processor and the options that it was compiled for.
static void adopt(Function &fn, Backend backend) {
  AttributeMask foreign;
  for (Attribute attribute : fn.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute())
      foreign.addAttribute(attribute.getKindAsString());
  foreign.addAttribute(Attribute::UWTable);
  foreign.addAttribute(Attribute::StackProtect);
  foreign.addAttribute(Attribute::StackProtectStrong);
  fn.removeFnAttrs(foreign);
  if (backend != Backend::Host)
    return;
  // A call would keep the loop around it scalar.
  fn.removeFnAttr(Attribute::NoInline);
  fn.addFnAttr(Attribute::AlwaysInline);
}

static Expected<std::unique_ptr<Module>> readLibrary(const Library &library, Module &module) {
  SMDiagnostic problem;
  std::unique_ptr<Module> source = getLazyIRFileModule(library.path, problem, module.getContext());
  if (!source)
    return createStringError("cannot read " + library.name + ": `" + library.path +
                             "`: " + problem.getMessage());
  source->setDataLayout(module.getDataLayout());
  source->setTargetTriple(module.getTargetTriple());
  while (!source->named_metadata_empty()) // its flags and versions are not ours
    source->eraseNamedMetadata(&*source->named_metadata_begin());
  return source;
}

Error linkMath(Module &module, const TargetSpec &spec, const EmitOptions &options) {
  std::vector<std::string> needed = nameCalls(module, spec.backend);
  if (needed.empty())
    return Error::success();
  TimeTraceScope trace("link math", spec.name);
  Library library = libraryOf(spec.backend, options.math);
  if (library.path.empty())
    return createStringError("the math functions of this program need " + library.name +
                             ", which was not found: " + library.howToGet);
  auto source = readLibrary(library, module);
  if (!source)
    return source.takeError();
  StringSet<> own;
  for (const Function &fn : module)
    if (!fn.isDeclaration())
      own.insert(fn.getName());
  if (Linker::linkModules(module, std::move(*source), Linker::Flags::LinkOnlyNeeded))
    return createStringError("cannot link " + library.name + ": `" + library.path + "`");
  std::vector<std::string> missing;
  for (const std::string &symbol : needed)
    if (module.getFunction(symbol)->isDeclaration())
      missing.push_back("`" + symbol + "`");
  if (!missing.empty())
    return createStringError(library.name + " in `" + library.path + "` lacks " +
                             join(missing, ", "));
  if (spec.backend == Backend::Nvptx)
    setReflection(module, options.ftz);
  if (spec.backend == Backend::Amdgpu)
    defineOcmlConstants(module, spec, options.ftz);
  for (Function &fn : module)
    if (!fn.isDeclaration() && !own.contains(fn.getName()))
      adopt(fn, spec.backend);
  return Error::success();
}

} // namespace mirgpu::codegen
