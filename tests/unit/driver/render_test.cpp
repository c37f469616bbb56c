// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A diagnostic on the terminal and in JSON: lines, carets, labels, the call chain, and what happens
// without a source.
#include "driver/render.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <doctest/doctest.h>

using namespace mirgpu;
using namespace mirgpu::driver;

namespace {
/// A folder with one source, removed at the end.
struct SourceFolder {
  llvm::SmallString<128> path;
  explicit SourceFolder(llvm::StringRef text) {
    REQUIRE_FALSE(llvm::sys::fs::createUniqueDirectory("mirgpu-render", path));
    std::error_code code;
    llvm::raw_fd_ostream out((path + "/k.rs").str(), code);
    out << text;
  }
  ~SourceFolder() { llvm::sys::fs::remove_directories(path); }
};
} // namespace

static Diagnostic barrier() {
  Diagnostic diagnostic;
  diagnostic.code = "MG0301";
  diagnostic.message = "`sync_threads` where not every thread of the block arrives";
  diagnostic.span = {"k.rs", 4, 9, 4, 23};
  diagnostic.label = "threads for which it is false never reach this barrier";
  diagnostic.labels.push_back({{"k.rs", 2, 8, 2, 13}, "threads part here"});
  diagnostic.callChain = {{"scan_tail", {"k.rs", 30, 5, 30, 11}}, {"step", {}}};
  diagnostic.help.push_back("move the barrier after the `if`");
  diagnostic.verboseNotes.push_back("bb3: Call");
  return diagnostic;
}

TEST_CASE("render: source lines, carets and labels") {
  SourceFolder folder("fn f() {\n    if x < n {\n\n\tsync_threads();\n");
  Sources sources;
  sources.addFolder(folder.path.str().str());
  Diagnostic diagnostic = barrier();
  diagnostic.span = {"k.rs", 4, 2, 4, 16};
  std::string text = renderTerminal(diagnostic, sources, {});
  std::string expected =
      "error[MG0301]: `sync_threads` where not every thread of the block arrives\n"
      " --> " +
      folder.path.str().str() +
      "/k.rs:4:2\n"
      "  |\n"
      "2 |     if x < n {\n"
      "  |        ----- threads part here\n"
      "3 |\n"
      "4 |     sync_threads();\n"
      "  |     ^^^^^^^^^^^^^^ threads for which it is false never reach this barrier\n"
      "  |\n"
      "note: required by kernel `scan_tail`, through `step` (" +
      folder.path.str().str() +
      "/k.rs:30:5)\n"
      "  = help: move the barrier after the `if`\n"
      "  = note: for the MIR construct, rerun with `-v`\n";
  CHECK(text == expected);
}

TEST_CASE("render: without the source every fact is still there") {
  Sources sources;
  RenderOptions options;
  options.verbose = true;
  std::string text = renderTerminal(barrier(), sources, options);
  for (const char *part : {"k.rs:4:9", "never reach this barrier", "threads part here (k.rs:2:8)",
                           "`scan_tail`", "move the barrier", "bb3: Call"})
    CHECK(text.find(part) != std::string::npos);
}

TEST_CASE("render: spans beyond the file do not matter") {
  SourceFolder folder("one line");
  Sources sources;
  sources.addFolder(folder.path.str().str());
  Diagnostic diagnostic = barrier();
  for (uint32_t line : {0u, 1u, 2u, 4000000000u})
    for (uint32_t column : {0u, 1u, 9u, 4000u}) {
      diagnostic.span = {"k.rs", line, column, line, column};
      CHECK_FALSE(renderTerminal(diagnostic, sources, {}).empty());
      CHECK_FALSE(renderJson(diagnostic, sources, {}).empty());
    }
}

TEST_CASE("render: rustc's JSON schema") {
  SourceFolder folder("fn f() {\n    if é < n {\n\n        sync_threads();\n");
  Sources sources;
  sources.addFolder(folder.path.str().str());
  auto parsed = llvm::json::parse(renderJson(barrier(), sources, {}));
  REQUIRE(static_cast<bool>(parsed));
  const llvm::json::Object &object = *parsed->getAsObject();
  CHECK(object.getString("$message_type") == "diagnostic");
  CHECK(object.getString("level") == "error");
  CHECK(object.getObject("code")->getString("code") == "MG0301");
  const llvm::json::Object &primary = *(*object.getArray("spans"))[0].getAsObject();
  CHECK(primary.getBoolean("is_primary") == true);
  CHECK(primary.getInteger("line_start") == 4);
  CHECK(primary.getInteger("column_end") == 23);
  CHECK(primary.getInteger("byte_start") == 34); // `é` has two bytes
  CHECK(primary.getInteger("byte_end") == 48);
  CHECK((*primary.getArray("text"))[0].getAsObject()->getString("text") ==
        "        sync_threads();");
  CHECK(object.getArray("children")->size() == 2);
  CHECK(object.getString("rendered")->starts_with("error[MG0301]"));
}
