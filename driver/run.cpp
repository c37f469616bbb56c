// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `mirgpu run`: one launch of one kernel through the runtime, with the arguments of the command
// line. A source or serialized MIR is compiled for the device first. What the kernel does wrong is
// exit code 1, what the command line does wrong is 2, the rest 3.
#include "driver/commands.h"
#include "driver/crash.h"
#include "driver/npy.h"
#include "driver/pipeline.h"
#include "driver/values.h"
#include "runtime/mirgpu.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace mirgpu::driver {

namespace {
/// One `--arg`, ready for the launch.
struct BoundArg {
  std::string name;
  std::optional<Element> element; ///< of a buffer
  std::string bytes;              ///< of a scalar or aggregate, else what the buffer starts with
  std::optional<Buffer<std::byte>> buffer;
};
} // namespace

static llvm::Error runtimeError(const mirgpu::Error &error) {
  switch (error.code) {
  case ErrorCode::Panic:
  case ErrorCode::Deadlock:
  case ErrorCode::Sync:
  case ErrorCode::StackOverflow:
    return programError(error.message);
  case ErrorCode::InvalidArgument:
  case ErrorCode::NoSuchKernel:
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

template <class T> static llvm::Expected<T> expected(Result<T> result) {
  if (!result)
    return runtimeError(result.error());
  return std::move(*result);
}

static llvm::Error check(const Status &status) {
  return status ? llvm::Error::success() : runtimeError(status.error());
}

static std::span<const std::byte> asBytes(llvm::StringRef text) {
  return {reinterpret_cast<const std::byte *>(text.data()), text.size()};
}

// ---- Geometry
// -------------------------------------------------------------------------------------

static llvm::Expected<Dim3> parseDim(const ParsedOptions &options, std::string_view option) {
  auto text = options.get(option);
  if (!text)
    return usageError("`mirgpu run` needs `" + llvm::StringRef(option) + "=X[,Y,Z]`");
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(*text).split(parts, ',');
  uint32_t extents[3] = {1, 1, 1};
  if (parts.size() > 3)
    return usageError("option `" + llvm::StringRef(option) + "` has at most three numbers, not `" +
                      *text + "`");
  for (size_t i = 0; i < parts.size(); ++i) {
    auto number = parseNumber(option, parts[i], 1, UINT32_MAX);
    if (!number)
      return number.takeError();
    extents[i] = static_cast<uint32_t>(*number);
  }
  return Dim3{extents[0], extents[1], extents[2]};
}

static llvm::Expected<Launch> parseLaunch(const ParsedOptions &options) {
  Launch launch;
  auto grid = parseDim(options, "--grid");
  if (!grid)
    return grid.takeError();
  auto block = parseDim(options, "--block");
  if (!block)
    return block.takeError();
  auto shared = parseNumber("--shared", options.get("--shared").value_or("0"), 0, UINT32_MAX);
  if (!shared)
    return shared.takeError();
  launch.grid = *grid;
  launch.block = *block;
  launch.sharedBytes = *shared;
  launch.schedule = options.get("--schedule").value_or("");
  llvm::StringRef seed = launch.schedule;
  uint64_t number = 0;
  if (!seed.empty() && seed != "forward" && seed != "reverse" &&
      !(seed.consume_front("seed:") && !seed.getAsInteger(10, number)))
    return usageError("option `--schedule` has no value `" + launch.schedule +
                      "`; values are forward, reverse, seed:N");
  return launch;
}

// ---- Arguments
// ------------------------------------------------------------------------------------

static bool isSlice(const ParamInfo &param) {
  return param.kind == ParamKind::Slice || param.kind == ParamKind::SliceMut ||
         param.kind == ParamKind::DisjointSlice;
}

/// The element of a slice type as Rust writes it: `f32` of `&[f32]` and of `DisjointSlice<'_,
/// f32>`.
static llvm::StringRef elementName(llvm::StringRef typeName) {
  size_t open = typeName.find_last_of("[<");
  if (open == llvm::StringRef::npos)
    return {};
  llvm::StringRef inner =
      typeName.drop_front(open + 1).take_until([](char c) { return c == ']' || c == '>'; });
  return inner.rsplit(", ").second.empty() ? inner.trim() : inner.rsplit(", ").second.trim();
}

/// What `--arg` would suit a parameter, for messages.
static std::string example(const ParamInfo &param) {
  std::string text = "--arg " + std::string(param.name) + "=";
  if (param.kind == ParamKind::Aggregate)
    return text + "bytes:@FILE";
  if (param.kind == ParamKind::Scalar)
    return text + (param.typeName == "bool" ? "true" : "1");
  llvm::StringRef element = elementName(param.typeName);
  return text + (elementNamed(element) ? element.str() + "[1024]:zeros" : "bytes:@FILE");
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

static llvm::Expected<BoundArg> bindBuffer(const Device &device, const Stream &stream,
                                           const ParamInfo &param, const std::string &argument,
                                           BufferValue value) {
  BoundArg bound{std::string(param.name), value.element, std::move(value.bytes), std::nullopt};
  if (param.kind == ParamKind::Scalar || param.kind == ParamKind::Aggregate) {
    if (bound.bytes.size() != param.size)
      return usageError(argument + ": " + llvm::Twine(bound.bytes.size()) + " bytes where `" +
                        llvm::StringRef(param.typeName) + "` has " + llvm::Twine(param.size));
    return bound;
  }
  auto wanted = elementNamed(elementName(param.typeName));
  if (wanted && bound.element && *wanted != *bound.element)
    return usageError(argument + ": elements are " + infoOf(*bound.element).name +
                      ", and the kernel takes `" + llvm::StringRef(param.typeName) + "`");
  if (!bound.element)
    bound.element = wanted;
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

static llvm::Expected<std::vector<BoundArg>> bindAll(const Device &device, const Stream &stream,
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

// ---- Results
// --------------------------------------------------------------------------------------

static llvm::Expected<std::string> readBack(const Stream &stream,
                                            const std::vector<BoundArg> &bound,
                                            llvm::StringRef option, llvm::StringRef name,
                                            std::optional<Element> &element) {
  auto it = llvm::find_if(bound, [&](const BoundArg &a) { return a.name == name && a.buffer; });
  if (it == bound.end())
    return usageError("option `" + option + "`: the kernel has no buffer `" + name + "`");
  element = it->element;
  std::string bytes(it->buffer->size(), '\0');
  std::span<std::byte> into(reinterpret_cast<std::byte *>(bytes.data()), bytes.size());
  if (llvm::Error error = check(it->buffer->read(stream, into)))
    return error;
  return bytes;
}

static llvm::Error printResult(const Stream &stream, const std::vector<BoundArg> &bound,
                               llvm::StringRef text) {
  auto [name, file] = text.split('=');
  std::optional<Element> element;
  auto bytes = readBack(stream, bound, "--print", name, element);
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

static llvm::Error checkResult(const Stream &stream, const std::vector<BoundArg> &bound,
                               llvm::StringRef text) {
  auto named = splitNamed("--check", text);
  if (!named)
    return named.takeError();
  std::optional<Element> element;
  auto bytes = readBack(stream, bound, "--check", named->first, element);
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

static llvm::Error showResults(const Stream &stream, const std::vector<BoundArg> &bound,
                               const ParsedOptions &options) {
  for (const std::string &text : options.all("--print"))
    if (llvm::Error error = printResult(stream, bound, text))
      return error;
  llvm::outs().flush();
  llvm::Error all = llvm::Error::success();
  for (const std::string &text : options.all("--check"))
    all = llvm::joinErrors(std::move(all), checkResult(stream, bound, text));
  return all;
}

// ---- Module, kernel, launch
// -------------------------------------------------------------------------

static llvm::Expected<Module> loadModule(const Driver &driver, const Device &device,
                                         const ParsedOptions &options) {
  const std::string &file = options.positional[0];
  if (file.ends_with(".mgpu")) {
    for (const char *option : {"--tier", "-O", "--fp-contract"})
      if (options.has(option))
        return usageError("option `" + llvm::Twine(option) + "` compiles, and `" + file +
                          "` is compiled already");
    return expected(device.load(file));
  }
  auto settings = parseCompileSettings(options);
  if (!settings)
    return settings.takeError();
  auto targets = parseTargets("host");
  if (!targets)
    return targets.takeError();
  auto input = Input::open(driver, file);
  if (!input)
    return input.takeError();
  bool reported = false;
  auto bytes = buildModule(driver, *input, *targets, *settings, reported);
  if (!bytes)
    return bytes.takeError();
  return expected(device.loadBytes(asBytes(*bytes)));
}

static llvm::Expected<Kernel<>> pickKernel(const Module &module, const ParsedOptions &options) {
  if (auto name = options.get("--kernel"))
    return expected(module.kernel(*name));
  std::vector<Kernel<>> all = module.kernels();
  if (all.size() == 1)
    return all.front();
  std::string names;
  for (const Kernel<> &kernel : all)
    names += (names.empty() ? "" : ", ") + std::string(kernel.info().name);
  return usageError("`mirgpu run` needs `--kernel`; the module has " +
                    (all.empty() ? "no kernel" : names));
}

static llvm::Error launchAndShow(const Driver &driver, const Device &device, const Stream &stream,
                                 const Kernel<> &kernel, const Launch &launch,
                                 const ParsedOptions &options) {
  std::vector<ParamInfo> params = kernel.params();
  auto bound = bindAll(device, stream, params, options);
  if (!bound)
    return bound.takeError();
  std::vector<Arg> args;
  for (auto [arg, param] : llvm::zip(*bound, params))
    args.push_back(arg.buffer ? Arg::elements(*arg.buffer, std::max<uint64_t>(param.elementSize, 1))
                              : Arg::bytes(asBytes(arg.bytes)));
  setRunningKernel(kernel.info().name);
  Status done;
  {
    Step step(driver, "launch", kernel.info().name);
    done = kernel.launchArgs(stream, launch, args);
    if (done)
      done = stream.synchronize();
  }
  setRunningKernel("");
  for (const std::string &warning : stream.takeWarnings())
    llvm::errs() << "warning: " << warning << '\n';
  if (llvm::Error error = check(done))
    return error;
  return showResults(stream, *bound, options);
}

CommandResult runCommand(const Driver &driver, const ParsedOptions &options) {
  if (options.positional.size() != 1)
    return usageError(options.positional.empty()
                          ? llvm::Twine("`mirgpu run` needs a file: a .rs, .mir.json or .mgpu")
                          : "`mirgpu run` takes one file; `" + options.positional[1] +
                                "` is a second");
  auto launch = parseLaunch(options);
  if (!launch)
    return launch.takeError();
  auto device = expected(Device::open(options.get("--device").value_or("auto")));
  if (!device)
    return device.takeError();
  auto module = loadModule(driver, *device, options);
  if (!module)
    return module.takeError();
  auto kernel = pickKernel(*module, options);
  if (!kernel)
    return kernel.takeError();
  auto stream = expected(device->defaultStream());
  if (!stream)
    return stream.takeError();
  if (llvm::Error error = launchAndShow(driver, *device, *stream, *kernel, *launch, options))
    return error;
  return ExitCode::Right;
}

} // namespace mirgpu::driver
