// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `mirgpu compile` and `mirgpu export`: options to settings, settings through the pipeline, results
// to files. Which kinds a target has is checked before anything is read, so that a wrong
// combination costs nothing.
#include "driver/commands.h"
#include "driver/exporter.h"
#include "driver/pipeline.h"
#include "mir_reader/printer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace mirgpu::driver {

namespace {
enum class Emit : uint8_t { Mir, LlvmIr, LlvmBc, Ptx, Cubin, Asm, Obj, Hsaco, Module };

struct EmitRow {
  std::string_view name, extension;
};
} // namespace

static constexpr EmitRow emitRows[] = {
    {"mir", ".mir"}, {"llvm-ir", ".ll"},  {"llvm-bc", ".bc"},
    {"ptx", ".ptx"}, {"cubin", ".cubin"}, {"asm", ".s"},
    {"obj", ".o"},   {"hsaco", ".hsaco"}, {"module", ".mgpu"},
};

static llvm::Expected<Emit> parseEmit(const ParsedOptions &options) {
  std::vector<std::string_view> names;
  for (const EmitRow &row : emitRows)
    names.push_back(row.name);
  auto index = parseChoice("--emit", options.get("--emit").value_or("module"), names);
  if (!index)
    return index.takeError();
  return static_cast<Emit>(*index);
}

llvm::Expected<CompileSettings> parseCompileSettings(const ParsedOptions &options) {
  CompileSettings settings;
  settings.lower.kernels = options.all("--kernel");
  settings.lower.keepGoing = options.has("--keep-going");
  settings.emit.unroll = !options.has("--no-unroll");
  settings.emit.ftz = options.has("--ftz");
  if (auto sanitizer = options.get("--sanitize")) {
    static constexpr std::string_view names[] = {"thread"};
    if (auto index = parseChoice("--sanitize", *sanitizer, names); !index)
      return index.takeError();
    settings.emit.sanitizeThread = true;
  }
  auto level = parseNumber("-O", options.get("-O").value_or("3"), 0, 3);
  if (!level)
    return level.takeError();
  settings.emit.optLevel = static_cast<unsigned>(*level);
  if (auto panic = options.get("--panic")) {
    static constexpr std::string_view names[] = {"exit", "trap"};
    auto index = parseChoice("--panic", *panic, names);
    if (!index)
      return index.takeError();
    settings.emit.panic = *index == 0 ? codegen::PanicExit::Exit : codegen::PanicExit::Trap;
  }
  if (auto contract = options.get("--fp-contract")) {
    static constexpr std::string_view names[] = {"off", "fast"};
    auto index = parseChoice("--fp-contract", *contract, names);
    if (!index)
      return index.takeError();
    settings.lower.fpContract = settings.emit.fpContract = *index == 1;
  }
  if (auto tier = options.get("--tier")) {
    static constexpr std::string_view names[] = {"auto", "T0", "T1", "T2", "T3"};
    auto index = parseChoice("--tier", *tier, names);
    if (!index)
      return index.takeError();
    constexpr codegen::Tier tiers[] = {codegen::Tier::Auto, codegen::Tier::T0, codegen::Tier::T1,
                                       codegen::Tier::T2, codegen::Tier::T3};
    settings.emit.tier = tiers[*index];
  }
  return settings;
}

/// Why `spec` has no output of kind `emit`; empty if it has.
static std::string missingKind(Emit emit, const TargetSpec &spec) {
  std::string option =
      "option `--emit=" + std::string(emitRows[static_cast<size_t>(emit)].name) + "`: ";
  switch (emit) {
  case Emit::Mir:
  case Emit::LlvmIr:
  case Emit::LlvmBc:
  case Emit::Asm:
  case Emit::Module:
    return "";
  case Emit::Ptx:
    return spec.backend == Backend::Nvptx
               ? ""
               : option + "`" + spec.name +
                     "` has no PTX; name an NVIDIA target, as --target=sm_90";
  case Emit::Cubin:
    return spec.backend == Backend::Nvptx
               ? option +
                     "comes with the runtime's CUDA back end; until then write PTX and assemble "
                     "it: mirgpu compile ... --emit=ptx "
                     "-o k.ptx && ptxas -arch=" +
                     spec.name + " k.ptx -o k.cubin"
               : option + "`" + spec.name +
                     "` has no cubin; name an NVIDIA target, as --target=sm_90";
  case Emit::Obj:
    return spec.backend == Backend::Nvptx
               ? option + "`" + spec.name + "` has no object file; its code is text: use --emit=ptx"
               : "";
  case Emit::Hsaco:
    return spec.backend == Backend::Amdgpu
               ? ""
               : option + "`" + spec.name +
                     "` has no HSACO; name an AMD target, as --target=gfx1100";
  }
  llvm_unreachable("covered");
}

static codegen::EmitKind codegenKind(Emit emit) {
  switch (emit) {
  case Emit::LlvmIr:
    return codegen::EmitKind::LlvmIr;
  case Emit::LlvmBc:
    return codegen::EmitKind::LlvmBc;
  case Emit::Asm:
  case Emit::Ptx:
    return codegen::EmitKind::Assembly;
  case Emit::Obj:
    return codegen::EmitKind::Object;
  case Emit::Hsaco:
    return codegen::EmitKind::Code;
  case Emit::Mir:
  case Emit::Cubin:
  case Emit::Module:
    break;
  }
  llvm_unreachable("not made by codegen::emit");
}

/// `dir/saxpy.mir.json` and `dir/saxpy.rs` are both `saxpy`.
static std::string inputStem(llvm::StringRef input) {
  llvm::StringRef name = llvm::sys::path::filename(input);
  for (llvm::StringRef suffix : {".mir.json", ".json", ".rs"})
    if (name.ends_with(suffix))
      return name.drop_back(suffix.size()).str();
  return name.str();
}

/// Where the output for `spec` goes; with several targets its name stands before the extension.
static std::string outputName(const ParsedOptions &options, llvm::StringRef input, Emit emit,
                              const TargetSpec *spec) {
  std::string extension(emitRows[static_cast<size_t>(emit)].extension);
  if (emit == Emit::Asm && spec && spec->backend == Backend::Nvptx)
    extension = ".ptx";
  llvm::SmallString<128> path(options.get("-o").value_or(inputStem(input) + extension));
  if (!spec || path == "-")
    return path.str().str();
  std::string last = llvm::sys::path::extension(path).str();
  std::string target = spec->name;
  std::ranges::replace(target, ':', '-');
  return path.str().drop_back(last.size()).str() + "." + target + (last.empty() ? extension : last);
}

static llvm::Error emitEach(const Driver &driver, const ParsedOptions &options, Input &input,
                            Emit emit, const std::vector<TargetSpec> &targets,
                            const CompileSettings &settings, bool &reported) {
  auto modules = lowerAll(driver, input, targets, settings, reported);
  if (!modules)
    return modules.takeError();
  for (auto [lowered, spec] : llvm::zip(*modules, targets)) {
    auto emitted = emitFor(driver, lowered, spec, settings, codegenKind(emit));
    if (!emitted)
      return emitted.takeError();
    const TargetSpec *named = targets.size() > 1 ? &spec : nullptr;
    std::string path = outputName(options, input.name, emit, named);
    if (llvm::Error error = writeOutput(path, emitted->bytes))
      return error;
    driver.log("            " + path + ": " + llvm::Twine(emitted->bytes.size()) + " bytes");
  }
  return llvm::Error::success();
}

static llvm::Error emitMir(const ParsedOptions &options, const Input &input) {
  std::string text;
  llvm::raw_string_ostream out(text);
  mir::print(*input.program, out, /*withSpans=*/true);
  return writeOutput(outputName(options, input.name, Emit::Mir, nullptr), text);
}

static llvm::Error emitModule(const Driver &driver, const ParsedOptions &options, Input &input,
                              const std::vector<TargetSpec> &targets,
                              const CompileSettings &settings, bool &reported) {
  auto bytes = buildModule(driver, input, targets, settings, reported);
  if (!bytes)
    return bytes.takeError();
  std::string path = outputName(options, input.name, Emit::Module, nullptr);
  driver.log("            " + path + ": " + llvm::Twine(bytes->size()) + " bytes");
  return writeOutput(path, *bytes);
}

CommandResult compileCommand(const Driver &driver, const ParsedOptions &options) {
  if (options.positional.size() != 1)
    return usageError(options.positional.empty()
                          ? llvm::Twine("`mirgpu compile` needs an input: a .mir.json or .rs file")
                          : "`mirgpu compile` takes one input; `" + options.positional[1] +
                                "` is a second");
  auto emit = parseEmit(options);
  if (!emit)
    return emit.takeError();
  auto settings = parseCompileSettings(options);
  if (!settings)
    return settings.takeError();
  auto targets = parseTargets(options.get("--target").value_or("host"));
  if (!targets)
    return targets.takeError();
  for (const TargetSpec &spec : *targets)
    if (std::string problem = missingKind(*emit, spec); !problem.empty())
      return usageError(problem);
  if (options.get("-o") == "-" && targets->size() > 1 && *emit != Emit::Module &&
      *emit != Emit::Mir)
    return usageError("option `-o -` takes one target unless --emit=module");
  auto input = Input::open(driver, options.positional[0], options.has("--tests"));
  if (!input)
    return input.takeError();
  bool reported = false;
  llvm::Error error = *emit == Emit::Mir ? emitMir(options, *input)
                      : *emit == Emit::Module
                          ? emitModule(driver, options, *input, *targets, *settings, reported)
                          : emitEach(driver, options, *input, *emit, *targets, *settings, reported);
  if (error)
    return error;
  return reported ? ExitCode::Program : ExitCode::Right;
}

CommandResult exportCommand(const Driver &driver, const ParsedOptions &options) {
  if (options.positional.size() != 1)
    return usageError(options.positional.empty()
                          ? llvm::Twine("`mirgpu export` needs a Rust source")
                          : "`mirgpu export` takes one source; `" + options.positional[1] +
                                "` is a second");
  const std::string &source = options.positional[0];
  std::string output = options.get("-o").value_or(inputStem(source) + ".mir.json");
  if (output != "-") {
    if (llvm::Error error = exportSource(driver, source, output, options.rest))
      return error;
    return ExitCode::Right;
  }
  auto temporary = TemporaryFile::create("mirgpu-export", "mir.json");
  if (!temporary)
    return temporary.takeError();
  if (llvm::Error error = exportSource(driver, source, temporary->path(), options.rest))
    return error;
  auto bytes = readFileBytes(temporary->path());
  if (!bytes)
    return bytes.takeError();
  if (llvm::Error error = writeOutput("-", *bytes))
    return error;
  return ExitCode::Right;
}

} // namespace mirgpu::driver
