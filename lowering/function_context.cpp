// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See function_context.h: positions, blocks, the homes of locals, and diagnostics of one body.
#include "lowering/function_context.h"

#include "lowering/arithmetic.h"
#include "lowering/debuginfo.h"
#include "lowering/function_abi.h"
#include "lowering/memory_access.h"
#include "support/check.h"

#include <algorithm>

namespace mirgpu::lowering {

/// The body of a panic entry, which is never lowered itself.
static const mir::Body &bodyOf(const mir::Function &function) {
  static const mir::Body none;
  return function.body ? *function.body : none;
}

/// What currentLocation() describes; lowering is not reentrant within a thread.
static thread_local const FunctionContext *innermost = nullptr;

FunctionContext::FunctionContext(ModuleContext &mc_, mir::FunctionId id_, llvm::Function *value_)
    : mc(mc_), program(mc_.program), id(id_), function(mc_.program.functions[id_]),
      body(bodyOf(function)), value(value_), builder(mc_.context), locals_(body.locals.size()),
      blocks_(body.blocks.size()), outer_(innermost) {
  innermost = this;
  context = value->getArg(static_cast<unsigned>(value->arg_size() - 1));
  if (function.trackCaller)
    callerLocation = value->getArg(static_cast<unsigned>(value->arg_size() - 2));
  if (returnsInMemory(mc, function.output))
    returnSlot = value->getArg(0);
  builder.SetInsertPoint(llvm::BasicBlock::Create(mc.context, "start", value));
  if (mc.options.fpContract) {
    llvm::FastMathFlags flags;
    flags.setAllowContract();
    builder.setFastMathFlags(flags);
  }
  span = function.span;
  if (mc.debugInfo)
    mc.debugInfo->beginFunction(*this);
  mc.setRequester(id, span);
}

FunctionContext::~FunctionContext() { innermost = outer_; }

std::string currentLocation() {
  if (!innermost)
    return {};
  const FunctionContext &fc = *innermost;
  std::string text = "`" + std::string(fc.function.symbol) + "`";
  if (fc.block.isValid())
    text += " bb" + std::to_string(fc.block.index);
  const SourceSpan at = mir::sourceSpan(fc.program, fc.span);
  if (!at.file.empty())
    text += " at " + at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  return text;
}

void FunctionContext::setPosition(mir::SpanId newSpan, mir::ScopeId newScope) {
  span = newSpan;
  scope = newScope;
  mc.setRequester(id, span);
  if (mc.debugInfo)
    builder.SetCurrentDebugLocation(mc.debugInfo->location(*this, span, scope));
}

llvm::BasicBlock *FunctionContext::newBlock(const llvm::Twine &name) {
  return llvm::BasicBlock::Create(mc.context, name, value);
}

llvm::BasicBlock *FunctionContext::blockFor(mir::BlockId wanted) {
  llvm::BasicBlock *&slot = blocks_[wanted.index];
  if (!slot)
    slot = newBlock("bb" + llvm::Twine(wanted.index));
  return slot;
}

llvm::Value *FunctionContext::allocaBytes(uint64_t size, uint64_t align, const llvm::Twine &name) {
  llvm::Type *bytes = llvm::ArrayType::get(builder.getInt8Ty(), std::max<uint64_t>(size, 1));
  auto *slot = new llvm::AllocaInst(bytes, mc.target.addressSpace(MemorySpace::Alloca), nullptr,
                                    llvm::Align(align), name);
  // In the entry block, in the order of need.
  llvm::BasicBlock &entry = value->getEntryBlock();
  slot->insertInto(&entry, lastAlloca_ ? std::next(lastAlloca_->getIterator()) : entry.begin());
  lastAlloca_ = slot;
  if (slot->getType() == mc.pointerType())
    return slot;
  auto *generic = new llvm::AddrSpaceCastInst(slot, mc.pointerType(), name + ".generic");
  generic->insertInto(&entry, std::next(slot->getIterator()));
  lastAlloca_ = generic;
  return generic;
}

PlaceRef FunctionContext::temporary(mir::TypeId ty, const llvm::Twine &name) {
  const mir::Type &info = type(ty);
  MIRGPU_CHECK(mir::isSized(info), "a temporary of an unsized type");
  return {allocaBytes(info.size, info.align, name), nullptr, ty, std::nullopt, info.align};
}

const PlaceRef *FunctionContext::slotOf(mir::LocalId local) const {
  const LocalState &state = locals_[local.index];
  return state.home == Home::Slot ? &state.slot : nullptr;
}

OperandValue FunctionContext::valueOf(mir::LocalId local) {
  LocalState &state = locals_[local.index];
  MIRGPU_CHECK(state.home != Home::Slot, "the value of a local that lives in memory");
  if (state.value)
    return *state.value;
  return poisonOperand(*this, body.locals[local].ty);
}

void FunctionContext::defineLocal(mir::LocalId local, const OperandValue &newValue) {
  LocalState &state = locals_[local.index];
  MIRGPU_CHECK(state.home == Home::Value, "a value for a local that does not live in one");
  state.value = newValue;
}

static std::string localName(const mir::Body &body, mir::LocalId local) {
  const mir::Str name = body.locals[local].name;
  std::string text = "_" + std::to_string(local.index);
  if (!name.empty())
    text += "." + std::string(name);
  return text;
}

void FunctionContext::placeParameter(mir::LocalId local, const OperandValue &incoming) {
  LocalState &state = locals_[local.index];
  if (state.home == Home::Value)
    state.value = incoming;
  else if (state.home == Home::Slot && incoming.kind == OperandValue::Kind::Ref)
    state.slot = incoming.place(); // the callee owns it
  else if (state.home == Home::Slot) {
    state.slot = temporary(body.locals[local].ty, localName(body, local));
    storeOperand(*this, incoming, state.slot);
  }
}

/// Takes the LLVM parameters of one argument from `index` on.
static OperandValue takeParameter(FunctionContext &fc, mir::TypeId ty, unsigned &index) {
  switch (kindOf(fc.type(ty))) {
  case OperandValue::Kind::ZeroSized:
    return OperandValue::zeroSized(ty);
  case OperandValue::Kind::Immediate:
    return OperandValue::immediate(ty, fc.value->getArg(index++));
  case OperandValue::Kind::Pair:
    index += 2;
    return OperandValue::pair(ty, fc.value->getArg(index - 2), fc.value->getArg(index - 1));
  case OperandValue::Kind::Ref:
    return OperandValue::ref(
        {fc.value->getArg(index++), nullptr, ty, std::nullopt, fc.type(ty).align});
  }
  llvm_unreachable("covered");
}

void FunctionContext::placeLocals(const std::vector<bool> &needsSlot) {
  unsigned index = returnSlot ? 1 : 0;
  for (uint32_t i = 0; i < locals_.size(); ++i) {
    const mir::LocalId local(i);
    const mir::Type &info = type(body.locals[local].ty);
    LocalState &state = locals_[i];
    if (kindOf(info) == OperandValue::Kind::ZeroSized)
      continue;
    state.home = needsSlot[i] ? Home::Slot : Home::Value;
    if (mc.isSharedArray(body.locals[local].ty)) { // its elements would be each thread's own
      span = body.locals[local].span;
      unsupported("a `SharedArray` in a local variable", "declare it as a `static mut`");
    }
    const bool isParameter = i >= 1 && i <= body.argCount;
    if (state.home != Home::Slot || isParameter)
      continue;
    if (i == 0 && returnSlot)
      state.slot = {returnSlot, nullptr, body.locals[local].ty, std::nullopt, info.align};
    else if (!mir::isSized(info))
      unsupported("a local variable of the unsized type `" + std::string(info.name) + "`",
                  "keep it behind a reference");
    else
      state.slot = temporary(body.locals[local].ty, localName(body, local));
  }
  for (uint32_t i = 1; i <= body.argCount; ++i) {
    const mir::LocalId local(i);
    const mir::TypeId ty = body.locals[local].ty;
    if (function.spreadArg != local) {
      placeParameter(local, takeParameter(*this, ty, index));
      continue;
    }
    FieldValues fields;
    const auto &tuple = type(ty).variants.front().fields;
    for (uint32_t field = 0; field < tuple.size(); ++field)
      fields.emplace_back(field, takeParameter(*this, tuple[field].ty, index));
    placeParameter(local, buildAggregate(*this, ty, std::nullopt, fields));
  }
}

llvm::Value *FunctionContext::staticAddress(mir::StaticId wanted) {
  const mir::Static &item = program.statics[wanted];
  if (mc.isShared(wanted) &&
      type(item.ty).size == 0) // nothing lies there: any aligned address does
    return llvm::ConstantExpr::getIntToPtr(usize(item.align), mc.pointerType());
  llvm::GlobalVariable *global = mc.staticGlobal(wanted);
  if (!mc.isShared(wanted))
    return mc.toGeneric(global);
  llvm::FunctionType *type =
      llvm::FunctionType::get(mc.pointerType(), {global->getType(), mc.pointerType()}, false);
  auto *callee = llvm::cast<llvm::Function>(
      mc.module.getOrInsertFunction("mirgpu.shared_address", type).getCallee());
  // The same address wherever a thread asks, so calls may be merged and moved.
  callee->setDoesNotAccessMemory();
  callee->setDoesNotThrow();
  callee->setWillReturn();
  callee->addRetAttr(llvm::Attribute::NonNull);
  return builder.CreateCall(callee, {global, context});
}

llvm::Value *FunctionContext::allocAddress(mir::AllocId alloc, uint64_t offset) {
  mc.setRequester(id, span);
  if (const auto *target = std::get_if<mir::AllocStatic>(&program.allocs[alloc]);
      target && mc.isShared(target->target))
    return emitOffset(*this, staticAddress(target->target), offset);
  return mc.allocAddress(alloc, offset);
}

void FunctionContext::unsupported(const std::string &what, const std::string &help) {
  Diagnostic &diagnostic = error("MG0101", what + " is not supported in kernels yet");
  if (!help.empty() && diagnostic.help.empty())
    diagnostic.help.push_back(help);
}

Diagnostic &FunctionContext::error(std::string_view code, std::string message) {
  return mc.error(id, code, std::move(message), span);
}

} // namespace mirgpu::lowering
