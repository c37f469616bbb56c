// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statics as globals. A `shared` static lives in the target's shared space without an initialiser,
// a `#[constant]` one and a ConstantMemory in its constant space, every other in its global space.
// What the host may read and write by name (LoweredStatic: a static that can change and holds no
// address when it starts) is visible from outside, so that LLVM does not take its value for known;
// the rest is internal. A static that the target's memory cannot hold is a diagnostic (MG0202).
#include "lowering/globals.h"
#include "lowering/symbol_name.h"
#include "support/check.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace mirgpu::lowering {

static bool isLang(const ModuleContext &mc, mir::TypeId ty, std::string_view name) {
  const mir::ToolAttr *lang = mir::findToolAttr(mc.program.types[ty].toolAttrs, "lang");
  return lang && !lang->args.empty() && lang->args.front() == name;
}

bool ModuleContext::isSharedArray(mir::TypeId ty) const {
  return isLang(*this, ty, "shared_array");
}

bool ModuleContext::isShared(mir::StaticId id) const {
  const mir::Static &item = program.statics[id];
  return mir::findToolAttr(item.toolAttrs, "shared") || isSharedArray(item.ty);
}

static llvm::Type *bytesType(const ModuleContext &mc, uint64_t size) {
  return llvm::ArrayType::get(llvm::Type::getInt8Ty(mc.context), size);
}

static llvm::GlobalVariable *undefGlobal(ModuleContext &mc, uint64_t size, uint64_t align,
                                         MemorySpace space, const std::string &name) {
  llvm::Type *type = bytesType(mc, size);
  llvm::GlobalVariable *global =
      makeGlobal(mc, type, false, align, space, llvm::GlobalValue::InternalLinkage, name);
  global->setInitializer(llvm::UndefValue::get(type));
  return global;
}

/// The largest alignment that a module's tables have.
static constexpr uint64_t kMaxHostAlign = 65536;

namespace {
/// Where a static with an initialiser goes.
struct StaticKind {
  bool isConstantMemory; ///< ConstantMemory<T>: the host writes it
  bool isConstant;       ///< no thread writes it
  bool inConstantSpace;
};
} // namespace

static StaticKind kindOf(const ModuleContext &mc, const mir::Static &item) {
  const bool isConstantMemory = isLang(mc, item.ty, "constant_memory") && !item.isMutable;
  const bool isConstant = isConstantMemory || (!item.isMutable && !item.interiorMutable);
  return {isConstantMemory, isConstant,
          isConstant && (isConstantMemory || mir::findToolAttr(item.toolAttrs, "constant"))};
}

/// The number, bool or char that a value of `ty` is made of, alone or in arrays; invalid if it is
/// made of something else.
static mir::TypeId primitiveOf(const mir::Program &program, mir::TypeId ty) {
  // Wrappers around one field and arrays; the verifier keeps types from containing themselves.
  for (;;) {
    const mir::Type &type = program.types[ty];
    if (const auto *array = std::get_if<mir::TyArray>(&type.kind)) {
      ty = array->elem;
      continue;
    }
    if (std::holds_alternative<mir::TyInt>(type.kind) ||
        std::holds_alternative<mir::TyFloat>(type.kind) ||
        std::holds_alternative<mir::TyBool>(type.kind) ||
        std::holds_alternative<mir::TyChar>(type.kind))
      return ty;
    const auto *adt = std::get_if<mir::TyAdt>(&type.kind);
    if (!adt || adt->kind == mir::AdtKind::Enum || type.variants.size() != 1)
      return {};
    mir::TypeId only;
    for (const mir::Field &field : type.variants.front().fields) {
      if (program.types[field.ty].size == 0)
        continue;
      if (only.isValid())
        return {};
      only = field.ty;
    }
    if (!only.isValid() || program.types[only].size != type.size)
      return {};
    ty = only;
  }
}

std::vector<LoweredStatic> ModuleContext::hostStatics() const {
  std::vector<LoweredStatic> rows;
  for (const auto &[id, symbol] : hostStatics_) {
    if (!module.getNamedGlobal(symbol))
      continue; // what is left needs it no more
    const mir::Static &item = program.statics[id];
    const mir::Type &type = program.types[item.ty];
    LoweredStatic row;
    row.key = item.symbol;
    row.symbol = symbol;
    row.typeName = type.name;
    row.size = std::get<mir::AllocMemory>(program.allocs[item.init]).bytes.size();
    row.align = static_cast<uint32_t>(item.align);
    row.isConstant = kindOf(*this, item).isConstant;
    if (const mir::TypeId element = primitiveOf(program, item.ty);
        element.isValid() && program.types[element].size != 0 &&
        row.size % program.types[element].size == 0) {
      row.elementName = program.types[element].name;
      row.elementSize = program.types[element].size;
    }
    rows.push_back(std::move(row));
  }
  std::ranges::sort(rows, {}, &LoweredStatic::key);
  return rows;
}

/// MG0202 at the definition of a static, with who needs it.
Diagnostic &ModuleContext::staticError(mir::StaticId id, std::string message) {
  const mir::FunctionId requester = staticRequesters_[id.index];
  Diagnostic &diagnostic = error(requester, "MG0202", std::move(message), program.statics[id].span);
  if (diagnostic.callChain.empty() && diagnostic.notes.empty() && requester.isValid())
    diagnostic.notes.push_back("required by kernel `" +
                               std::string(program.functions[requester].defPath) + "`");
  return diagnostic;
}

/// Counts the static against the target's constant memory.
void ModuleContext::reserveConstant(mir::StaticId id, uint64_t bytes) {
  const mir::Static &item = program.statics[id];
  constantBytes_ = llvm::alignTo(constantBytes_, item.align) + bytes;
  if (constantBytes_ <= target.maxConstantBytes())
    return;
  Diagnostic &diagnostic =
      staticError(id, "with the " + std::to_string(bytes) + " bytes of `" +
                          std::string(item.symbol) + "` this module needs " +
                          std::to_string(constantBytes_) + " bytes of constant memory; " +
                          target.spec().name + " has " + std::to_string(target.maxConstantBytes()));
  if (diagnostic.help.empty())
    diagnostic.help.push_back("leave out `#[constant]`: a plain static lies in global memory, and "
                              "reads of it are cached too");
}

llvm::GlobalVariable *ModuleContext::initializedStatic(mir::StaticId id) {
  const mir::Static &item = program.statics[id];
  const auto *memory = std::get_if<mir::AllocMemory>(&program.allocs[item.init]);
  MIRGPU_CHECK(memory, "a static whose initialiser is not memory");
  const StaticKind kind = kindOf(*this, item);
  if (!kind.isConstant && mir::findToolAttr(item.toolAttrs, "constant"))
    staticError(id, "`" + std::string(item.symbol) +
                        "` can be written by a kernel, and `#[constant]` memory cannot");
  if (kind.inConstantSpace)
    reserveConstant(id, memory->bytes.size());
  // The CPU has no memory of its own for constants, and the host writes a ConstantMemory.
  const bool hasConstantSpace =
      target.addressSpace(MemorySpace::Constant) != target.addressSpace(MemorySpace::Generic);
  const bool isForHost = (!kind.isConstant || kind.isConstantMemory) && memory->relocs.empty() &&
                         !memory->bytes.empty() && item.align <= kMaxHostAlign;
  llvm::GlobalVariable *global = makeGlobal(
      *this, initializerType(*this, *memory),
      kind.isConstant && (hasConstantSpace || !kind.isConstantMemory),
      std::max(item.align, memory->align),
      kind.inConstantSpace ? MemorySpace::Constant : MemorySpace::Global,
      isForHost ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage,
      staticName(item));
  if (isForHost) {
    global->setVisibility(llvm::GlobalValue::ProtectedVisibility);
    global->setDSOLocal(true);
    global->setExternallyInitialized(kind.isConstantMemory && hasConstantSpace);
    hostStatics_.emplace_back(id, global->getName().str());
  }
  return global;
}

/// A kernel keeps its entry name.
std::string ModuleContext::staticName(const mir::Static &item) {
  std::string name = symbolName(item.symbol);
  if (std::ranges::any_of(program.kernels, [&](const mir::Kernel &kernel) {
        return symbolName(kernel.entry) == name;
      }))
    name += "$static";
  return uniqueName(std::move(name));
}

/// A byte with the answer; null if the static asks nothing about the target.
llvm::GlobalVariable *ModuleContext::targetQuery(mir::StaticId id) {
  const mir::Static &item = program.statics[id];
  const mir::ToolAttr *attribute = mir::findToolAttr(item.toolAttrs, "target");
  if (!attribute || attribute->args.size() != 1 ||
      !std::holds_alternative<mir::TyBool>(program.types[item.ty].kind))
    return nullptr;
  const bool answer = attribute->args.front() == backendName(target.spec().backend);
  llvm::Type *byte = llvm::Type::getInt8Ty(context);
  llvm::GlobalVariable *global =
      makeGlobal(*this, byte, /*isConstant=*/true, 1, MemorySpace::Global,
                 llvm::GlobalValue::InternalLinkage, staticName(item));
  global->setInitializer(llvm::ConstantInt::get(byte, answer));
  targetAnswers_[global] = answer;
  return global;
}

std::optional<bool> ModuleContext::targetAnswer(const llvm::Value *address) const {
  const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(address->stripPointerCasts());
  auto known = targetAnswers_.find(global);
  return known == targetAnswers_.end() ? std::nullopt : std::optional<bool>(known->second);
}

llvm::GlobalVariable *ModuleContext::staticGlobal(mir::StaticId id) {
  if (llvm::GlobalVariable *known = statics_[id.index])
    return known;
  const mir::Static &item = program.statics[id];
  staticRequesters_[id.index] = requester_;
  if (isShared(id))
    return statics_[id.index] = undefGlobal(*this, program.types[item.ty].size, item.align,
                                            MemorySpace::Shared, staticName(item));
  if (llvm::GlobalVariable *query = targetQuery(id))
    return statics_[id.index] = query;
  if (item.threadLocal || item.isExtern || !item.init.isValid()) {
    error(requester_, item.threadLocal ? "MG0101" : "MG0102",
          (item.threadLocal ? "the thread-local static `" : "the foreign static `") +
              std::string(item.symbol) + "` does not exist on a device",
          requesterSpan_);
    return statics_[id.index] =
               undefGlobal(*this, std::max<uint64_t>(1, program.types[item.ty].size), item.align,
                           MemorySpace::Global, staticName(item));
  }
  statics_[id.index] = initializedStatic(id);
  initialize(statics_[id.index], &std::get<mir::AllocMemory>(program.allocs[item.init]));
  return statics_[id.index];
}

// ---- Rings
// ----------------------------------------------------------------------------------------

namespace {
/// Walks depth first from static to what its initialiser names; an alloc is open while what it
/// names is walked.
class RingSearch {
public:
  explicit RingSearch(const mir::Program &program)
      : program_(program), states_(program.allocs.size()) {}

  /// The statics of the first ring that the walk from `root` meets, in the order in which one names
  /// the next; empty: there is none.
  std::vector<mir::StaticId> from(mir::StaticId root) {
    open(program_.statics[root].init, root);
    while (!stack_.empty()) {
      Frame &frame = stack_.back();
      const auto *memory = std::get_if<mir::AllocMemory>(&program_.allocs[frame.alloc]);
      if (!memory || frame.next == memory->relocs.size()) {
        states_[frame.alloc.index] = State::Done;
        stack_.pop_back();
        continue;
      }
      if (auto ring = follow(memory->relocs[frame.next++].target); !ring.empty())
        return ring;
    }
    return {};
  }

private:
  enum class State : uint8_t { New, Open, Done };
  struct Frame {
    mir::AllocId alloc;
    mir::StaticId owner; ///< invalid: memory of no static
    size_t next;
  };

  void open(mir::AllocId alloc, mir::StaticId owner) {
    if (!alloc.isValid() || states_[alloc.index] != State::New)
      return;
    states_[alloc.index] = State::Open;
    stack_.push_back({alloc, owner, 0});
  }

  std::vector<mir::StaticId> follow(mir::AllocId target) {
    mir::StaticId owner;
    if (const auto *named = std::get_if<mir::AllocStatic>(&program_.allocs[target])) {
      owner = named->target;
      target = program_.statics[owner].init;
    }
    if (!target.isValid() || states_[target.index] != State::Open) {
      open(target, owner);
      return {};
    }
    std::vector<mir::StaticId> ring;
    for (size_t i = stack_.size(); i-- > 0;) {
      if (stack_[i].owner.isValid())
        ring.insert(ring.begin(), stack_[i].owner);
      if (stack_[i].alloc == target)
        break;
    }
    return ring;
  }

  const mir::Program &program_;
  std::vector<State> states_;
  std::vector<Frame> stack_;
};
} // namespace

void ModuleContext::checkStaticRings() {
  if (target.allowsStaticRings())
    return;
  RingSearch search(program);
  for (uint32_t i = 0; i < statics_.size(); ++i) {
    if (!statics_[i])
      continue;
    const std::vector<mir::StaticId> ring = search.from(mir::StaticId(i));
    if (ring.empty())
      continue;
    std::string names;
    for (const mir::StaticId id : ring)
      names += (names.empty() ? "`" : "` → `") + std::string(program.statics[id].symbol);
    Diagnostic &diagnostic = staticError(
        ring.front(), (ring.size() == 1 ? "the static " + names + "` refers to itself"
                                        : "statics refer to each other in a ring, " + names + "`") +
                          ", which " + target.spec().name + " cannot hold");
    if (diagnostic.help.empty())
      diagnostic.help.push_back("keep the index of a table's element in place of a reference");
    return; // the search has stopped in the middle: one ring is named at a time
  }
}

} // namespace mirgpu::lowering
