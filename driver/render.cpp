// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The terminal's form of a diagnostic:
//   error[MG0101]: message
//     --> file:line:column
//      |
//   42 |     source line
//      |     ^^^^^^ label
//      |
//   note: required by kernel `k`, through `f` (file:line:column)
//      = help: …
// Columns count characters; tabs are shown as four spaces so that carets stand under what they
// mark.
#include "driver/render.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <tuple>

namespace mirgpu::driver {

namespace {
struct Mark {
  uint32_t line, column, endColumn; ///< characters, 1-based, end exclusive
  bool primary;
  std::string_view text;
};

struct Palette {
  const char *error, *frame, *primary, *bold, *reset;
};
} // namespace

static Palette palette(const RenderOptions &options, Severity severity) {
  if (!options.colors)
    return {"", "", "", "", ""};
  bool error = severity == Severity::Error;
  return {error ? "\033[1;31m" : "\033[1;33m", "\033[1;34m", error ? "\033[1;31m" : "\033[1;33m",
          "\033[1m", "\033[0m"};
}

static std::string placeText(const SourceSpan &span, Sources &sources) {
  return sources.displayName(span.file) + ":" + std::to_string(span.line) + ":" +
         std::to_string(span.column);
}

/// The width on the screen of the first `characters` characters of `line`.
static size_t screenWidth(llvm::StringRef line, size_t characters) {
  size_t bytes = bytesOfCharacters(line, characters);
  size_t width = 0;
  for (unsigned char c : line.take_front(bytes))
    width += c == '\t' ? 4 : (c & 0xc0) != 0x80;
  return width;
}

static std::string expandTabs(llvm::StringRef line) {
  std::string text;
  for (char c : line)
    text += c == '\t' ? std::string("    ") : std::string(1, c);
  return text;
}

static Mark makeMark(const SourceSpan &span, const SourceFile &file, bool primary,
                     std::string_view text) {
  uint32_t end = span.endLine == span.line ? span.endColumn : 0;
  if (end <= span.column) {
    llvm::StringRef line = file.line(span.line);
    end = span.endLine > span.line ? static_cast<uint32_t>(screenWidth(line, line.size())) + 1
                                   : span.column + 1;
    end = std::max(end, span.column + 1);
  }
  return {span.line, span.column, end, primary, text};
}

/// The marks in the primary file, by line, the primary one first in its line.
static std::vector<Mark> collectMarks(const Diagnostic &diagnostic, const SourceFile &file) {
  std::vector<Mark> marks{makeMark(diagnostic.span, file, true, diagnostic.label)};
  for (const DiagnosticLabel &label : diagnostic.labels)
    if (label.span.file == diagnostic.span.file)
      marks.push_back(makeMark(label.span, file, false, label.text));
  llvm::sort(marks, [](const Mark &a, const Mark &b) {
    return std::tuple(a.line, !a.primary, a.column) < std::tuple(b.line, !b.primary, b.column);
  });
  return marks;
}

static void printFrame(llvm::raw_ostream &out, const Diagnostic &diagnostic, const SourceFile &file,
                       const Palette &colors, size_t gutter) {
  std::vector<Mark> marks = collectMarks(diagnostic, file);
  std::string bar = std::string(gutter, ' ') + " " + colors.frame + "|" + colors.reset;
  out << bar << '\n';
  uint32_t shown = 0;
  auto printLine = [&](uint32_t number) {
    std::string text = std::to_string(number);
    out << colors.frame << std::string(gutter - text.size(), ' ') << text << " |" << colors.reset;
    if (std::string line = expandTabs(file.line(number)); !line.empty())
      out << ' ' << line;
    out << '\n';
    shown = number;
  };
  for (const Mark &mark : marks) {
    if (mark.line != shown) {
      if (shown && mark.line == shown + 2)
        printLine(shown + 1);
      else if (shown && mark.line > shown + 2)
        out << colors.frame << "..." << colors.reset << '\n';
      printLine(mark.line);
    }
    llvm::StringRef line = file.line(mark.line);
    size_t from = screenWidth(line, mark.column ? mark.column - 1 : 0);
    size_t to = std::max(screenWidth(line, mark.endColumn - 1), from + 1);
    out << bar << ' ' << std::string(from, ' ') << (mark.primary ? colors.primary : colors.frame)
        << std::string(to - from, mark.primary ? '^' : '-');
    if (!mark.text.empty())
      out << ' ' << mark.text;
    out << colors.reset << '\n';
  }
  out << bar << '\n';
}

std::string callChainText(const Diagnostic &diagnostic, Sources &sources) {
  const std::vector<CallStep> &chain = diagnostic.callChain;
  if (chain.empty())
    return "";
  std::string text = "required by kernel `" + chain.front().function + "`";
  constexpr size_t most = 8;
  for (size_t i = 1; i < chain.size(); ++i) {
    if (chain.size() > most && i == most / 2) {
      size_t left = chain.size() - most;
      text += ", " + std::to_string(left) + " more";
      i += left - 1;
      continue;
    }
    text += i == 1 ? ", through `" : ", `";
    text += chain[i].function + "`";
    if (!chain[i - 1].callSite.file.empty())
      text += " (" + placeText(chain[i - 1].callSite, sources) + ")";
  }
  return text;
}

static void printMarginal(llvm::raw_ostream &out, std::string_view kind, std::string_view text,
                          const Palette &colors, size_t gutter) {
  out << std::string(gutter, ' ') << ' ' << colors.frame << "= " << colors.reset << colors.bold
      << kind << colors.reset << ": ";
  for (char c : text) { // continuation lines stand under the text
    out << c;
    if (c == '\n')
      out.indent(gutter + 5 + kind.size());
  }
  out << '\n';
}

std::string renderTerminal(const Diagnostic &diagnostic, Sources &sources,
                           const RenderOptions &options) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Palette colors = palette(options, diagnostic.severity);
  out << colors.error << (diagnostic.severity == Severity::Error ? "error" : "warning") << '['
      << diagnostic.code << ']' << colors.reset << colors.bold << ": " << diagnostic.message
      << colors.reset << '\n';
  uint32_t lastLine = diagnostic.span.line;
  for (const DiagnosticLabel &label : diagnostic.labels)
    lastLine = std::max(lastLine, label.span.line);
  size_t gutter = std::to_string(lastLine).size();
  if (!diagnostic.span.file.empty()) {
    out << std::string(gutter, ' ') << colors.frame << "--> " << colors.reset
        << placeText(diagnostic.span, sources) << '\n';
    if (const SourceFile *file = sources.find(diagnostic.span.file);
        file && diagnostic.span.line <= file->lineCount())
      printFrame(out, diagnostic, *file, colors, gutter);
    else if (!diagnostic.label.empty())
      printMarginal(out, "note", diagnostic.label, colors, gutter);
  }
  for (const DiagnosticLabel &label : diagnostic.labels)
    if (label.span.file != diagnostic.span.file || !sources.find(diagnostic.span.file))
      out << colors.bold << "note" << colors.reset << ": " << label.text << " ("
          << placeText(label.span, sources) << ")\n";
  if (std::string chain = callChainText(diagnostic, sources); !chain.empty())
    out << colors.bold << "note" << colors.reset << ": " << chain << '\n';
  for (const std::string &help : diagnostic.help)
    printMarginal(out, "help", help, colors, gutter);
  for (const std::string &note : diagnostic.notes)
    printMarginal(out, "note", note, colors, gutter);
  if (options.verbose)
    for (const std::string &note : diagnostic.verboseNotes)
      printMarginal(out, "note", note, colors, gutter);
  else if (!diagnostic.verboseNotes.empty())
    printMarginal(out, "note", "for the MIR construct, rerun with `-v`", colors, gutter);
  return text;
}

} // namespace mirgpu::driver
