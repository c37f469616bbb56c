// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds `--arg` to parameters. A wrong one is answered with one that would suit.
#include "driver/run_arguments.h"

#include "driver/values.h"
#include "support/type_name.h"

#include "llvm/ADT/STLExtras.h"

namespace mirgpu::driver {

llvm::Error runtimeError(const mirgpu::Error &error) {
  switch (error.code) {
  case ErrorCode::Panic:
  case ErrorCode::Deadlock:
  case ErrorCode::Sync:
  case ErrorCode::StackOverflow:
    return programError(error.message);
  case ErrorCode::InvalidArgument:
  case ErrorCode::NoSuchKernel:
  case ErrorCode::NoSuchGlobal:
  case ErrorCode::ArgumentMismatch:
  case ErrorCode::Overlap:
  case ErrorCode::Geometry:
    return usageError(error.message);
  case ErrorCode::Io:
  case ErrorCode::InvalidModule:
  case ErrorCode::NoCode:
  case ErrorCode::NoDriver:
  case ErrorCode::NotBuilt:
  case ErrorCode::NoDevice:
  case ErrorCode::OutOfMemory:
  case ErrorCode::Backend:
  case ErrorCode::DeviceLost:
    return worldError(error.message);
  }
  llvm_unreachable("covered");
}

// ------------------------------------------------------------------------------------

static bool isSlice(const ParamInfo &param) {
  return param.kind == ParamKind::Slice || param.kind == ParamKind::SliceMut ||
         param.kind == ParamKind::DisjointSlice;
}

/// The primitive type of what an argument for `param` holds: of the elements of a slice or behind
/// a pointer, else of the value itself. Empty where the parameter's type is no such type.
static llvm::StringRef primitiveOf(const ParamInfo &param) {
  bool isBuffer = isSlice(param) || param.kind == ParamKind::Pointer;
  return primitiveTypeName(isBuffer ? elementTypeName(param.typeName) : param.typeName);
}

/// What `--arg` would suit a parameter, for messages.
static std::string example(const ParamInfo &param) {
  std::string text = "--arg " + std::string(param.name) + "=";
  if (param.kind == ParamKind::Aggregate)
    return text + "bytes:@FILE";
  llvm::StringRef primitive = primitiveOf(param);
  if (param.kind == ParamKind::Scalar)
    return text + (primitive == "bool" ? "true" : primitive == "char" ? "x" : "1");
  auto element = elementNamed(primitive);
  return text + (element ? infoOf(*element).name.str() + "[1024]:zeros" : "bytes:@FILE");
}

static llvm::Error checkNames(const std::vector<ParamInfo> &params, const ParsedOptions &options) {
  std::vector<std::string> given;
  for (const std::string &text : options.all("--arg")) {
    auto named = splitNamed("--arg", text);
    if (!named)
      return named.takeError();
    if (llvm::is_contained(given, named->first))
      return usageError("option `--arg` gives `" + named->first + "` twice");
    given.push_back(named->first);
    if (llvm::none_of(params, [&](const ParamInfo &p) { return p.name == named->first; })) {
      std::string names;
      for (const ParamInfo &param : params)
        names += (names.empty() ? "" : ", ") + std::string(param.name);
      return usageError("option `--arg`: the kernel has no parameter `" + named->first +
                        "`; parameters are " + names);
    }
  }
  for (const ParamInfo &param : params)
    if (!llvm::is_contained(given, param.name))
      return usageError("parameter `" + llvm::StringRef(param.name) + ": " +
                        llvm::StringRef(param.typeName) + "` has no argument; give one, as " +
                        example(param));
  return llvm::Error::success();
}

static llvm::Expected<BoundArg> bindScalar(const ParamInfo &param, const std::string &argument,
                                           const ScalarValue &scalar) {
  if (param.kind != ParamKind::Scalar)
    return usageError(argument + ": `" + scalar.text + "` is a scalar, and the kernel takes `" +
                      llvm::StringRef(param.typeName) + "`; give " + example(param));
  auto bytes = encodeScalar(argument, scalar.text, param.typeName, param.size);
  if (!bytes)
    return bytes.takeError();
  return BoundArg{std::string(param.name), std::nullopt, std::move(*bytes), std::nullopt};
}

/// Refuses elements that are not of the parameter's type where that is a primitive one; their size
/// alone would let the bits of an f32 pass for an i32. What no primitive type names is judged by
/// its size, and so are bytes.
static llvm::Error checkElement(const ParamInfo &param, const std::string &argument,
                                std::optional<Element> given) {
  llvm::StringRef primitive = primitiveOf(param);
  auto wanted = elementNamed(primitive);
  if (!given || primitive.empty() || wanted == given)
    return llvm::Error::success();
  const bool isValue = param.kind == ParamKind::Scalar;
  llvm::StringRef kind = isSlice(param) ? "slice of " : isValue ? "value of type " : "pointer to ";
  std::string better = isValue  ? "a single value"
                       : wanted ? infoOf(*wanted).name.str() + "[…]"
                                : std::string();
  return usageError(argument + ": parameter `" + llvm::StringRef(param.name) + "` is a " + kind +
                    primitive + "; " + infoOf(*given).name + "[…] gives " + infoOf(*given).name +
                    " values: write " + (better.empty() ? "" : better + " or ") + "bytes:@FILE");
}

static llvm::Expected<BoundArg> bindBuffer(const Device &device, const Stream &stream,
                                           const ParamInfo &param, const std::string &argument,
                                           BufferValue value) {
  if (llvm::Error error = checkElement(param, argument, value.element))
    return error;
  BoundArg bound{std::string(param.name), value.element, std::move(value.bytes), std::nullopt};
  if (param.kind == ParamKind::Scalar || param.kind == ParamKind::Aggregate) {
    if (bound.bytes.size() != param.size)
      return usageError(argument + ": " + llvm::Twine(bound.bytes.size()) + " bytes where `" +
                        llvm::StringRef(param.typeName) + "` has " + llvm::Twine(param.size));
    return bound;
  }
  if (!bound.element)
    bound.element = elementNamed(primitiveOf(param));
  if (isSlice(param) && param.elementSize && bound.bytes.size() % param.elementSize)
    return usageError(argument + ": " + llvm::Twine(bound.bytes.size()) +
                      " bytes are no multiple of the " + llvm::Twine(param.elementSize) +
                      " bytes of an element of `" + llvm::StringRef(param.typeName) + "`");
  auto buffer = expected(device.from<std::byte>(stream, asBytes(bound.bytes)));
  if (!buffer)
    return buffer.takeError();
  bound.buffer = std::move(*buffer);
  return bound;
}

llvm::Expected<std::vector<BoundArg>> bindArguments(const Device &device, const Stream &stream,
                                                    const std::vector<ParamInfo> &params,
                                                    const ParsedOptions &options) {
  if (llvm::Error error = checkNames(params, options))
    return error;
  std::vector<BoundArg> bound;
  for (const ParamInfo &param : params)
    for (const std::string &text : options.all("--arg")) {
      auto named = splitNamed("--arg", text);
      if (!named || named->first != param.name) {
        llvm::consumeError(named.takeError());
        continue;
      }
      std::string argument = "option `--arg " + named->first + "`";
      auto value = parseValue(argument, named->second);
      if (!value)
        return value.takeError();
      auto one = std::holds_alternative<ScalarValue>(*value)
                     ? bindScalar(param, argument, std::get<ScalarValue>(*value))
                     : bindBuffer(device, stream, param, argument,
                                  std::get<BufferValue>(std::move(*value)));
      if (!one)
        return one.takeError();
      bound.push_back(std::move(*one));
    }
  return bound;
}

} // namespace mirgpu::driver
