// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of math functions, and what linking them does to a module without any library at hand.
#include "codegen/math.h"
#include "intrinsics/math.h"

#include "doctest/doctest.h"
#include "llvm/IR/IRBuilder.h"

#include <set>

using namespace mirgpu;

static TargetSpec specOf(const char *name) { return std::get<TargetSpec>(parseTarget(name)); }

/// `T f(T x) { return name(x, …); }`
static std::unique_ptr<llvm::Module> caller(llvm::LLVMContext &context, std::string_view name,
                                            bool isDouble) {
  auto module = std::make_unique<llvm::Module>("math", context);
  llvm::IRBuilder<> b(context);
  llvm::Type *type = isDouble ? b.getDoubleTy() : b.getFloatTy();
  const intrinsics::MathDef &def = intrinsics::mathFunction(name);
  auto *fn = llvm::Function::Create(llvm::FunctionType::get(type, {type}, false),
                                    llvm::GlobalValue::ExternalLinkage, "f", *module);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "start", fn));
  llvm::SmallVector<llvm::Value *, 2> operands(def.arity, fn->getArg(0));
  b.CreateRet(b.CreateCall(intrinsics::declareMath(def, *module, type), operands));
  return module;
}

TEST_CASE("every math function has a name of its own and a symbol on each target") {
  std::set<std::string_view> names;
  for (const intrinsics::MathDef &def : intrinsics::mathFunctions()) {
    CAPTURE(def.name);
    CHECK(names.insert(def.name).second);
    CHECK((def.arity == 1 || def.arity == 2));
    CHECK(!def.doc.empty());
    CHECK(librarySymbol(def, Backend::Nvptx, true) == "__nv_" + std::string(def.libdevice));
    CHECK(librarySymbol(def, Backend::Nvptx, false) == "__nv_" + std::string(def.libdevice) + "f");
    CHECK(librarySymbol(def, Backend::Amdgpu, false) == "__ocml_" + std::string(def.ocml) + "_f32");
    for (const char *width : {".f32", ".f64"})
      CHECK(intrinsics::findMathFunction("mirgpu.math." + std::string(def.name) + width) == &def);
  }
  CHECK(intrinsics::findMathFunction("mirgpu.math.sin.f16") == nullptr);
  CHECK(intrinsics::findMathIntrinsic("") == nullptr);
}

TEST_CASE("a math function without its library says what to install") {
  const std::pair<const char *, const char *> cases[] = {
      {"sm_90", "pip install nvidia-nvvm"},
      {"gfx1100", "apt-get install rocm-device-libs"},
      {"host", "./dev build"}};
  for (const auto &[target, remedy] : cases) {
    CAPTURE(target);
    llvm::LLVMContext context;
    auto module = caller(context, "sin", false);
    std::string text = llvm::toString(codegen::linkMath(*module, specOf(target), {}));
    CHECK(text.find("was not found") != std::string::npos);
    CHECK(text.find(remedy) != std::string::npos);
  }
}

TEST_CASE(
    "the host's remainder is an instruction; a module without math functions needs no library") {
  llvm::LLVMContext context;
  auto module = caller(context, "fmod", true);
  CHECK(!codegen::linkMath(*module, specOf("host"), {}));
  CHECK(module->getFunction("mirgpu.math.fmod.f64") == nullptr);
  auto instruction = module->getFunction("f")->getEntryBlock().begin();
  CHECK(instruction->getOpcode() == llvm::Instruction::FRem);
}
