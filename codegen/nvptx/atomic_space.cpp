// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/nvptx/atomic_space.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace mirgpu::codegen::nvptx {

/// A pointer with more origins than this is one that may lead anywhere.
static constexpr unsigned kMaxOrigins = 64;

static bool isEntryArgument(const Value &object) {
  auto *argument = dyn_cast<Argument>(&object);
  return argument && argument->getParent()->getCallingConv() == CallingConv::PTX_Kernel;
}

/// What the callers of an internal function pass for `argument`; false if not all of them are
/// known.
static bool addPassed(const Argument &argument, SmallVectorImpl<const Value *> &worklist) {
  const Function &fn = *argument.getParent();
  if (!fn.hasLocalLinkage() || fn.hasAddressTaken())
    return false;
  for (const User *user : fn.users())
    if (auto *call = dyn_cast<CallBase>(user))
      worklist.push_back(call->getArgOperand(argument.getArgNo()));
  return true;
}

/// Adds what `object` is one of; false if it is an origin itself.
static bool addOrigins(const Value &object, SmallVectorImpl<const Value *> &worklist) {
  if (isa<ConstantPointerNull>(object) || isa<UndefValue>(object))
    return true; // an access would be undefined behaviour
  if (auto *phi = dyn_cast<PHINode>(&object)) {
    append_range(worklist, phi->incoming_values());
    return true;
  }
  if (auto *select = dyn_cast<SelectInst>(&object)) {
    worklist.append({select->getTrueValue(), select->getFalseValue()});
    return true;
  }
  auto *argument = dyn_cast<Argument>(&object);
  return argument && !isEntryArgument(object) && addPassed(*argument, worklist);
}

static AtomicSpace spaceOfOrigin(const Value &object) {
  switch (object.getType()->getPointerAddressSpace()) {
  case NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return AtomicSpace::Global;
  case NVPTXAS::ADDRESS_SPACE_SHARED:
    return AtomicSpace::Shared;
  case NVPTXAS::ADDRESS_SPACE_LOCAL:
    return AtomicSpace::Local;
  default:
    break;
  }
  if (isa<AllocaInst>(object))
    return AtomicSpace::Local;
  if (isa<GlobalVariable>(object))
    return AtomicSpace::NotLocal;
  if (isEntryArgument(object)) // the bytes of an aggregate are the thread's
    return cast<Argument>(object).hasByValAttr() ? AtomicSpace::Local : AtomicSpace::Global;
  if (auto *load = dyn_cast<LoadInst>(&object)) {
    const Value *from = getUnderlyingObject(load->getPointerOperand(), 0);
    if (isEntryArgument(*from) && cast<Argument>(from)->hasByValAttr())
      return AtomicSpace::Global;
  }
  return AtomicSpace::Unknown;
}

static AtomicSpace join(AtomicSpace a, AtomicSpace b) {
  if (a == b)
    return a;
  auto mayBeLocal = [](AtomicSpace space) {
    return space == AtomicSpace::Local || space == AtomicSpace::Unknown;
  };
  return mayBeLocal(a) || mayBeLocal(b) ? AtomicSpace::Unknown : AtomicSpace::NotLocal;
}

AtomicSpace atomicSpace(const Value *address) {
  SmallVector<const Value *, 8> worklist{address};
  SmallPtrSet<const Value *, 8> seen;
  std::optional<AtomicSpace> space;
  while (!worklist.empty()) {
    const Value *object = getUnderlyingObject(worklist.pop_back_val(), 0);
    if (!seen.insert(object).second)
      continue;
    if (seen.size() > kMaxOrigins)
      return AtomicSpace::Unknown;
    if (addOrigins(*object, worklist))
      continue;
    AtomicSpace found = spaceOfOrigin(*object);
    space = space ? join(*space, found) : found;
  }
  return space.value_or(AtomicSpace::Unknown);
}

} // namespace mirgpu::codegen::nvptx
