// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/conformance/compile_tests.h"

#include "driver/ptxas.h"
#include "lowering/lower.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"

#include <memory>

namespace mirgpu::conformance {

/// ptxas takes minutes for functions of megabytes, which a few tests become by inlining.
static constexpr size_t kMaxPtxBytes = 2 << 20;

namespace {
/// What a shard's child does.
class ShardCompiler {
public:
  ShardCompiler(const CompileJob &job, const std::vector<std::string> &tests, std::string module,
                int out)
      : job_(job), tests_(tests), module_(std::move(module)), out_(out) {}

  /// The exit code: 0 unless code generation failed with an error.
  int run() {
    auto target = codegen::createTarget(job_.spec);
    if (!target)
      return fail(target.takeError());
    llvm::LLVMContext context;
    Diagnostics diagnostics;
    lowering::LoweredModule lowered =
        lowering::lowerModule(job_.program, context, **target, options(tests_), diagnostics);
    llvm::StringSet<> kept;
    for (const lowering::LoweredKernel &kernel : lowered.kernels)
      kept.insert(kernel.key);
    for (const std::string &test : tests_)
      if (!kept.contains(test))
        report({test, Outcome::Refused, refusal(test, **target)});
    if (!kept.empty())
      if (llvm::Error error = emitOrSplit(lowered, **target))
        return fail(std::move(error));
    for (const std::string &test : tests_)
      if (kept.contains(test))
        report({test, Outcome::Compiled, {}});
    return 0;
  }

private:
  static lowering::LowerOptions options(const std::vector<std::string> &tests) {
    lowering::LowerOptions options;
    options.kernels = tests;
    options.keepGoing = true;
    return options;
  }

  /// PTX is assembled; one that is too large for that is refused while there are tests to split
    /// off, and made without optimisation for one alone.
  llvm::Error emitOrSplit(lowering::LoweredModule &lowered, const lowering::Target &target) {
    if (job_.spec.backend != Backend::Nvptx)
      return emit(lowered);
    auto code = codegen::emit(lowered, job_.spec, job_.emit, codegen::EmitKind::Assembly);
    if (!code)
      return code.takeError();
    if (job_.ptxas.empty())
      return llvm::Error::success();
    if (code->bytes.size() > kMaxPtxBytes && tests_.size() > 1)
      return llvm::createStringError("too much PTX for one module");
    if (code->bytes.size() > kMaxPtxBytes) {
      Diagnostics diagnostics;
      lowering::LoweredModule again = lowering::lowerModule(
          job_.program, lowered.module->getContext(), target, options(tests_), diagnostics);
      codegen::EmitOptions plain = job_.emit;
      plain.optLevel = 0;
      code = codegen::emit(again, job_.spec, plain, codegen::EmitKind::Assembly);
      if (!code)
        return code.takeError();
    }
    return driver::assemble(job_.driver, job_.ptxas, job_.spec.name, code->bytes).takeError();
  }

  llvm::Error emit(lowering::LoweredModule &lowered) {
    const bool isHost = job_.spec.backend == Backend::Host;
    auto code = codegen::emit(lowered, job_.spec, job_.emit, codegen::EmitKind::Code);
    if (!code)
      return code.takeError();
    if (!isHost || module_.empty())
      return llvm::Error::success();
    auto bytes = codegen::writeModule(lowered, {{job_.spec, std::move(*code)}}, "");
    if (!bytes)
      return bytes.takeError();
    return driver::writeOutput(module_, *bytes);
  }

  /// Why the test alone is refused: the first diagnostic, and where its chain ends.
  std::string refusal(const std::string &test, const lowering::Target &target) {
    llvm::LLVMContext context;
    Diagnostics diagnostics;
    (void)lowering::lowerModule(job_.program, context, target, options({test}), diagnostics);
    for (const Diagnostic &diagnostic : diagnostics.all())
      if (diagnostic.severity == Severity::Error)
        return diagnostic.code + ": " + diagnostic.message;
    return "dropped without a diagnostic";
  }

  int fail(llvm::Error error) {
    std::string text = llvm::toString(std::move(error));
    std::fprintf(stderr, "%s\n", text.c_str());
    return 1;
  }
  void report(const TestResult &result) const { writeAll(out_, resultLine(result)); }

  const CompileJob &job_;
  const std::vector<std::string> &tests_;
  std::string module_;
  int out_;
};

std::string howItEnded(const ChildResult &child) {
  std::string text = child.signal ? "the compiler ended by signal " + std::to_string(child.signal)
                                  : "the compiler ended with " + std::to_string(child.exitCode);
  return text + ": " + llvm::StringRef(child.errors).trim().str();
}
} // namespace

void addShard(ChildPool &pool, const CompileJob &job, std::vector<std::string> tests,
              std::function<void(TestResult)> result,
              std::function<void(CompiledShard)> compiled) {
  auto shared = std::make_shared<std::vector<std::string>>(std::move(tests));
  std::string module;
  if (!job.folder.empty()) {
    std::string name = shared->front() + "-" + std::to_string(shared->size());
    for (char &c : name)
      c = c == ':' ? '.' : c;
    module = job.folder + "/" + name + ".mgpu";
  }
  auto finished = [&pool, &job, shared, module, result, compiled](const ChildResult &child) {
    if (child.succeeded()) {
      CompiledShard shard{{}, module};
      for (const TestResult &one : parseResults(child.output)) {
        if (one.outcome == Outcome::Compiled)
          shard.tests.push_back(one.test);
        result(one);
      }
      if (!shard.tests.empty())
        compiled(std::move(shard));
      return;
    }
    if (shared->size() == 1)
      return result({shared->front(), Outcome::Failed, howItEnded(child)});
    const auto middle = shared->begin() + static_cast<ptrdiff_t>(shared->size() / 2);
    addShard(pool, job, {shared->begin(), middle}, result, compiled);
    addShard(pool, job, {middle, shared->end()}, result, compiled);
  };
  pool.add([&job, shared, module](
               int out) { return ShardCompiler(job, *shared, module, out).run(); },
           finished);
}

} // namespace mirgpu::conformance
