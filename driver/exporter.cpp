// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the exporter by its description `current.json` and runs it on one source file.
#include "driver/exporter.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

namespace mirgpu::driver {

static std::string joined(llvm::StringRef folder, llvm::StringRef a, llvm::StringRef b = "",
                          llvm::StringRef c = "") {
  llvm::SmallString<128> path(folder);
  for (llvm::StringRef part : {a, b, c})
    if (!part.empty()) // an empty part would leave a separator at the end
      llvm::sys::path::append(path, part);
  return path.str().str();
}

static std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

std::string cacheRoot() {
  if (std::string root = environment("MIRGPU_CACHE"); !root.empty())
    return root;
  if (std::string root = environment("XDG_CACHE_HOME"); !root.empty())
    return joined(root, "mirgpu");
  return joined(environment("HOME"), ".cache", "mirgpu");
}

static std::string text(const llvm::json::Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

static std::vector<std::string> texts(const llvm::json::Object &object, llvm::StringRef key) {
  std::vector<std::string> all;
  if (const llvm::json::Array *array = object.getArray(key))
    for (const llvm::json::Value &value : *array)
      if (auto item = value.getAsString())
        all.push_back(item->str());
  return all;
}

/// Paths in a description are absolute, or relative to the description's folder (an installed one
/// moves with its prefix).
static std::string resolved(llvm::StringRef folder, llvm::StringRef path) {
  return path.empty() || llvm::sys::path::is_absolute(path) ? path.str() : joined(folder, path);
}

static llvm::Expected<Exporter> readDescription(llvm::StringRef path) {
  auto bytes = readFileBytes(path);
  if (!bytes)
    return bytes.takeError();
  auto parsed = llvm::json::parse(*bytes);
  if (!parsed)
    return llvm::createFileError(path, parsed.takeError());
  const llvm::json::Object *object = parsed->getAsObject();
  if (!object || text(*object, "exporter").empty())
    return worldError(path + ": is no description of an exporter; run `./dev exporter` again");
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  Exporter exporter;
  exporter.binary = resolved(folder, text(*object, "exporter"));
  exporter.sysroot = resolved(folder, text(*object, "sysroot"));
  exporter.host = text(*object, "host");
  exporter.arguments = texts(*object, "arguments");
  for (const std::string &search : texts(*object, "search"))
    exporter.search.push_back(resolved(folder, search));
  if (const llvm::json::Array *crates = object->getArray("device"))
    for (const llvm::json::Value &value : *crates)
      if (const llvm::json::Object *crate = value.getAsObject())
        exporter.crates.push_back({text(*crate, "name"), resolved(folder, text(*crate, "rmeta"))});
  if (const llvm::json::Array *remap = object->getArray("remap"))
    for (const llvm::json::Value &value : *remap)
      if (const llvm::json::Array *pair = value.getAsArray(); pair && pair->size() == 2)
        exporter.remap.emplace_back(resolved(folder, (*pair)[0].getAsString().value_or("")),
                                    (*pair)[1].getAsString().value_or("").str());
  if (!llvm::sys::fs::can_execute(exporter.binary))
    return worldError(path + ": names the exporter `" + exporter.binary +
                      "`, which cannot be run; run `./dev exporter` again");
  return exporter;
}

llvm::Expected<Exporter> findExporter(const Driver &driver) {
  std::vector<std::pair<std::string, std::string>> places; // description, origin
  std::string named = environment("MIRGPU_EXPORTER");
  if (!named.empty()) {
    if (!llvm::sys::fs::can_execute(named))
      return worldError("MIRGPU_EXPORTER names `" + named + "`, which cannot be run");
    places.emplace_back(joined(llvm::sys::path::parent_path(named), "current.json"),
                        "MIRGPU_EXPORTER");
  }
  llvm::SmallString<128> real;
  if (!llvm::sys::fs::real_path(driver.executable, real)) {
    llvm::StringRef prefix = llvm::sys::path::parent_path(llvm::sys::path::parent_path(real));
    places.emplace_back(joined(prefix, "libexec", "mirgpu", "current.json"),
                        "installed with mirgpu");
  }
  places.emplace_back(joined(cacheRoot(), "exporter", "current.json"), "the cache " + cacheRoot());
  for (const auto &[path, origin] : places) {
    if (!llvm::sys::fs::exists(path))
      continue;
    auto exporter = readDescription(path);
    if (!exporter)
      return exporter.takeError();
    exporter->origin = origin;
    if (!named.empty())
      exporter->binary = named;
    return exporter;
  }
  std::string looked;
  for (const auto &[path, origin] : places)
    looked += "\n  looked for " + path;
  return worldError(
      "the exporter, which turns Rust into serialized MIR, was not found" + looked +
      "\n  build it with `./dev exporter` in mirgpu's checkout, or name one with MIRGPU_EXPORTER");
}

/// A crate name that rustc takes, from the file's.
static std::string crateName(llvm::StringRef source) {
  std::string name = llvm::sys::path::stem(source).str();
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])))
    name.insert(name.begin(), '_');
  return name;
}

static bool contains(llvm::ArrayRef<std::string> arguments, llvm::StringRef option) {
  return llvm::any_of(arguments,
                      [&](const std::string &a) { return llvm::StringRef(a).starts_with(option); });
}

static std::vector<std::string> rustcCommandLine(const Exporter &exporter, llvm::StringRef source,
                                                 llvm::StringRef output,
                                                 llvm::ArrayRef<std::string> rustcArguments) {
  std::vector<std::string> line{source.str()};
  if (!contains(rustcArguments, "--crate-name"))
    line.push_back("--crate-name=" + crateName(source));
  if (!contains(rustcArguments, "--crate-type"))
    line.push_back("--crate-type=lib");
  if (!contains(rustcArguments, "--edition"))
    line.push_back("--edition=2024");
  if (!contains(rustcArguments, "-O") && !contains(rustcArguments, "-Copt-level"))
    line.push_back("-Copt-level=3");
  if (!exporter.sysroot.empty())
    line.push_back("--sysroot=" + exporter.sysroot);
  if (!exporter.host.empty())
    line.push_back("--target=" + exporter.host);
  for (const DeviceCrate &crate : exporter.crates)
    line.push_back("--extern=" + crate.name + "=" + crate.rmeta);
  for (const std::string &folder : exporter.search)
    line.push_back("-Ldependency=" + folder);
  for (const auto &[from, to] : exporter.remap)
    line.push_back("--mirgpu-remap=" + from + "=" + to);
  llvm::append_range(line, exporter.arguments);
  line.push_back("--emit=metadata=" + output.str() + ".rmeta");
  line.push_back("--mirgpu-golden");
  line.push_back("--mirgpu-out=" + output.str());
  llvm::append_range(line, rustcArguments);
  return line;
}

llvm::Error exportSource(const Driver &driver, llvm::StringRef source, llvm::StringRef output,
                         llvm::ArrayRef<std::string> rustcArguments) {
  if (!llvm::sys::fs::exists(source))
    return llvm::createFileError(source,
                                 std::make_error_code(std::errc::no_such_file_or_directory));
  auto exporter = findExporter(driver);
  if (!exporter)
    return exporter.takeError();
  Command command;
  command.program = exporter->binary;
  command.arguments = rustcCommandLine(*exporter, source, output, rustcArguments);
  command.environment = {{"MIRGPU_EXPORT", "1"}}; // our macros emit the tool attributes
  if (driver.errorFormat == ErrorFormat::Json)
    command.arguments.push_back("--error-format=json");
  auto finished = runProcess(driver, command);
  (void)llvm::sys::fs::remove(output + ".rmeta"); // it may not be there
  if (!finished)
    return finished.takeError();
  if (finished->signal)
    return worldError("the exporter `" + exporter->binary + "` was ended by signal " +
                      llvm::Twine(finished->signal));
  if (finished->exitCode == 1)
    return programError(""); // rustc has said what is wrong
  if (finished->exitCode != 0)
    return worldError("the exporter `" + exporter->binary + "` ended with exit code " +
                      llvm::Twine(finished->exitCode));
  if (!llvm::sys::fs::exists(output))
    return worldError("the exporter `" + exporter->binary + "` wrote no `" + output + "`");
  return llvm::Error::success();
}

void addRemappedFolders(const Driver &driver, Sources &sources) {
  auto exporter = findExporter(driver);
  if (!exporter) {
    llvm::consumeError(exporter.takeError());
    return;
  }
  for (const auto &[from, to] : exporter->remap)
    sources.addPrefix(to, from);
}

} // namespace mirgpu::driver
