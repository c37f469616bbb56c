// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of `dynamic_shared::…`: where the launch's dynamic shared memory lies and how many bytes of
// it there are. On GPUs it is one object without a size, which the loader places behind the static
// ones; LLVM prints it as `.extern .shared .align 16 .b8 mirgpu_dynamic_shared[];`.
#include "intrinsics/emitters.h"
#include "intrinsics/signature.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace mirgpu::intrinsics {

static constexpr StringLiteral kObject = "mirgpu_dynamic_shared";
/// Shared memory is address space 3 of NVPTX and of AMDGPU.
static constexpr unsigned kSharedSpace = 3;
static constexpr uint64_t kMaxAlign = 1024;

GlobalVariable *gpu::dynamicSharedObject(Module &module, Align align) {
  GlobalVariable *object = module.getNamedGlobal(kObject);
  if (!object)
    object = new GlobalVariable(module, ArrayType::get(Type::getInt8Ty(module.getContext()), 0),
                                /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr,
                                kObject, nullptr, GlobalValue::NotThreadLocal, kSharedSpace);
  object->setAlignment(std::max(align, object->getAlign().valueOrOne()));
  return object;
}

/// The alignment that a call of the `base` row asks for; the strictest there is for an operand that
/// is no power of two.
static Align alignOperand(CallBase &call) {
  auto *constant = dyn_cast<ConstantInt>(call.getArgOperand(0));
  uint64_t value = constant ? constant->getZExtValue() : kMaxAlign;
  return Align(isPowerOf2_64(value) && value < kMaxAlign ? value : kMaxAlign);
}

Value *gpu::dynamicSharedBase(EmitContext &cx, CallBase &call) {
  return cx.builder.CreateAddrSpaceCast(dynamicSharedObject(cx.module, alignOperand(call)),
                                        cx.builder.getPtrTy());
}

// clang-format off
static constexpr IntrinsicDef rows[] = {
  // id                       signature          nvptx                                                 amdgpu                              host                              minimums              collective  doc
  {"dynamic_shared::base",    sig<ptr(u32)>(),   custom(gpu::dynamicSharedBase),                       custom(gpu::dynamicSharedBase),     custom(host::dynamicSharedBase),  {},                   false, "First byte of the launch's dynamic shared memory, aligned as the constant operand says."},
  {"dynamic_shared::size",    sig<u32()>(),      llvmCall("llvm.nvvm.read.ptx.sreg.dynamic_smem_size"), custom(amdgpu::dynamicSharedSize), custom(host::dynamicSharedSize),  {.sm = 20, .ptx = 41}, false, "Bytes of the launch's dynamic shared memory."},
};
// clang-format on

std::span<const IntrinsicDef> dynamicSharedRows() { return rows; }

} // namespace mirgpu::intrinsics
