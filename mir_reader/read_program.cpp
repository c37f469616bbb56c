// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a file's text to a verified Program: size limit, JSON, format version, the tables in their
// order, the verifier. Every error leaves here as `file: place: message`.
#include "mir_reader/json_syntax.h"
#include "mir_reader/read.h"
#include "mir_reader/read_parts.h"
#include "mir_reader/verifier.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mirgpu::mir {

// ---- The head of a file
// ---------------------------------------------------------------------------

static void readFormat(Json &root) {
  if (!root.isObject() || !root.hasKey("format")) {
    root.fail("this is not serialized MIR: key `format` is missing");
    return;
  }
  Json format = root.key("format");
  Json name = format.key("name"), major = format.key("major"), minor = format.key("minor");
  if (name.rawText() != "mirgpu-mir")
    name.failExpected("\"mirgpu-mir\"");
  if (uint32_t version = major.u32(); version != kFormatMajor && !root.failed())
    major.fail("the file has format version " + llvm::Twine(version) + "." +
               llvm::Twine(minor.u32()) + ", and this reader knows version " +
               llvm::Twine(kFormatMajor) + " alone");
}

static TargetInfo readTarget(Json &json) {
  TargetInfo target;
  target.triple = json.key("triple").text();
  target.dataLayout = json.key("data_layout").text();
  Json width = json.key("pointer_width");
  target.pointerWidth = width.u32();
  if (target.pointerWidth != 64)
    width.failExpected("64, the one pointer width that is supported");
  Json endian = json.key("endian");
  target.littleEndian = endian.rawText() == "little";
  if (!target.littleEndian)
    endian.failExpected("\"little\", the one byte order that is supported");
  return target;
}

static Session readSession(Json &json) {
  Session session;
  session.overflowChecks = json.key("overflow_checks").boolean();
  session.ubChecks = json.key("ub_checks").boolean();
  session.contractChecks = json.key("contract_checks").boolean();
  session.panic = json.key("panic").text();
  session.optLevel = json.key("opt_level").text();
  session.debuginfo = json.key("debuginfo").text();
  return session;
}

static void readHead(Json &root, Program &program) {
  program.producer = root.key("producer").text();
  program.rustc = root.key("rustc").text();
  Json target = root.key("target");
  program.target = readTarget(target);
  Json session = root.key("session");
  program.session = readSession(session);
  Json crate = root.key("crate");
  program.crateName = crate.key("name").text();
  crate.key("attributes").texts(program.crateAttributes);
  program.sourceRoot = root.key("source_root").textOrNull();
}

// ---- Small tables
// ---------------------------------------------------------------------------------

static File readFileEntry(Json &json) {
  File file;
  file.name = json.key("name").text();
  file.hash = json.key("hash").textOrNull();
  return file;
}

static Span readSpan(Json &json) {
  Span span;
  span.file = json.next().id<FileId>();
  span.line = json.next().u32();
  span.column = json.next().u32();
  span.endLine = json.next().u32();
  span.endColumn = json.next().u32();
  span.callSite = json.next().idOrNull<SpanId>();
  json.finish();
  return span;
}

static Kernel readKernel(Json &json) {
  Kernel kernel;
  kernel.function = json.key("function").id<FunctionId>();
  kernel.key = json.key("key").text();
  kernel.entry = json.key("entry").text();
  json.key("params").list(kernel.params, [](Json &param) {
    KernelParam result;
    result.name = param.key("name").text();
    result.kind = param.key("kind").word<ParamKind>();
    result.ty = param.key("ty").id<TypeId>();
    return result;
  });
  Json bounds = json.key("launch_bounds");
  if (!bounds.isNull()) {
    uint32_t maxThreads = bounds.key("max_threads").u32();
    kernel.launchBounds = {maxThreads, bounds.key("min_blocks").u32()};
  }
  return kernel;
}

static Test readTest(Json &json) {
  Test test;
  test.path = json.key("path").text();
  test.function = json.key("function").id<FunctionId>();
  test.ignored = json.key("ignored").boolean();
  Json shouldPanic = json.key("should_panic");
  test.shouldPanic = !shouldPanic.isNull();
  if (!test.shouldPanic)
    return test;
  Json expected = shouldPanic.key("expected");
  if (!expected.isNull())
    test.expected = expected.text();
  return test;
}

/// The table under `name`, element by element.
template <class Table, class F>
static void readTable(Json &root, std::string_view name, Table &table, F read) {
  root.key(name).forEach([&](Json &element) { table.push(read(element)); });
}

static void readTables(Json &root, Program &program) {
  readTable(root, "files", program.files, readFileEntry);
  readTable(root, "spans", program.spans, readSpan);
  readTable(root, "types", program.types, readType);
  readTable(root, "allocs", program.allocs, readAlloc);
  readTable(root, "statics", program.statics, readStatic);
  readTable(root, "vtables", program.vtables, readVtable);
  readTable(root, "functions", program.functions, readFunction);
  readTable(root, "kernels", program.kernels, readKernel);
  root.key("tests").list(program.tests, readTest);
}

// ---- Entry points
// ---------------------------------------------------------------------------------

static llvm::Error tooLarge() {
  return llvm::createStringError("the file is larger than %llu MiB",
                                 static_cast<unsigned long long>(kMaxFileBytes >> 20));
}

static llvm::Expected<Program> readText(llvm::StringRef text) {
  if (text.size() > kMaxFileBytes)
    return tooLarge();
  simdjson::padded_string padded(text.data(), text.size());
  simdjson::dom::parser parser(kMaxFileBytes);
  auto element = parseJson(parser, padded);
  if (!element)
    return element.takeError();
  Program program;
  JsonErrors errors(*program.strings);
  Json root(errors, *element);
  readFormat(root);
  if (!errors.failed())
    readHead(root, program);
  if (!errors.failed())
    readTables(root, program);
  if (errors.failed())
    return llvm::createStringError(errors.text());
  return program;
}

llvm::Expected<Program> read(llvm::MemoryBufferRef buffer) {
  auto program = readText(buffer.getBuffer());
  if (!program)
    return llvm::createFileError(buffer.getBufferIdentifier(), program.takeError());
  if (llvm::Error error = verify(*program))
    return llvm::createFileError(buffer.getBufferIdentifier(), std::move(error));
  return program;
}

/// What a file, pipe or device holds, up to one byte more than the limit.
static llvm::Error readAll(llvm::sys::fs::file_t file, llvm::SmallVectorImpl<char> &text) {
  constexpr size_t kChunk = size_t(1) << 20;
  while (text.size() <= kMaxFileBytes) {
    size_t size = text.size();
    text.resize_for_overwrite(size + kChunk);
    auto got = llvm::sys::fs::readNativeFile(file, llvm::MutableArrayRef(text).drop_front(size));
    if (!got)
      return got.takeError();
    text.truncate(size + *got);
    if (*got == 0)
      return llvm::Error::success();
  }
  return tooLarge();
}

/// A file that is neither regular nor a folder, such as a pipe.
static llvm::Expected<Program> readStream(llvm::StringRef path) {
  auto file = llvm::sys::fs::openNativeFileForRead(path);
  if (!file)
    return llvm::createFileError(path, file.takeError());
  llvm::SmallVector<char, 0> text;
  llvm::Error error = readAll(*file, text);
  llvm::sys::fs::closeFile(*file);
  if (error)
    return llvm::createFileError(path, std::move(error));
  return read(llvm::MemoryBufferRef(llvm::StringRef(text.data(), text.size()), path));
}

llvm::Expected<Program> readFile(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(path, status))
    return llvm::createFileError(path, code);
  if (status.type() == llvm::sys::fs::file_type::directory_file)
    return llvm::createFileError(path, std::make_error_code(std::errc::is_a_directory));
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return readStream(path);
  if (status.getSize() > kMaxFileBytes)
    return llvm::createFileError(path, tooLarge());
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createFileError(path, buffer.getError());
  return read((*buffer)->getMemBufferRef());
}

} // namespace mirgpu::mir
