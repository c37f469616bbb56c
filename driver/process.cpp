// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes through Boost.Process. The one file of driver/ that is built with exceptions:
// none leaves it.
#include "driver/process.h"

#include <boost/process.hpp>

#include <csignal>
#include <exception>
#include <sys/wait.h> // NOLINT(misc-include-cleaner): WIFSIGNALED and its like

namespace bp = boost::process;

namespace mirgpu::driver {

static bool isPlain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("_-./=:,+@%").find(c) != std::string_view::npos;
}

std::string shellText(const Command &command) {
  auto quote = [](const std::string &word) {
    if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain))
      return word;
    std::string quoted = "'";
    for (char c : word)
      quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
  };
  std::string text;
  for (const auto &[name, value] : command.environment)
    text += name + "=" + quote(value) + " ";
  text += quote(command.program);
  for (const std::string &argument : command.arguments)
    text += " " + quote(argument);
  return text;
}

static Finished wait(bp::child &child, std::string output) {
  child.wait();
  Finished finished;
  int status = child.native_exit_code();
  if (WIFSIGNALED(status))
    finished.signal = WTERMSIG(status);
  finished.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + finished.signal;
  finished.output = std::move(output);
  return finished;
}

static Finished start(const Command &command) {
  bp::environment environment = boost::this_process::environment();
  for (const auto &[name, value] : command.environment)
    environment[name] = value;
  if (!command.capture) {
    bp::child child(bp::exe = command.program, bp::args = command.arguments, environment);
    return wait(child, "");
  }
  bp::ipstream pipe;
  bp::child child(bp::exe = command.program, bp::args = command.arguments, environment,
                  bp::std_in<bp::null, (bp::std_out & bp::std_err)> pipe);
  std::string output(std::istreambuf_iterator<char>(pipe), {});
  return wait(child, std::move(output));
}

llvm::Expected<Finished> runProcess(const Driver &driver, const Command &command) {
  driver.log("            + " + shellText(command));
  Step step(driver, "run", command.program);
  try {
    return start(command);
  } catch (const std::exception &problem) {
    return worldError("cannot run `" + command.program + "`: " + problem.what());
  }
}

std::string findInPath(const std::string &program) {
  try {
    return bp::search_path(program).string();
  } catch (const std::exception &) {
    return "";
  }
}

} // namespace mirgpu::driver
