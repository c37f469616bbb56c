// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `mirgpu run`: one launch of one kernel through the runtime, with the arguments of the command
// line. A source or serialized MIR is compiled for the device first. What the kernel does wrong is
// exit code 1, what the command line does wrong is 2, the rest 3.
#include "driver/commands.h"
#include "driver/crash.h"
#include "driver/pipeline.h"
#include "driver/run_arguments.h"
#include "runtime/mirgpu.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <dlfcn.h>

namespace mirgpu::driver {

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
  auto heap = parseNumber("--heap", options.get("--heap").value_or("0"), 0, uint64_t(1) << 40);
  if (!heap)
    return heap.takeError();
  launch.heapBytes = *heap;
  launch.schedule = options.get("--schedule").value_or("");
  llvm::StringRef seed = launch.schedule;
  uint64_t number = 0;
  if (!seed.empty() && seed != "forward" && seed != "reverse" &&
      !(seed.consume_front("seed:") && !seed.getAsInteger(10, number)))
    return usageError("option `--schedule` has no value `" + launch.schedule +
                      "`; values are forward, reverse, seed:N");
  launch.tier = options.get("--tier").value_or("");
  return launch;
}

// ---- Module, kernel, launch
// -------------------------------------------------------------------------

static llvm::Expected<Module> loadModule(const Driver &driver, const Device &device,
                                         const ParsedOptions &options) {
  const std::string &file = options.positional[0];
  if (file.ends_with(".mgpu")) {
    for (const char *option : {"-O", "--fp-contract", "--sanitize"})
      if (options.has(option))
        return usageError("option `" + llvm::Twine(option) + "` compiles, and `" + file +
                          "` is compiled already");
    return expected(device.load(file));
  }
  auto settings = parseCompileSettings(options);
  if (!settings)
    return settings.takeError();
  if (settings->emit.sanitizeThread && !dlsym(RTLD_DEFAULT, "__tsan_init"))
    return usageError("option `--sanitize=thread`: this mirgpu holds no ThreadSanitizer; build one "
                      "with the CMake preset `tsan`");
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
                                 const Module &module, const Kernel<> &kernel, const Launch &launch,
                                 const ParsedOptions &options) {
  if (llvm::Error error = setStatics(module, stream, options))
    return error;
  std::vector<ParamInfo> params = kernel.params();
  auto bound = bindArguments(device, stream, params, options);
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
  if (llvm::Error error = checkStatus(done))
    return error;
  return showResults({stream, module, *bound}, options);
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
  if (llvm::Error error =
          launchAndShow(driver, *device, *stream, *module, *kernel, *launch, options))
    return error;
  return ExitCode::Right;
}

} // namespace mirgpu::driver
