// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of `mirgpu`: each takes its parsed command line and gives an exit code or an error
// that `Driver::report` turns into one.
#pragma once

#include "driver/options.h"

#include <vector>

namespace mirgpu::driver {

using CommandResult = llvm::Expected<ExitCode>;

CommandResult exportCommand(const Driver &driver, const ParsedOptions &options);
CommandResult compileCommand(const Driver &driver, const ParsedOptions &options);
CommandResult runCommand(const Driver &driver, const ParsedOptions &options);
CommandResult inspectCommand(const Driver &driver, const ParsedOptions &options);
CommandResult doctorCommand(const Driver &driver, const ParsedOptions &options);

struct CommandEntry {
  CommandDef definition;
  CommandResult (*run)(const Driver &, const ParsedOptions &);
};

/// Every command, in the order of `--help`.
const std::vector<CommandEntry> &commands();

/// The page of a diagnostic code for `--explain`; empty for a code that does not exist.
std::string explainCode(llvm::StringRef code);

/// The compiler options that `compile` and `run` share.
struct CompileSettings;
llvm::Expected<CompileSettings> parseCompileSettings(const ParsedOptions &options);

} // namespace mirgpu::driver
