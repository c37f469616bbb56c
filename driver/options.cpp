// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser and the help text of options.h. A wrong option is answered with the nearest right one.
#include "driver/options.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace mirgpu::driver {

std::optional<std::string> ParsedOptions::get(std::string_view name) const {
  auto it = values_.find(name);
  return it == values_.end() ? std::nullopt : std::optional(it->second.back());
}

std::vector<std::string> ParsedOptions::all(std::string_view name) const {
  auto it = values_.find(name);
  return it == values_.end() ? std::vector<std::string>() : it->second;
}

std::span<const OptionDef> commonOptions() {
  static constexpr OptionDef common[] = {
      {"-v", "", "show each step, its time and every child process"},
      {"--time-trace", "FILE", "write a Chrome trace of the steps and LLVM's passes"},
      {"--error-format", "human|json", "json: diagnostics in rustc's JSON schema, one a line"},
      {"--help", "", "show this text"},
  };
  return common;
}

static const OptionDef *findOption(const CommandDef &command, std::string_view name) {
  for (std::span<const OptionDef> table : {command.options, commonOptions()})
    if (auto it = std::ranges::find(table, name, &OptionDef::name); it != table.end())
      return &*it;
  return nullptr;
}

static llvm::Error unknownOption(const CommandDef &command, llvm::StringRef name) {
  std::string text = ("unknown option `" + name + "` for `mirgpu ").str();
  text += std::string(command.name) + "`";
  unsigned best = 3;
  std::string_view nearest;
  for (std::span<const OptionDef> table : {command.options, commonOptions()})
    for (const OptionDef &option : table)
      if (unsigned distance = name.edit_distance(llvm::StringRef(option.name), true, best);
          distance < best && name.size() > 2) {
        best = distance;
        nearest = option.name;
      }
  if (!nearest.empty())
    text += "; did you mean `" + std::string(nearest) + "`?";
  return usageError(text);
}

/// Splits `argument` into an option's name and a value glued to it.
static std::pair<llvm::StringRef, std::optional<llvm::StringRef>>
splitArgument(llvm::StringRef argument) {
  if (argument.starts_with("--")) {
    size_t equals = argument.find('=');
    if (equals == llvm::StringRef::npos)
      return {argument, std::nullopt};
    return {argument.take_front(equals), argument.drop_front(equals + 1)};
  }
  if (argument.size() > 2)
    return {argument.take_front(2), argument.drop_front(2)};
  return {argument, std::nullopt};
}

llvm::Expected<ParsedOptions> parseOptions(const CommandDef &command,
                                           llvm::ArrayRef<std::string> arguments) {
  ParsedOptions parsed;
  for (size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    if (argument == "--") {
      if (!command.takesRest)
        return usageError("`--` passes arguments on, and `mirgpu " + llvm::StringRef(command.name) +
                          "` has nothing to pass them to");
      parsed.rest.assign(arguments.begin() + i + 1, arguments.end());
      break;
    }
    if (!argument.starts_with("-") || argument == "-") {
      parsed.positional.push_back(argument.str());
      continue;
    }
    auto [name, value] = splitArgument(argument);
    const OptionDef *option = findOption(command, name);
    if (!option)
      return unknownOption(command, name);
    if (option->placeholder.empty()) {
      if (value)
        return usageError("option `" + name + "` takes no value");
      parsed.values_[name.str()].emplace_back();
      continue;
    }
    if (!value) {
      if (++i == arguments.size())
        return usageError("option `" + name +
                          "` needs a value: " + llvm::StringRef(option->placeholder));
      value = arguments[i];
    }
    std::vector<std::string> &values = parsed.values_[name.str()];
    if (!values.empty() && !option->repeats)
      return usageError("option `" + name + "` is given twice");
    values.push_back(value->str());
  }
  return parsed;
}

llvm::Expected<uint64_t> parseNumber(std::string_view option, llvm::StringRef text, uint64_t least,
                                     uint64_t most) {
  uint64_t number = 0;
  if (text.getAsInteger(10, number) || number < least || number > most)
    return usageError("option `" + llvm::StringRef(option) + "` needs a number from " +
                      llvm::Twine(least) + " to " + llvm::Twine(most) + ", not `" + text + "`");
  return number;
}

llvm::Expected<size_t> parseChoice(std::string_view option, llvm::StringRef text,
                                   std::span<const std::string_view> choices) {
  auto it = std::ranges::find(choices, std::string_view(text));
  if (it != choices.end())
    return it - choices.begin();
  return usageError("option `" + llvm::StringRef(option) + "` has no value `" + text +
                    "`; values are " + llvm::join(choices, ", "));
}

static void printOptions(llvm::raw_ostream &out, std::span<const OptionDef> options) {
  for (const OptionDef &option : options) {
    std::string left = "  " + std::string(option.name);
    if (!option.placeholder.empty())
      left += (option.name.size() == 2 ? " " : "=") + std::string(option.placeholder);
    out << left;
    if (left.size() < 34)
      out.indent(34 - left.size());
    else
      (out << '\n').indent(34);
    out << option.doc << (option.repeats ? " (may be repeated)" : "") << '\n';
  }
}

std::string helpText(const CommandDef &command) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "mirgpu " << command.name << ": " << command.summary << "\n\nusage: mirgpu "
      << command.name << ' ' << command.usage << "\n\noptions:\n";
  printOptions(out, command.options);
  printOptions(out, commonOptions());
  if (!command.details.empty())
    out << '\n' << command.details << '\n';
  out << "\nexamples:\n" << command.examples;
  return text;
}

} // namespace mirgpu::driver
