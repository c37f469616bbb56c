// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `#[test]` functions of a crate's serialized MIR on one target:
//   mirgpu_conformance FILE.mir.json --target=T [--tier=T3] [-O N] [--every=N] [--filter=TEXT] [--folder=DIR] [--workers=N] [--shard=N]
// Prints a line for each test: outcome, path, cause. On the CPU device they run, one thread each;
// on GPU targets they compile, and PTX is assembled where ptxas is found.
#include "tests/conformance/compile_tests.h"
#include "tests/conformance/run_tests.h"
#include "tests/conformance/constant_tests.h"

#include "driver/math_libraries.h"
#include "driver/ptxas.h"
#include "driver/test_kernels.h"
#include "mir_reader/read.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mirgpu;
using namespace mirgpu::conformance;
namespace cl = llvm::cl;

static cl::opt<std::string> inputFile(cl::Positional, cl::Required, cl::desc("FILE.mir.json"));
static cl::opt<std::string> targetName("target", cl::init("host"), cl::desc("one target"));
static cl::opt<std::string> tier("tier", cl::desc("of the CPU device: T0 or T3"));
static cl::opt<unsigned> optLevel("O", cl::Prefix, cl::init(3), cl::desc("optimisation"));
static cl::opt<unsigned> every("every", cl::init(1), cl::desc("only each Nth test"));
static cl::opt<std::string> filter("filter", cl::desc("only tests with this in their path"));
static cl::opt<std::string> folder("folder", cl::init("."), cl::desc("where modules go"));
static cl::opt<unsigned> workers("workers", cl::init(2), cl::desc("processes at a time"));
static cl::opt<unsigned> shardSize("shard", cl::init(60), cl::desc("tests of one module"));

[[noreturn]] static void die(const llvm::Twine &text) {
  llvm::errs() << "error: " << text << '\n';
  std::exit(3);
}

/// The paths of the tests that are to run, in order.
static std::vector<std::string> selected(const mir::Program &program) {
  std::vector<std::string> paths;
  size_t index = 0;
  for (const mir::Test &test : program.tests) {
    if (filter.empty() ? index++ % every != 0 : !llvm::StringRef(test.path).contains(filter))
      continue;
    if (test.ignored)
      llvm::outs() << "ignored\t" << test.path << "\t\n";
    else
      paths.emplace_back(test.path);
    if (isConstantEvaluation(program, test))
      llvm::outs() << "constant\t" << test.path << "\t\n";
  }
  return paths;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv);
  auto program = mir::readFile(inputFile);
  if (!program)
    die(llvm::toString(program.takeError()));
  auto spec = parseTarget(targetName);
  if (const std::string *problem = std::get_if<std::string>(&spec))
    die(*problem);
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    die(folder + ": " + code.message());
  driver::makeKernelsOfTests(*program);
  std::map<std::string, const mir::Test *> tests;
  for (const mir::Test &test : program->tests)
    tests.emplace(test.path, &test);
  const std::vector<std::string> paths = selected(*program);
  llvm::outs().flush();

  codegen::initialize();
  driver::Driver driver;
  driver.executable = llvm::sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&main));
  CompileJob job{driver, *program, std::get<TargetSpec>(spec), driver::findPtxas(), {}, {}};
  const bool runs = job.spec.backend == Backend::Host;
  job.emit.optLevel = optLevel;
  job.emit.math = driver::findMathLibraries(driver);
  if (tier == "T3")
    job.emit.tier = codegen::Tier::T3;
  if (runs)
    job.folder = folder;

  ChildPool pool(workers);
  auto print = [](const TestResult &result) {
    llvm::outs() << resultLine(result);
    llvm::outs().flush();
  };
  auto compiled = [&](const TestResult &result) {
    if (!runs || result.outcome != Outcome::Compiled)
      print(result);
  };
  auto run = [&](CompiledShard shard) {
    if (runs)
      addRun(pool, std::move(shard), 0, tests, tier, print);
  };
  for (size_t i = 0; i < paths.size(); i += shardSize) {
    const size_t end = std::min<size_t>(paths.size(), i + shardSize);
    addShard(pool, job, {paths.begin() + static_cast<ptrdiff_t>(i), paths.begin() + static_cast<ptrdiff_t>(end)}, compiled, run);
  }
  pool.run();
  return 0;
}
