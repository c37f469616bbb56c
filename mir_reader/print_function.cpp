// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function as rustc's MIR dumps lay it out: signature, debug variables, locals, scopes, blocks.
// With spans, each line ends in a comment that names its Rust line, and the function it was inlined
// from.
#include "mir_reader/print_parts.h"
#include "mir_reader/printer.h"

namespace mirgpu::mir {

void Printer::span(SpanId span) {
  SourceSpan source = sourceSpan(program, span);
  os << source.file << ":" << source.line << ":" << source.column;
}

// ---- Lines
// ----------------------------------------------------------------------------------------

static constexpr size_t kCommentColumn = 70;

/// One line of a body: `printLine` gives its text without the semicolon.
static void bodyLine(Printer &p, const Body &body, SpanId span, ScopeId scope,
                     llvm::function_ref<void(Printer &)> printLine) {
  std::string line;
  llvm::raw_string_ostream os(line);
  Printer inner(p.program, os, p.withSpans);
  printLine(inner);
  p.os << "        " << line << ";";
  if (p.withSpans && span.isValid()) {
    p.os.indent(line.size() < kCommentColumn ? kCommentColumn - line.size() : 1);
    p.os << "// ";
    p.span(span);
    if (const auto &inlined = body.scopes[scope].inlined)
      p.os << " in " << text(inlined->callee);
  }
  p.os << "\n";
}

static void printBlock(Printer &p, const Body &body, BlockId id) {
  const BasicBlock &block = body.blocks[id];
  p.os << "\n    bb" << id.index << (block.isCleanup ? " (cleanup)" : "") << ": {\n";
  for (const Statement &statement : block.statements)
    bodyLine(p, body, statement.span, statement.scope,
             [&](Printer &line) { line.statement(statement.kind); });
  const Terminator &terminator = block.terminator;
  bodyLine(p, body, terminator.span, terminator.scope,
           [&](Printer &line) { line.terminator(terminator.kind); });
  p.os << "    }\n";
}

// ---- Declarations
// ---------------------------------------------------------------------------------

static void printLocals(Printer &p, const Body &body) {
  for (uint32_t i = 0; i < body.locals.size(); ++i) {
    if (i >= 1 && i <= body.argCount)
      continue;
    const Local &local = body.locals[LocalId(i)];
    p.os << "    let " << (local.isMutable ? "mut " : "") << "_" << i << ": ";
    p.type(local.ty);
    p.os << ";";
    if (!local.name.empty())
      p.os << " // " << text(local.name);
    p.os << "\n";
  }
}

static void printDebug(Printer &p, const DebugVar &variable) {
  p.os << "    debug " << text(variable.name);
  if (variable.fragment)
    p.projections("", variable.fragment->projection);
  p.os << " => ";
  if (const auto *place = std::get_if<Place>(&variable.value))
    p.place(*place);
  else
    p.constant(std::get<Constant>(variable.value));
  p.os << "; // in scope " << variable.scope.index << "\n";
}

/// Scopes that were inlined; the others say nothing a reader needs.
static void printScopes(Printer &p, const Body &body) {
  for (uint32_t i = 0; i < body.scopes.size(); ++i) {
    const Scope &scope = body.scopes[ScopeId(i)];
    if (!scope.inlined)
      continue;
    p.os << "    scope " << i;
    if (scope.parent.isValid())
      p.os << " in " << scope.parent.index;
    p.os << ": inlined " << text(scope.inlined->callee);
    if (scope.inlined->callSite.isValid()) {
      p.os << " at ";
      p.span(scope.inlined->callSite);
    }
    p.os << "\n";
  }
}

// ---- Function
// -------------------------------------------------------------------------------------

static void printAttributes(Printer &p, const Function &function) {
  auto flag = [&](bool isSet, const char *word) {
    if (isSet)
      p.os << " " << word;
  };
  p.os << "// " << text(function.shim) << ", " << (function.isLocal ? "local" : "from crate ")
       << (function.isLocal ? llvm::StringRef() : text(function.crate));
  if (function.inlineHint != InlineHint::None)
    p.os << ", inline(" << text(wordFor(function.inlineHint)) << ")";
  flag(function.cold, "cold");
  flag(function.naked, "naked");
  flag(function.trackCaller, "track_caller");
  flag(function.isForeign, "foreign");
  flag(function.isVariadic, "variadic");
  if (!function.lang.empty())
    p.os << ", lang " << text(function.lang);
  if (!function.linkName.empty())
    p.os << ", link name " << text(function.linkName);
  for (const ToolAttr &attribute : function.toolAttrs) {
    p.os << ", #[" << text(attribute.path);
    if (!attribute.args.empty()) {
      p.os << "(";
      p.list(attribute.args, [&](Str argument) { p.os << text(argument); });
      p.os << ")";
    }
    p.os << "]";
  }
  if (function.span.isValid()) {
    p.os << ", ";
    p.span(function.span);
  }
  p.os << "\n";
}

static void printSignature(Printer &p, const Function &function) {
  if (function.abi != "Rust")
    p.os << "extern \"" << text(function.abi) << "\" ";
  p.os << "fn " << text(function.symbol) << "(";
  uint32_t index = 0;
  p.list(function.inputs, [&](TypeId input) {
    LocalId local(++index);
    p.os << (function.spreadArg == local ? "..." : "");
    p.local(local);
    if (function.body && !function.body->locals[local].name.empty())
      p.os << " " << text(function.body->locals[local].name);
    p.os << ": ";
    p.type(input);
  });
  p.os << ") -> ";
  p.type(function.output);
}

void Printer::function(FunctionId id) {
  const Function &fn = program.functions[id];
  os << "\n";
  printAttributes(*this, fn);
  printSignature(*this, fn);
  if (!fn.body) {
    os << ";\n";
    return;
  }
  os << " {\n";
  for (const DebugVar &variable : fn.body->debug)
    printDebug(*this, variable);
  printLocals(*this, *fn.body);
  printScopes(*this, *fn.body);
  for (uint32_t i = 0; i < fn.body->blocks.size(); ++i)
    printBlock(*this, *fn.body, BlockId(i));
  os << "}\n";
}

void printFunction(const Program &program, FunctionId function, llvm::raw_ostream &os,
                   bool withSpans) {
  Printer(program, os, withSpans).function(function);
}

} // namespace mirgpu::mir
