// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Panics on the CPU: `mirgpu.panic` and `mirgpu.panic_dynamic` hand their operands to the services
// of the running block, which record the panic and end the thread's fiber without coming back. The
// call may not return, so LLVM keeps it and the check that leads to it.
#include "codegen/panic.h"
#include "codegen/entry.h"
#include "support/cpu_abi.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace mirgpu::codegen::host {

static void define(Module &module, StringRef name, uint64_t service) {
  Function *fn = module.getFunction(name);
  if (!fn || !fn->isDeclaration())
    return;
  if (fn->use_empty()) {
    fn->eraseFromParent();
    return;
  }
  setPanicAttributes(*fn);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", fn));
  Value *block = intrinsics::host::emitBlock(builder, fn->getArg(0));
  SmallVector<Value *, 8> args;
  for (Argument &arg : fn->args())
    args.push_back(&arg);
  CallInst *call = builder.CreateCall(fn->getFunctionType(),
                                      intrinsics::host::emitService(builder, block, service), args);
  call->addFnAttr(Attribute::NoReturn);
  call->addFnAttr(Attribute::NoUnwind);
  builder.CreateUnreachable();
}

void definePanics(Module &module) {
  define(module, "mirgpu.panic", offsetof(abi::HostServices, panic));
  define(module, "mirgpu.panic_dynamic", offsetof(abi::HostServices, panicDynamic));
}

} // namespace mirgpu::codegen::host
