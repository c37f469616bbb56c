// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statics of the module: set by `--set NAME=VALUE` before the launch, read by `--print` and
// `--check` after it.
#include "driver/run_arguments.h"
#include "driver/values.h"

namespace mirgpu::driver {

/// The bytes that `value` gives the static, of exactly its size.
static llvm::Expected<std::string> encode(const std::string &argument, Value value,
                                          const mirgpu_global_info &info) {
  const llvm::StringRef element = info.element_name;
  if (const auto *scalar = std::get_if<ScalarValue>(&value)) {
    if (info.element_size == 0 || info.size != info.element_size)
      return usageError(argument + ": `" + scalar->text + "` is a scalar, and the static is a `" +
                        info.type_name + "`; give a buffer, as " +
                        (info.element_size ? element.str() + ":[…]" : "bytes:@FILE"));
    return encodeScalar(argument, scalar->text, info.element_name, info.size);
  }
  BufferValue buffer = std::get<BufferValue>(std::move(value));
  if (auto wanted = elementNamed(element); wanted && buffer.element && *wanted != *buffer.element)
    return usageError(argument + ": elements are " + infoOf(*buffer.element).name +
                      ", and the static holds " + element);
  if (buffer.bytes.size() != info.size)
    return usageError(argument + ": " + llvm::Twine(buffer.bytes.size()) + " bytes where `" +
                      info.type_name + "` has " + llvm::Twine(info.size));
  return std::move(buffer.bytes);
}

llvm::Error setStatics(const Module &module, const Stream &stream, const ParsedOptions &options) {
  for (const std::string &text : options.all("--set")) {
    auto named = splitNamed("--set", text);
    if (!named)
      return named.takeError();
    auto global = expected(module.global<std::byte>(named->first));
    if (!global)
      return global.takeError();
    std::string argument = "option `--set " + named->first + "`";
    auto value = parseValue(argument, named->second);
    if (!value)
      return value.takeError();
    auto bytes = encode(argument, std::move(*value), global->info());
    if (!bytes)
      return bytes.takeError();
    if (llvm::Error error = checkStatus(global->write(stream, asBytes(*bytes))))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<std::string> readStatic(const Module &module, const Stream &stream,
                                       llvm::StringRef name, std::optional<Element> &element) {
  auto global = expected(module.global<std::byte>(std::string_view(name)));
  if (!global)
    return global.takeError();
  element = elementNamed(global->info().element_name);
  std::string bytes(global->size(), '\0');
  std::span<std::byte> into(reinterpret_cast<std::byte *>(bytes.data()), bytes.size());
  if (llvm::Error error = checkStatus(global->read(stream, into)))
    return error;
  return bytes;
}

} // namespace mirgpu::driver
