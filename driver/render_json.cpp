// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The JSON form of a diagnostic, in the schema of rustc's `--error-format=json`: one object a line,
// with spans in bytes and in characters, children for notes and help, and the terminal's form in
// `rendered`. Offsets are 0 where the source cannot be read.
#include "driver/render.h"

#include "llvm/Support/JSON.h"

namespace mirgpu::driver {

namespace json = llvm::json;

/// Text from serialized MIR or a command line may hold bytes that are no UTF-8.
static std::string utf8(std::string_view text) { return json::fixUTF8(llvm::StringRef(text)); }

static json::Value spanJson(const SourceSpan &span, std::string_view label, bool primary,
                            Sources &sources) {
  uint32_t endLine = std::max(span.endLine, span.line);
  uint32_t endColumn = span.endColumn ? span.endColumn : span.column + 1;
  size_t byteStart = 0, byteEnd = 0;
  json::Array lines;
  if (const SourceFile *file = sources.find(span.file); file && endLine <= file->lineCount()) {
    byteStart = file->offset(span.line, span.column);
    byteEnd = file->offset(endLine, endColumn);
    for (uint32_t line = span.line; line <= endLine; ++line)
      lines.push_back(json::Object{
          {"text", utf8(file->line(line))},
          {"highlight_start", line == span.line ? span.column : 1},
          {"highlight_end",
           line == endLine ? endColumn : static_cast<uint32_t>(file->line(line).size() + 1)}});
  }
  return json::Object{{"file_name", utf8(sources.displayName(span.file))},
                      {"byte_start", byteStart},
                      {"byte_end", byteEnd},
                      {"line_start", span.line},
                      {"line_end", endLine},
                      {"column_start", span.column},
                      {"column_end", endColumn},
                      {"is_primary", primary},
                      {"text", std::move(lines)},
                      {"label", label.empty() ? json::Value(nullptr) : json::Value(utf8(label))},
                      {"suggested_replacement", nullptr},
                      {"suggestion_applicability", nullptr},
                      {"expansion", nullptr}};
}

static json::Value childJson(llvm::StringRef level, std::string_view message) {
  return json::Object{
      {"message", utf8(message)}, {"code", nullptr},           {"level", level},
      {"spans", json::Array{}},   {"children", json::Array{}}, {"rendered", nullptr}};
}

static std::string line(json::Object object) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << json::Value(std::move(object));
  return text;
}

std::string renderPlainJson(llvm::StringRef level, llvm::StringRef message) {
  return line(json::Object{{"$message_type", "diagnostic"},
                           {"message", utf8(message)},
                           {"code", nullptr},
                           {"level", level},
                           {"spans", json::Array{}},
                           {"children", json::Array{}},
                           {"rendered", utf8((level + ": " + message + "\n").str())}});
}

std::string renderJson(const Diagnostic &diagnostic, Sources &sources,
                       const RenderOptions &options) {
  json::Array spans;
  if (!diagnostic.span.file.empty())
    spans.push_back(spanJson(diagnostic.span, diagnostic.label, true, sources));
  for (const DiagnosticLabel &label : diagnostic.labels)
    spans.push_back(spanJson(label.span, label.text, false, sources));
  json::Array children;
  if (std::string chain = callChainText(diagnostic, sources); !chain.empty())
    children.push_back(childJson("note", chain));
  for (const std::string &help : diagnostic.help)
    children.push_back(childJson("help", help));
  for (const std::string &note : diagnostic.notes)
    children.push_back(childJson("note", note));
  if (options.verbose)
    for (const std::string &note : diagnostic.verboseNotes)
      children.push_back(childJson("note", note));
  RenderOptions plain = options;
  plain.colors = false;
  return line(
      json::Object{{"$message_type", "diagnostic"},
                   {"message", utf8(diagnostic.message)},
                   {"code", json::Object{{"code", diagnostic.code}, {"explanation", nullptr}}},
                   {"level", diagnostic.severity == Severity::Error ? "error" : "warning"},
                   {"spans", std::move(spans)},
                   {"children", std::move(children)},
                   {"rendered", utf8(renderTerminal(diagnostic, sources, plain))}});
}

} // namespace mirgpu::driver
