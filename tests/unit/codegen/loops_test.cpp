// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops split by version_checks.h do what they did: each loop below is compiled for this machine
// with and without the pass and run over starts, counts and bounds that meet, miss and wrap. What
// is compared is the sum of what was read and the index that panicked.
#include "neutral.h"

#include "codegen/edge_values.h"
#include "codegen/link.h"
#include "codegen/pipeline.h"
#include "codegen/target_machine.h"
#include "codegen/version_checks.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include <csetjmp>
#include <dlfcn.h>

using namespace mirgpu;
using namespace llvm;

static std::jmp_buf panicked;
static uint64_t panicIndex, seen;

extern "C" {
static void failAt(uint64_t index) {
  panicIndex = index;
  std::longjmp(panicked, 1);
}
static void visit(uint64_t index) { seen = seen * 31 + index + 1; }
}

using Body = void (*)(uint64_t start, uint64_t step, uint64_t count, uint64_t bound,
                      void (*visit)(uint64_t), void (*fail)(uint64_t));

/// One loop: what stands before it, how the index follows from the iteration %k, and when it may go
/// on.
static std::string loopText(const std::string &before, const std::string &index,
                            const std::string &check, bool breaks) {
  return R"(
define void @f(i64 %start, i64 %step, i64 %count, i64 %bound, ptr %visit, ptr %fail) {
entry:
  %narrow = trunc i64 %start to i32
)" + before +
         R"(
  %few = icmp eq i64 %count, 0
  br i1 %few, label %done, label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %latch ]
)" + index +
         check +
         R"(
  br i1 %ok, label %body, label %panic
body:
  call void %visit(i64 %index)
  )" +
         (breaks ? "%stop = icmp eq i64 %index, 5\n  br i1 %stop, label %done, label %latch"
                 : "br label %latch") +
         R"(
latch:
  %next = add nuw i64 %k, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop
panic:
  call void %fail(i64 %index)
  unreachable
done:
  ret void
}
)";
}

/// Runs our passes over the module; gives how many loops there are afterwards.
static size_t runPasses(Module &module) {
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
  passes.addPass(codegen::EdgeValues());
  passes.addPass(createFunctionToLoopPassAdaptor(codegen::VersionChecks()));
  Function &fn = *module.getFunction("f");
  passes.run(fn, functions);
  codegen::verifyOrDie(module, "after the split");
  return functions.getResult<LoopAnalysis>(fn).getLoopsInPreorder().size();
}

namespace {
/// A shared object of one module, mapped.
class Mapped {
public:
  explicit Mapped(Module &module) {
    auto machine = codegen::createTargetMachine(neutral::spec("host"), 0);
    REQUIRE(bool(machine));
    module.setDataLayout((*machine)->createDataLayout());
    module.setTargetTriple((*machine)->getTargetTriple());
    auto object = codegen::emitMachineCode(module, **machine, CodeGenFileType::ObjectFile);
    REQUIRE(bool(object));
    auto shared = codegen::linkShared(*object, neutral::spec("host"));
    REQUIRE(bool(shared));
    SmallString<128> path;
    int fd = -1;
    REQUIRE_FALSE(sys::fs::createTemporaryFile("mirgpu", "so", fd, path));
    FileRemover remover(path);
    raw_fd_ostream(fd, true) << *shared;
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(handle_);
    body_ = reinterpret_cast<Body>(dlsym(handle_, "f"));
  }
  ~Mapped() { dlclose(handle_); }
  Mapped(const Mapped &) = delete;
  Mapped &operator=(const Mapped &) = delete;

  /// {hash of the indices visited, index that panicked or all ones - 1}
  std::pair<uint64_t, uint64_t> run(uint64_t start, uint64_t step, uint64_t count,
                                    uint64_t bound) const {
    seen = 0;
    panicIndex = ~uint64_t(1);
    if (setjmp(panicked) == 0)
      body_(start, step, count, bound, visit, failAt);
    return {seen, panicIndex};
  }

private:
  void *handle_ = nullptr;
  Body body_ = nullptr;
};
} // namespace

static const uint64_t kValues[] = {
    0,           1,          2,           3,           5,
    7,           8,          11,          20,          0x7fffffff,
    0xfffffffd,  0xffffffff, 0x100000000, 0x100000003, ~uint64_t(0) - 6,
    ~uint64_t(0)};

TEST_CASE("a loop without its checks does what it did with them") {
  struct {
    std::string name, index, check;
    bool breaks = false;
    std::string before = "";
  } const loops[] = {
      {"counts", "%index = add i64 %start, %k\n", "%ok = icmp ult i64 %index, %bound\n", false},
      {"ends early", "%index = add i64 %start, %k\n", "%ok = icmp ult i64 %index, %bound\n", true},
      {"constant step", "%s = mul i64 %k, 3\n%index = add i64 %start, %s\n",
       "%ok = icmp ugt i64 %bound, %index\n", false},
      {"any step", "%s = mul i64 %k, %step\n%index = add i64 %start, %s\n",
       "%ok = icmp ult i64 %index, %bound\n", false},
      {"falls", "%index = sub i64 %start, %k\n", "%ok = icmp ult i64 %index, %bound\n", false},
      {"falls to a floor", "%index = sub i64 %start, %k\n", "%ok = icmp uge i64 %index, %bound\n",
       false},
      {"up to and including", "%index = add i64 %start, %k\n",
       "%ok = icmp ule i64 %index, %bound\n", false},
      {"not equal", "%index = add i64 %start, %k\n", "%ok = icmp ne i64 %index, %bound\n", false},
      {"narrow",
       "%kn = trunc i64 %k to i32\n%n = add i32 %narrow, %kn\n%index = zext i32 %n to i64\n",
       "%ok = icmp ult i64 %index, %bound\n", false},
      {"stays", "%index = add i64 %start, %k\n", "", false, "%ok = icmp ult i64 %start, %bound\n"},
  };
  for (const auto &loop : loops) {
    CAPTURE(loop.name);
    LLVMContext context;
    std::string text = loopText(loop.before, loop.index, loop.check, loop.breaks);
    auto plain = neutral::parse(context, neutral::spec("host"), text);
    auto split = neutral::parse(context, neutral::spec("host"), text);
    CHECK(runPasses(*split) == 2);
    Mapped before(*plain), after(*split);
    for (uint64_t start : kValues)
      for (uint64_t step : {0, 1, 3, 7})
        for (uint64_t count : {0, 1, 2, 3, 8})
          for (uint64_t bound : kValues) {
            auto expected = before.run(start, step, count, bound);
            auto found = after.run(start, step, count, bound);
            if (expected != found) {
              CAPTURE(start);
              CAPTURE(step);
              CAPTURE(count);
              CAPTURE(bound);
              CHECK(expected == found);
            }
          }
  }
}
