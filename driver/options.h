// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// argv to a parsed command line. Each command has a table of options; the parser, the help text and
// the error messages read the same table. (LLVM's own option registry is process-wide and, in the
// shared libLLVM, already holds every option of every back end: a user's `mirgpu --help` and a
// typo's suggestion would drown in them.) Invariant: what `parse` returns names only options of the
// command's table, each with a value exactly if its row has a placeholder.
#pragma once

#include "driver/driver.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mirgpu::driver {

/// One row: `--target=LIST` has the name `--target` and the placeholder `LIST`; a flag has no
/// placeholder. One-letter options (`-o`) take their value glued or as the next argument.
struct OptionDef {
  std::string_view name;
  std::string_view placeholder;
  std::string_view doc;
  bool repeats = false;
};

struct CommandDef {
  std::string_view name;
  std::string_view summary;
  std::string_view usage; ///< what follows the name
  std::span<const OptionDef> options;
  std::string_view details;  ///< below the options
  std::string_view examples; ///< one a line
  bool takesRest = false;    ///< whether arguments after `--` are passed on
};

/// One command line, taken apart.
class ParsedOptions {
public:
  bool has(std::string_view name) const { return values_.contains(name); }
  /// The last value given to an option.
  std::optional<std::string> get(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;

  std::vector<std::string> positional;
  std::vector<std::string> rest; ///< after `--`
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

/// The options that every command takes.
std::span<const OptionDef> commonOptions();

llvm::Expected<ParsedOptions> parseOptions(const CommandDef &command,
                                           llvm::ArrayRef<std::string> arguments);

/// A number at least `least` and at most `most`, or a usage error that names the option.
llvm::Expected<uint64_t> parseNumber(std::string_view option, llvm::StringRef text, uint64_t least,
                                     uint64_t most);

/// The index of `text` in `choices`, or a usage error that names the option and the choices.
llvm::Expected<size_t> parseChoice(std::string_view option, llvm::StringRef text,
                                   std::span<const std::string_view> choices);

std::string helpText(const CommandDef &command);

} // namespace mirgpu::driver
