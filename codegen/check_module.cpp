// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would make LLVM's back ends abort or a loader refuse the result, found first and said as an
// error (check_module.h): rows that a target lacks, 128-bit floats, foreign scopes, undefined
// symbols. GPU code may need nothing from outside; host code a few functions of the C library, the
// maths library and the compiler's runtime, which every process that maps it has.
#include "codegen/check_module.h"

#include "intrinsics/intrinsics.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"

using namespace llvm;

namespace mirgpu::codegen {

Expected<uint32_t> checkRequirements(const Module &module, const TargetSpec &spec) {
  uint32_t ptx = 0;
  std::vector<std::string> missing;
  for (const Function &fn : module) {
    StringRef id = fn.getName();
    if (!fn.isDeclaration() || fn.use_empty() || !id.consume_front("mirgpu."))
      continue;
    const intrinsics::IntrinsicDef *def = intrinsics::find(std::string_view(id));
    if (!def)
      continue;
    ptx = std::max(ptx, def->minimums.ptx);
    if (auto why = intrinsics::missingRequirement(*def, spec))
      missing.push_back("`" + id.str() + "` " + *why);
  }
  if (!missing.empty())
    return createStringError(join(missing, "; ") + "; this build targets " + spec.name);
  return ptx;
}

/// Scopes that a target's back end accepts.
static ArrayRef<StringRef> knownScopes(Backend backend) {
  static constexpr StringRef nvptx[] = {"", "device", "cluster", "block"};
  static constexpr StringRef amdgpu[] = {"",          "agent",     "cluster",
                                         "workgroup", "wavefront", "singlethread"};
  static constexpr StringRef host[] = {"", "singlethread"};
  switch (backend) {
  case Backend::Nvptx:
    return nvptx;
  case Backend::Amdgpu:
    return amdgpu;
  case Backend::Host:
    return host;
  }
  llvm_unreachable("covered");
}

static bool isWideFloat(Type *type) {
  Type *scalar = type->getScalarType();
  return scalar->isFP128Ty() || scalar->isX86_FP80Ty() || scalar->isPPC_FP128Ty();
}

/// What is wrong with `inst` on `spec`, or an empty text.
static std::string unsupportedPart(const Instruction &inst, const TargetSpec &spec) {
  if (isWideFloat(inst.getType()) ||
      any_of(inst.operands(), [](const Use &use) { return isWideFloat(use->getType()); }))
    return "128-bit floating point";
  if (std::optional<SyncScope::ID> scope = getAtomicSyncScopeID(&inst)) {
    StringRef name = inst.getContext().getSyncScopeName(*scope).value_or("?");
    bool isCompilerFence =
        isa<FenceInst>(inst) && name == "singlethread"; // nvptx/atomics.cpp has a form for it
    if (!is_contained(knownScopes(spec.backend), name) && !isCompilerFence)
      return "an atomic operation of scope `" + name.str() + "`";
  }
  Type *accessed = nullptr;
  if (inst.isAtomic()) {
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst))
      accessed = exchange->getNewValOperand()->getType();
    else if (isa<LoadInst>(inst) || isa<AtomicRMWInst>(inst))
      accessed = inst.getType();
    else if (auto *store = dyn_cast<StoreInst>(&inst))
      accessed = store->getValueOperand()->getType();
  }
  if (accessed && spec.backend != Backend::Host && accessed->getPrimitiveSizeInBits() > 64)
    return "an atomic operation of 128 bits";
  return "";
}

Error checkSupported(const Module &module, const TargetSpec &spec) {
  std::vector<std::string> found;
  for (const Function &fn : module)
    for (const BasicBlock &block : fn)
      for (const Instruction &inst : block)
        if (std::string part = unsupportedPart(inst, spec); !part.empty() && found.size() < 8)
          found.push_back(part + " in `" + fn.getName().str() + "`");
  if (found.empty())
    return Error::success();
  return createStringError("not available on " + spec.name + ": " + join(found, ", "));
}

/// Whether a process that maps host code has `name`: what LLVM calls by itself where the processor
/// has no instruction. Every one is exact, so that it does not matter whose it is.
static bool isHostProvided(StringRef name) {
  static const StringSet<> names = {
      "memcpy",    "memmove",       "memset",       "memcmp",      "bcmp",      "strlen",
      "fmod",      "fmodf",         "fma",          "fmaf",        "floor",     "floorf",
      "ceil",      "ceilf",         "trunc",        "truncf",      "round",     "roundf",
      "roundeven", "roundevenf",    "rint",         "rintf",       "nearbyint", "nearbyintf",
      "ldexp",     "ldexpf",        "__udivti3",    "__umodti3",   "__divti3",  "__modti3",
      "__multi3",  "__extendhfsf2", "__truncsfhf2", "__truncdfhf2"};
  return names.contains(name);
}

static bool isProvided(StringRef name, const TargetSpec &spec) {
  // ThreadSanitizer's functions are in the process that loads the code (--sanitize=thread).
  return spec.backend == Backend::Host && (isHostProvided(name) || name.starts_with("__tsan_"));
}

static Error undefined(ArrayRef<std::string> names, const TargetSpec &spec) {
  if (names.empty())
    return Error::success();
  return createStringError("code for " + spec.name +
                           " needs what is defined nowhere: " + join(names, ", "));
}

Error checkDefined(const Module &module, const TargetSpec &spec) {
  std::vector<std::string> names;
  for (const Function &fn : module)
    if (fn.isDeclaration() && !fn.isIntrinsic() && !fn.use_empty() &&
        !isProvided(fn.getName(), spec))
      names.push_back("`" + fn.getName().str() + "`");
  for (const GlobalVariable &global : module.globals()) {
    // `external [0 x i8]` in a space of its own is the dynamic shared memory.
    bool isDynamicShared = global.getAddressSpace() != 0 &&
                           module.getDataLayout().getTypeAllocSize(global.getValueType()) == 0;
    if (global.isDeclaration() && !global.use_empty() && !isDynamicShared)
      names.push_back("`" + global.getName().str() + "`");
  }
  return undefined(names, spec);
}

/// Globals that the initialiser of `global` names.
static SmallVector<const GlobalVariable *, 4> namedGlobals(const GlobalVariable &global) {
  SmallVector<const GlobalVariable *, 4> named;
  SmallVector<const Constant *, 16> worklist;
  SmallPtrSet<const Constant *, 16> seen;
  if (global.hasInitializer())
    worklist.push_back(global.getInitializer());
  while (!worklist.empty()) {
    const Constant *constant = worklist.pop_back_val();
    if (!seen.insert(constant).second)
      continue;
    if (auto *other = dyn_cast<GlobalVariable>(constant))
      named.push_back(other);
    else if (!isa<GlobalValue>(constant))
      for (const Use &operand : constant->operands())
        worklist.push_back(cast<Constant>(operand));
  }
  return named;
}

Error checkNoCycles(const Module &module, const TargetSpec &spec) {
  if (spec.backend != Backend::Nvptx)
    return Error::success();
  // Depth first; a global is open while what it names is walked.
  enum class State : uint8_t { New, Open, Done };
  struct Frame {
    const GlobalVariable *global;
    SmallVector<const GlobalVariable *, 4> rest;
  };
  DenseMap<const GlobalVariable *, State> states;
  for (const GlobalVariable &root : module.globals()) {
    std::vector<Frame> stack;
    auto open = [&](const GlobalVariable *global) {
      states[global] = State::Open;
      stack.push_back({global, namedGlobals(*global)});
    };
    if (states.lookup(&root) == State::New)
      open(&root);
    while (!stack.empty()) {
      if (stack.back().rest.empty()) {
        states[stack.back().global] = State::Done;
        stack.pop_back();
        continue;
      }
      const GlobalVariable *next = stack.back().rest.pop_back_val();
      if (states.lookup(next) == State::Open)
        return createStringError("not available on " + spec.name +
                                 ": statics or constants that refer to each other in a ring (`" +
                                 next->getName() + "`)");
      if (states.lookup(next) == State::New)
        open(next);
    }
  }
  return Error::success();
}

Error checkPtxDefined(StringRef ptx, const TargetSpec &spec) {
  SetVector<StringRef> names;
  for (StringRef rest = ptx; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    line = line.trim();
    if (!line.consume_front(".extern .func"))
      continue;
    line = line.trim();
    if (line.starts_with("(")) // the result
      line = line.substr(line.find(')') + 1).trim();
    names.insert(line.take_while([](char c) { return c != '(' && c != ' ' && c != ';'; }));
  }
  std::vector<std::string> quoted;
  for (StringRef name : names)
    if (name != "vprintf")
      quoted.push_back("`" + name.str() + "`");
  return undefined(quoted, spec);
}

Error checkObjectDefined(StringRef bytes, const TargetSpec &spec) {
  auto object = object::ObjectFile::createELFObjectFile(MemoryBufferRef(bytes, "object"));
  if (!object)
    return object.takeError();
  std::vector<std::string> names;
  for (const object::SymbolRef &symbol : (*object)->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if ((*flags & object::SymbolRef::SF_Undefined) && !name->empty() &&
        *name != "_GLOBAL_OFFSET_TABLE_" && !isProvided(*name, spec))
      names.push_back("`" + name->str() + "`");
  }
  llvm::sort(names);
  return undefined(names, spec);
}

} // namespace mirgpu::codegen
