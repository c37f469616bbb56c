// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes: the exporter, ptxas. A child that cannot be started is an Error that names it; a
// child that ran and failed is a result with its exit code, for the caller to judge.
#pragma once

#include "driver/driver.h"

#include <string>
#include <utility>
#include <vector>

namespace mirgpu::driver {

struct Command {
  std::string program; ///< a path
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment; ///< added to ours
  bool capture =
      false; ///< collect standard output and standard error; else the child writes to ours
};

struct Finished {
  int exitCode = 0;
  int signal = 0; ///< that ended it, or 0
  std::string output;
};

/// Runs `command` to its end.
llvm::Expected<Finished> runProcess(const Driver &driver, const Command &command);

/// `program` as found in PATH, or empty.
std::string findInPath(const std::string &program);

/// The command as a shell would take it.
std::string shellText(const Command &command);

} // namespace mirgpu::driver
