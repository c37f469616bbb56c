// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `mirgpu`: takes the command line apart, runs one command, and turns what it gives into an exit
// code (DESIGN §5: 0 right, 1 the user's program, 2 usage, 3 the world, 4 our bug).
#include "driver/commands.h"
#include "driver/crash.h"

#include "codegen/codegen.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"

namespace mirgpu::driver {

static void printMainHelp() {
  llvm::raw_ostream &out = llvm::outs();
  out << "mirgpu " << kVersion
      << ": compiles kernels written in Rust for NVIDIA and AMD GPUs and for the CPU, and runs "
         "them\n\n"
      << "usage: mirgpu COMMAND [options]\n\ncommands:\n";
  for (const CommandEntry &command : commands()) {
    out << "  " << command.definition.name;
    out.indent(12 - static_cast<unsigned>(command.definition.name.size()))
        << command.definition.summary << '\n';
  }
  out << "\n  mirgpu COMMAND --help     options and examples of a command\n"
         "  mirgpu --explain MGnnnn   what a diagnostic means, with an example\n"
         "  mirgpu --version\n\nexamples:\n"
         "  mirgpu compile saxpy.rs --target=sm_90 --emit=ptx -o -\n"
         "  mirgpu run saxpy.rs --grid 4 --block 256 --arg a=2 --arg x=f32[1000]:iota --arg "
         "y=f32[1000]:zeros --print y\n";
}

static CommandResult explain(llvm::ArrayRef<std::string> arguments) {
  if (arguments.size() != 1)
    return usageError("option `--explain` needs one code, as --explain MG0101");
  std::string page = explainCode(arguments[0]);
  if (page.empty())
    return usageError("option `--explain`: there is no diagnostic `" + arguments[0] + "`");
  llvm::outs() << page;
  return ExitCode::Right;
}

static CommandResult runWithTrace(const Driver &driver, const CommandEntry &command,
                                  const ParsedOptions &options) {
  auto trace = options.get("--time-trace");
  if (!trace)
    return command.run(driver, options);
  llvm::timeTraceProfilerInitialize(/*TimeTraceGranularity=*/100, "mirgpu");
  CommandResult result = command.run(driver, options);
  if (llvm::Error error = llvm::timeTraceProfilerWrite(*trace, "mirgpu")) {
    if (!result)
      return llvm::joinErrors(result.takeError(), std::move(error));
    return error;
  }
  llvm::timeTraceProfilerCleanup();
  return result;
}

static CommandResult dispatch(Driver &driver, llvm::ArrayRef<std::string> arguments) {
  if (arguments.empty()) {
    printMainHelp();
    return ExitCode::Usage;
  }
  llvm::StringRef name = arguments[0];
  if (name == "--help" || name == "-h" || name == "help") {
    printMainHelp();
    return ExitCode::Right;
  }
  if (name == "--version" || name == "-V") {
    llvm::outs() << "mirgpu " << kVersion << " (LLVM " << LLVM_VERSION_STRING << ")\n";
    return ExitCode::Right;
  }
  arguments = arguments.drop_front();
  if (name.consume_front("--explain")) {
    if (!name.consume_front("="))
      return explain(arguments);
    return explain(name.str());
  }
  auto command = llvm::find_if(commands(), [&](const CommandEntry &c) {
    return c.definition.name == std::string_view(name);
  });
  if (command == commands().end())
    return usageError("`" + name + "` is no command of mirgpu");
  auto options = parseOptions(command->definition, arguments);
  if (!options)
    return options.takeError();
  if (options->has("--help")) {
    llvm::outs() << helpText(command->definition);
    return ExitCode::Right;
  }
  driver.verbose = options->has("-v");
  static constexpr std::string_view formats[] = {"human", "json"};
  auto format =
      parseChoice("--error-format", options->get("--error-format").value_or("human"), formats);
  if (!format)
    return format.takeError();
  driver.errorFormat = *format == 1 ? ErrorFormat::Json : ErrorFormat::Human;
  codegen::initialize();
  return runWithTrace(driver, *command, *options);
}

static int run(int argc, char **argv) {
  Driver driver;
  driver.executable = llvm::sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&run));
  installCrashReports({argv, argv + argc});
  std::vector<std::string> arguments(argv + 1, argv + argc);
  CommandResult result = dispatch(driver, arguments);
  ExitCode code = result ? *result : driver.report(result.takeError());
  llvm::outs().flush();
  return static_cast<int>(code);
}

} // namespace mirgpu::driver

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv, /*InstallPipeSignalExitHandler=*/false);
  return mirgpu::driver::run(argc, argv);
}
