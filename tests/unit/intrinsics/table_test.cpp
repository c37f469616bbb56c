// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks every row of the intrinsic table: ids are unique and found, LLVM's names exist and have the
// row's type, empty columns are said to be missing, and each column's expansion verifies and leaves
// no `mirgpu.` name behind.
#include "intrinsics/intrinsics.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <doctest/doctest.h>

#include <set>

using namespace llvm;
using namespace mirgpu;
using namespace mirgpu::intrinsics;

static TargetSpec spec(const char *name) {
  auto parsed = parseTarget(name);
  REQUIRE(std::holds_alternative<TargetSpec>(parsed));
  return std::get<TargetSpec>(parsed);
}

static const Column &column(const IntrinsicDef &def, Backend backend) {
  return backend == Backend::Nvptx ? def.nvptx : backend == Backend::Amdgpu ? def.amdgpu : def.host;
}

/// A module with one function that calls `def` with its own parameters.
static std::unique_ptr<Module> moduleCalling(const IntrinsicDef &def, LLVMContext &context) {
  auto module = std::make_unique<Module>("rows", context);
  Function *row = declare(def, *module);
  Function *caller =
      Function::Create(row->getFunctionType(), GlobalValue::ExternalLinkage, "caller", *module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", caller));
  SmallVector<Value *, 8> args;
  for (Argument &arg : caller->args())
    args.push_back(&arg);
  CallInst *call = builder.CreateCall(row, args);
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  return module;
}

TEST_CASE("intrinsic ids are unique, found and documented") {
  std::set<std::string_view> ids;
  for (const IntrinsicDef &def : allIntrinsics()) {
    CAPTURE(def.id);
    CHECK(ids.insert(def.id).second);
    CHECK(find(def.id) == &def);
    CHECK(def.id.find("::") != std::string_view::npos);
    CHECK_FALSE(def.doc.empty());
    CHECK(def.doc.back() == '.');
  }
  CHECK(allIntrinsics().size() == 52);
  CHECK(find("warp::no_such_thing") == nullptr);
  CHECK(find("") == nullptr);
}

TEST_CASE("columns that name an LLVM intrinsic have its type") {
  LLVMContext context;
  for (const IntrinsicDef &def : allIntrinsics())
    for (Backend backend : {Backend::Nvptx, Backend::Amdgpu, Backend::Host}) {
      const char *name = column(def, backend).llvmIntrinsic;
      if (!name)
        continue;
      CAPTURE(def.id);
      CAPTURE(name);
      Intrinsic::ID id = Intrinsic::lookupIntrinsicID(name);
      REQUIRE(id != Intrinsic::not_intrinsic);
      REQUIRE_FALSE(Intrinsic::isOverloaded(id));
      FunctionType *llvmType = Intrinsic::getType(context, id);
      FunctionType *rowType = functionType(def, context);
      CHECK(llvmType->getReturnType() == rowType->getReturnType());
      CHECK(llvmType->params() == rowType->params().drop_back(2));
    }
}

TEST_CASE("a row's declaration is convergent and takes context and place") {
  LLVMContext context;
  for (const IntrinsicDef &def : allIntrinsics()) {
    CAPTURE(def.id);
    Module module("declarations", context);
    Function *fn = declare(def, module);
    CHECK(declare(def, module) == fn);
    CHECK(fn->isConvergent());
    REQUIRE(fn->arg_size() == def.signature.count + 2u);
    CHECK(fn->getArg(def.signature.count)->getType()->isPointerTy());
    CHECK(fn->getArg(def.signature.count + 1)->getType()->isIntegerTy(32));
  }
}

TEST_CASE("every column expands to IR that verifies") {
  for (const char *name : {"sm_75", "sm_90", "gfx90a", "gfx1100", "host"}) {
    TargetSpec target = spec(name);
    for (const IntrinsicDef &def : allIntrinsics()) {
      CAPTURE(name);
      CAPTURE(def.id);
      if (missingRequirement(def, target)) {
        CHECK(column(def, target.backend).isEmpty());
        continue;
      }
      LLVMContext context;
      auto module = moduleCalling(def, context);
      expandIntrinsics(*module, target);
      std::string text;
      raw_string_ostream out(text);
      CHECK_FALSE(verifyModule(*module, &out));
      CHECK(text == "");
      for (const Function &fn : *module)
        CHECK_FALSE(fn.getName().starts_with("mirgpu."));
    }
  }
}

TEST_CASE("missing requirements are worded for a diagnostic") {
  IntrinsicDef def = *find("thread::sync_threads");
  CHECK_FALSE(missingRequirement(def, spec("sm_75")));
  def.minimums = {.sm = 90, .ptx = 80};
  CHECK(missingRequirement(def, spec("sm_80")) == "needs sm_90 or newer");
  CHECK_FALSE(missingRequirement(def, spec("sm_90")));
  CHECK_FALSE(missingRequirement(def, spec("gfx1100")));
  def.minimums = {.sm = 0, .ptx = 95};
  CHECK(missingRequirement(def, spec("sm_120")) ==
        "needs PTX 9.5, which this compiler does not write");
  def.amdgpu = {};
  CHECK(missingRequirement(def, spec("gfx942")) == "is not available on AMD targets");
  def.host = {};
  CHECK(missingRequirement(def, spec("host")) == "is not available on the CPU");
}

TEST_CASE("shuffles get PTX's control operand") {
  // width 8: ((32 - 8) << 8) | clamp
  struct Row {
    const char *id;
    uint64_t control;
  };
  for (Row row : {Row{"warp::shuffle", 0x181f}, Row{"warp::shuffle_up", 0x1800},
                  Row{"warp::shuffle_down", 0x181f}, Row{"warp::shuffle_xor", 0x181f}}) {
    CAPTURE(row.id);
    LLVMContext context;
    auto module = moduleCalling(*find(row.id), context);
    auto &call = cast<CallInst>(module->getFunction("caller")->getEntryBlock().front());
    call.setArgOperand(3, ConstantInt::get(Type::getInt32Ty(context), 8));
    expandIntrinsics(*module, spec("sm_90"));
    auto &shuffle = cast<CallInst>(module->getFunction("caller")->getEntryBlock().front());
    CHECK(cast<ConstantInt>(shuffle.getArgOperand(3))->getZExtValue() == row.control);
  }
}
