// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From `mirgpu.shared_address(ptr addrspace(S) @object, ptr context)` to the object's generic
// address in the running block:
//   GPU:  addrspacecast (ptr addrspace(3) @object to ptr), which InferAddressSpaces turns back into
//   accesses of space 3; CPU:  context->block->shared + offset.
// Invariant: afterwards no such call is left, and on the CPU no object either.
#include "codegen/shared_memory.h"

#include "codegen/kernels.h"
#include "intrinsics/emitters.h"
#include "support/check.h"
#include "support/cpu_abi.h"

#include "llvm/Support/Alignment.h"

#include <algorithm>

using namespace llvm;

namespace mirgpu::codegen {

static constexpr StringLiteral kSharedAddress = "mirgpu.shared_address";
static constexpr uint64_t kRoundTo = 16;
/// Sizes count up to here, so that no sum of theirs wraps. A launch says a kernel's shared bytes in
/// 32 bits, and no device has as many.
static constexpr uint64_t kTooLarge = uint64_t(1) << 40;

/// The calls of every overload of `mirgpu.shared_address`, in module order.
static SmallVector<CallBase *, 16> sharedAddressCalls(Module &module) {
  SmallVector<CallBase *, 16> calls;
  for (Function &fn : module)
    for (BasicBlock &block : fn)
      for (Instruction &inst : block)
        if (auto *call = dyn_cast<CallBase>(&inst))
          if (Function *callee = call->getCalledFunction();
              callee && callee->getName().starts_with(kSharedAddress))
            calls.push_back(call);
  return calls;
}

static GlobalVariable *objectOf(CallBase &call) {
  return dyn_cast<GlobalVariable>(call.getArgOperand(0)->stripPointerCasts());
}

static uint64_t sizeOf(const GlobalVariable &object) {
  return object.getParent()->getDataLayout().getTypeAllocSize(object.getValueType());
}

static Align alignOf(const GlobalVariable &object) {
  return object.getAlign().value_or(object.getParent()->getDataLayout().getPreferredAlign(&object));
}

Expected<SharedLayout> layoutSharedMemory(lowering::LoweredModule &lowered) {
  SharedLayout layout;
  std::vector<uint64_t> ends(lowered.kernels.size(), 0);
  for (CallBase *call : sharedAddressCalls(*lowered.module))
    if (GlobalVariable *object = objectOf(*call); object)
      layout.offsets.insert({object, 0});
  std::vector<SetVector<GlobalValue *>> reached;
  for (const lowering::LoweredKernel &kernel : lowered.kernels)
    reached.push_back(reachableFrom(kernelFunction(*lowered.module, kernel)));
  // Each object goes behind what is placed already in the kernels that reach it.
  for (auto &[object, offset] : layout.offsets) {
    for (size_t k = 0; k < reached.size(); ++k)
      if (reached[k].contains(object))
        offset = std::max<uint64_t>(offset, ends[k]);
    offset = alignTo(offset, alignOf(*object));
    for (size_t k = 0; k < reached.size(); ++k)
      if (reached[k].contains(object))
        ends[k] = std::min(offset + std::min(sizeOf(*object), kTooLarge), kTooLarge);
  }
  for (size_t k = 0; k < ends.size(); ++k) {
    if (ends[k] > UINT32_MAX - kRoundTo)
      return createStringError("the static shared memory of kernel `" + lowered.kernels[k].entry +
                               "` is larger than that of any device: it takes 4 GiB or more");
    layout.kernelBytes.push_back(static_cast<uint32_t>(alignTo(ends[k], kRoundTo)));
  }
  return layout;
}

static Value *hostAddress(IRBuilder<> &builder, CallBase &call, const SharedLayout &layout) {
  GlobalVariable *object = objectOf(call);
  MIRGPU_CHECK(object && call.arg_size() == 2, "shared_address does not name a shared object");
  Value *block = intrinsics::host::emitBlock(builder, call.getArgOperand(1));
  Value *base = intrinsics::host::emitField(builder, builder.getPtrTy(), block,
                                            offsetof(abi::BlockContext, shared));
  return builder.CreateInBoundsPtrAdd(base, builder.getInt64(layout.offsets.lookup(object)),
                                      object->getName());
}

void expandSharedAddress(Module &module, const TargetSpec &spec, const SharedLayout &layout) {
  SmallSetVector<GlobalVariable *, 8> objects;
  for (CallBase *call : sharedAddressCalls(module)) {
    IRBuilder<> builder(call);
    if (GlobalVariable *object = objectOf(*call))
      objects.insert(object);
    Value *address = spec.backend == Backend::Host
                         ? hostAddress(builder, *call, layout)
                         : builder.CreateAddrSpaceCast(call->getArgOperand(0), call->getType());
    call->replaceAllUsesWith(address);
    call->eraseFromParent();
  }
  for (Function &fn : make_early_inc_range(module.functions()))
    if (fn.isDeclaration() && fn.getName().starts_with(kSharedAddress) && fn.use_empty())
      fn.eraseFromParent();
  for (GlobalVariable *object : objects) {
    if (spec.backend == Backend::Host) {
      MIRGPU_CHECK(object->use_empty(),
                   "a shared object is used other than through shared_address");
      object->eraseFromParent();
    } else if (!object->isDeclaration()) {
      object->setInitializer(PoisonValue::get(
          object->getValueType())); // shared memory starts undefined on every target
    }
  }
}

} // namespace mirgpu::codegen
