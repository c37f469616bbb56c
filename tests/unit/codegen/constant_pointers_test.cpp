// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What FreezeConstantPointers keeps InferAddressSpaces from, and that it leaves alone what that
// pass can do.
#include "neutral.h"

#include "codegen/constant_pointers.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"

using namespace mirgpu;
using namespace llvm;

/// The function of `text` after the pass, and then InferAddressSpaces; fails unless it is valid.
static std::string inferred(StringRef text) {
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(text, problem, context);
  REQUIRE_MESSAGE(module, problem.getMessage().str());
  PassBuilder builder;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  FunctionPassManager passes;
  passes.addPass(codegen::FreezeConstantPointers());
  passes.addPass(InferAddressSpacesPass(0));
  for (Function &fn : *module)
    if (!fn.isDeclaration())
      passes.run(fn, functions);
  std::string broken, shown;
  raw_string_ostream brokenStream(broken), stream(shown);
  CHECK_MESSAGE(!verifyModule(*module, &brokenStream), broken);
  module->print(stream, nullptr);
  return shown;
}

TEST_CASE("a select of null and a dangling pointer under another select") {
  // `iter.next()` of an empty slice in Option's niche, chosen against a local's address.
  const std::string shown = inferred(R"(
define i32 @f(i1 %c, i1 %d, ptr addrspace(5) %local) {
  %own = addrspacecast ptr addrspace(5) %local to ptr
  %inner = select i1 %c, ptr null, ptr inttoptr (i64 4 to ptr)
  %outer = select i1 %d, ptr %own, ptr %inner
  %v = load i32, ptr %outer
  ret i32 %v
})");
  CHECK(shown.find("freeze ptr %inner") != std::string::npos);
}

TEST_CASE("a phi of null alone, and one that leads round to itself") {
  inferred(R"(
define ptr @f(i1 %c, ptr addrspace(5) %local) {
entry:
  %own = addrspacecast ptr addrspace(5) %local to ptr
  br label %loop
loop:
  %inner = phi ptr [ null, %entry ], [ %next, %loop ]
  %next = getelementptr i8, ptr %inner, i64 0
  br i1 %c, label %loop, label %done
done:
  %outer = phi ptr [ %inner, %loop ]
  %both = select i1 %c, ptr %own, ptr %outer
  %v = load i8, ptr %both
  ret ptr %both
})");
}

TEST_CASE("pointers that have an address space stay as they are") {
  const std::string shown = inferred(R"(
define i32 @f(i1 %c, i1 %d, ptr addrspace(5) %a, ptr addrspace(5) %b) {
  %ga = addrspacecast ptr addrspace(5) %a to ptr
  %gb = addrspacecast ptr addrspace(5) %b to ptr
  %inner = select i1 %c, ptr %ga, ptr null
  %outer = select i1 %d, ptr %gb, ptr %inner
  %v = load i32, ptr %outer
  ret i32 %v
})");
  CHECK(shown.find("freeze") == std::string::npos);
  CHECK(shown.find("load i32, ptr addrspace(5)") != std::string::npos);
}
