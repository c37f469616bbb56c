// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command-line parser: forms of options, and that every refusal names the option.
#include "driver/commands.h"

#include <doctest/doctest.h>

using namespace mirgpu::driver;

static const CommandDef &command(std::string_view name) {
  for (const CommandEntry &entry : commands())
    if (entry.definition.name == name)
      return entry.definition;
  FAIL("no such command");
  return commands().front().definition;
}

static ParsedOptions parsed(std::string_view name, std::vector<std::string> arguments) {
  auto options = parseOptions(command(name), arguments);
  if (!options) {
    FAIL(llvm::toString(options.takeError()));
    return {};
  }
  return *options;
}

static std::string refusal(std::string_view name, std::vector<std::string> arguments) {
  auto options = parseOptions(command(name), arguments);
  if (options)
    return "accepted";
  llvm::Error error = options.takeError();
  CHECK(error.isA<UsageError>());
  return llvm::toString(std::move(error));
}

TEST_CASE("options: forms") {
  ParsedOptions options =
      parsed("compile", {"a.mir.json", "--target=sm_90", "--emit", "ptx", "-O2", "-o", "-", "-v"});
  CHECK(options.positional == std::vector<std::string>{"a.mir.json"});
  CHECK(options.get("--target") == "sm_90");
  CHECK(options.get("--emit") == "ptx");
  CHECK(options.get("-O") == "2");
  CHECK(options.get("-o") == "-");
  CHECK(options.has("-v"));
  CHECK_FALSE(options.has("--ftz"));
  CHECK(parsed("run", {"f", "--arg", "x=a=b", "--arg=y=1"}).all("--arg") ==
        std::vector<std::string>{"x=a=b", "y=1"});
  CHECK(parsed("export", {"f.rs", "--", "--cfg", "a"}).rest ==
        std::vector<std::string>{"--cfg", "a"});
}

TEST_CASE("options: refusals") {
  CHECK(refusal("compile", {"--targte=sm_90"}) ==
        "unknown option `--targte` for `mirgpu compile`; did you mean `--target`?");
  CHECK(refusal("compile", {"-o"}) == "option `-o` needs a value: FILE");
  CHECK(refusal("compile", {"--ftz=1"}) == "option `--ftz` takes no value");
  CHECK(refusal("compile", {"-o", "a", "-o", "b"}) == "option `-o` is given twice");
  CHECK(refusal("compile", {"--", "a"}).starts_with("`--` passes arguments on"));
}

TEST_CASE("options: every command has help with examples") {
  for (const CommandEntry &entry : commands()) {
    std::string help = helpText(entry.definition);
    CHECK(help.find("usage: mirgpu ") != std::string::npos);
    CHECK(help.find("\nexamples:\n  mirgpu ") != std::string::npos);
    for (const OptionDef &option : entry.definition.options)
      CHECK(help.find(option.name) != std::string::npos);
  }
}

TEST_CASE("options: numbers and choices") {
  CHECK(*parseNumber("-O", "3", 0, 3) == 3);
  for (const char *text : {"4", "-1", "x", "", "1.5", "99999999999999999999"}) {
    auto number = parseNumber("-O", text, 0, 3);
    REQUIRE_FALSE(static_cast<bool>(number));
    CHECK(llvm::toString(number.takeError()).find("`-O`") != std::string::npos);
  }
}
