// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of the compiler's stages in one warm process. From: serialized MIR files on the command
// line, before google-benchmark's own options. To: google-benchmark's results, `<stage>/<example>`:
// read, lower and emit by themselves, and `mir_to_ptx`, the three together. Each repetition is one
// compilation from the file's bytes on; nothing is kept from one to the next.
#include "codegen/codegen.h"
#include "mir_reader/read.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace mirgpu;

namespace {

struct Times {
  double read = 0, lower = 0, emit = 0; ///< seconds
};

class Clock {
public:
  double lap() {
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double> spent = now - last_;
    last_ = now;
    return spent.count();
  }

private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

template <class T> T orDie(llvm::Expected<T> value) {
  if (!value) {
    llvm::errs() << "mirgpu_bench: " << llvm::toString(value.takeError()) << '\n';
    std::exit(3);
  }
  return std::move(*value);
}

/// One compilation for sm_90; the text of `kind` goes to `text` if there is one.
Times compileOnce(llvm::MemoryBufferRef mir, const codegen::EmitOptions &options = {},
                  codegen::EmitKind kind = codegen::EmitKind::Assembly,
                  std::string *text = nullptr) {
  Times times;
  TargetSpec spec = std::get<TargetSpec>(parseTarget("sm_90"));
  Clock clock;
  mir::Program program = orDie(mir::read(mir));
  times.read = clock.lap();
  llvm::LLVMContext context;
  auto target = orDie(codegen::createTarget(spec));
  Diagnostics diagnostics;
  lowering::LoweredModule lowered =
      lowering::lowerModule(program, context, *target, {}, diagnostics);
  times.lower = clock.lap();
  if (diagnostics.hasErrors()) {
    llvm::errs() << "mirgpu_bench: the program has errors\n";
    std::exit(1);
  }
  codegen::Emitted emitted = orDie(codegen::emit(lowered, spec, options, kind));
  benchmark::DoNotOptimize(emitted.bytes.data());
  times.emit = clock.lap();
  if (text)
    *text = std::move(emitted.bytes);
  return times;
}

/// `dir/saxpy.mir.json` is `saxpy`.
std::string stem(const std::string &path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  return name.substr(0, name.find('.'));
}

/// The IR that our passes start from, for a peer to start from too.
void writeExpanded(llvm::MemoryBufferRef mir, const std::string &path) {
  codegen::EmitOptions options;
  options.runPasses = false;
  std::string text;
  compileOnce(mir, options, codegen::EmitKind::LlvmIr, &text);
  std::error_code code;
  llvm::raw_fd_ostream out(path, code);
  out << text;
}

void registerFile(const std::string &path, std::shared_ptr<llvm::MemoryBuffer> buffer) {
  std::string name = stem(path);
  auto add = [&](const char *stage, auto pick) {
    benchmark::RegisterBenchmark((std::string(stage) + "/" + name).c_str(),
                                 [buffer, pick](benchmark::State &state) {
                                   for ([[maybe_unused]] auto _ : state)
                                     state.SetIterationTime(
                                         pick(compileOnce(buffer->getMemBufferRef())));
                                 })
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(50)
        ->ReportAggregatesOnly()
        ->Unit(benchmark::kMillisecond);
  };
  add("mir_to_ptx", [](const Times &t) { return t.read + t.lower + t.emit; });
  add("read", [](const Times &t) { return t.read; });
  add("lower", [](const Times &t) { return t.lower; });
  add("emit", [](const Times &t) { return t.emit; });
}

} // namespace

int main(int argc, char **argv) {
  codegen::initialize();
  std::vector<char *> rest{argv[0]};
  std::string expanded;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (argument.starts_with("--expanded-ir=")) {
      expanded = argument.substr(argument.find('=') + 1);
      continue;
    }
    if (argument.starts_with("-")) {
      rest.push_back(argv[i]);
      continue;
    }
    auto buffer = llvm::MemoryBuffer::getFile(argv[i]);
    if (!buffer) {
      llvm::errs() << argv[i] << ": " << buffer.getError().message() << '\n';
      return 3;
    }
    compileOnce((*buffer)->getMemBufferRef()); // warm
    if (!expanded.empty())
      writeExpanded((*buffer)->getMemBufferRef(), expanded + "/" + stem(argv[i]) + ".ll");
    registerFile(argv[i], std::move(*buffer));
  }
  int count = static_cast<int>(rest.size());
  benchmark::Initialize(&count, rest.data());
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
