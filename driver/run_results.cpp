// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers and statics after a launch: printed as Rust's `{:?}`, written to a file, or compared bit
// for bit.
#include "driver/npy.h"
#include "driver/run_arguments.h"
#include "driver/values.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace mirgpu::driver {

// --------------------------------------------------------------------------------------

static llvm::Expected<std::string> readBack(const Results &results, llvm::StringRef option,
                                            llvm::StringRef name, std::optional<Element> &element) {
  auto it =
      llvm::find_if(results.bound, [&](const BoundArg &a) { return a.name == name && a.buffer; });
  if (it == results.bound.end()) {
    auto bytes = readStatic(results.module, results.stream, name, element);
    if (bytes)
      return bytes;
    return usageError("option `" + option + "`: the kernel has no buffer `" + name + "`, and " +
                      llvm::toString(bytes.takeError()));
  }
  element = it->element;
  std::string bytes(it->buffer->size(), '\0');
  std::span<std::byte> into(reinterpret_cast<std::byte *>(bytes.data()), bytes.size());
  if (llvm::Error error = checkStatus(it->buffer->read(results.stream, into)))
    return error;
  return bytes;
}

static llvm::Error printResult(const Results &results, llvm::StringRef text) {
  auto [name, file] = text.split('=');
  std::optional<Element> element;
  auto bytes = readBack(results, "--print", name, element);
  if (!bytes)
    return bytes.takeError();
  if (file.empty()) {
    llvm::outs() << name << " = " << bufferText(element, *bytes) << '\n';
    return llvm::Error::success();
  }
  if (!file.consume_front("@"))
    return usageError("option `--print " + text + "`: a file is written as NAME=@FILE");
  if (file.ends_with(".npy") && !element)
    return usageError("option `--print " + text + "`: a NumPy file needs elements of a known type");
  return writeOutput(file, file.ends_with(".npy") ? writeNpy(*element, *bytes) : *bytes);
}

static llvm::Error checkResult(const Results &results, llvm::StringRef text) {
  auto named = splitNamed("--check", text);
  if (!named)
    return named.takeError();
  std::optional<Element> element;
  auto bytes = readBack(results, "--check", named->first, element);
  if (!bytes)
    return bytes.takeError();
  std::string argument = "option `--check " + named->first + "`";
  auto value = parseValue(argument, named->second);
  if (!value)
    return value.takeError();
  const BufferValue *wanted = std::get_if<BufferValue>(&*value);
  if (!wanted)
    return usageError(argument + " needs a buffer, as f32[4]:1,2,3,4 or @FILE");
  if (wanted->element && element && *wanted->element != *element)
    return usageError(argument + ": elements are " + infoOf(*wanted->element).name +
                      ", and the buffer holds " + infoOf(*element).name);
  if (wanted->bytes.size() != bytes->size())
    return programError("`" + named->first + "` has " + llvm::Twine(bytes->size()) +
                        " bytes where " + llvm::Twine(wanted->bytes.size()) + " are expected");
  uint64_t size = element ? infoOf(*element).size : 1;
  uint64_t wrong = 0, first = 0;
  for (uint64_t at = 0; at < bytes->size(); at += size)
    if (bytes->compare(at, size, wanted->bytes, at, size) != 0 && wrong++ == 0)
      first = at;
  if (wrong == 0)
    return llvm::Error::success();
  auto shown = [&](const std::string &all) {
    return element ? elementText(*element, all.data() + first)
                   : bufferText(std::nullopt, all.substr(first, 1));
  };
  return programError("`" + named->first + "` is wrong in " + llvm::Twine(wrong) + " of " +
                      llvm::Twine(bytes->size() / size) + " elements: element " +
                      llvm::Twine(first / size) + " is " + shown(*bytes) + ", expected " +
                      shown(wanted->bytes));
}

llvm::Error showResults(const Results &results, const ParsedOptions &options) {
  for (const std::string &text : options.all("--print"))
    if (llvm::Error error = printResult(results, text))
      return error;
  llvm::outs().flush();
  llvm::Error all = llvm::Error::success();
  for (const std::string &text : options.all("--check"))
    all = llvm::joinErrors(std::move(all), checkResult(results, text));
  return all;
}

} // namespace mirgpu::driver
