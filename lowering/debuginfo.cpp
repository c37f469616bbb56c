// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See debuginfo.h. Distinct inlined calls of one scope get distinct DILocations, as LLVM requires
// of inlinedAt.
#include "lowering/debuginfo.h"

#include "lowering/function_context.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

namespace mirgpu::lowering {

/// The file of the first kernel names the unit.
static std::string mainFile(const mir::Program &program) {
  for (const mir::Kernel &kernel : program.kernels)
    if (const mir::SpanId span = program.functions[kernel.function].span; span.isValid())
      return std::string(program.files[program.spans[span].file].name);
  return std::string(program.crateName);
}

DebugInfo::DebugInfo(ModuleContext &mc) : mc_(mc), builder_(mc.module) {
  const std::string name = mainFile(mc.program);
  llvm::DIFile *main =
      builder_.createFile(llvm::sys::path::filename(name), llvm::sys::path::parent_path(name));
  unit_ = builder_.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_Rust), main,
                                     "mirgpu", /*isOptimized=*/true, "", 0, "",
                                     llvm::DICompileUnit::LineTablesOnly);
  functionType_ = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  mc.module.addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                          llvm::DEBUG_METADATA_VERSION);
  mc.module.addModuleFlag(llvm::Module::Max, "Dwarf Version", 4);
}

mir::SpanId DebugInfo::shown(mir::SpanId span) const {
  return mir::outermostCallSite(mc_.program, span);
}

llvm::DIFile *DebugInfo::file(mir::SpanId span) {
  if (!span.isValid())
    return unit_->getFile();
  const std::string name(mc_.program.files[mc_.program.spans[span].file].name);
  llvm::DIFile *&entry = files_[name];
  if (!entry)
    entry =
        builder_.createFile(llvm::sys::path::filename(name), llvm::sys::path::parent_path(name));
  return entry;
}

llvm::DISubprogram *DebugInfo::subprogram(llvm::StringRef name, llvm::StringRef linkageName,
                                          mir::SpanId span) {
  const mir::SpanId at = shown(span);
  const uint32_t line = at.isValid() ? mc_.program.spans[at].line : 0;
  llvm::DIFile *in = file(at);
  return builder_.createFunction(
      in, name, linkageName, in, line, functionType_, line, llvm::DINode::FlagPrototyped,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized |
          llvm::DISubprogram::SPFlagLocalToUnit);
}

llvm::DISubprogram *DebugInfo::inlinedSubprogram(const mir::Inlined &inlined, mir::SpanId span) {
  const mir::Function *function =
      inlined.function.isValid() ? &mc_.program.functions[inlined.function] : nullptr;
  const std::string key = function ? std::string(function->symbol) : std::string(inlined.callee);
  llvm::DISubprogram *&entry = inlined_[key];
  if (!entry)
    entry =
        subprogram(inlined.callee, function ? llvm::StringRef(function->symbol) : llvm::StringRef(),
                   function && function->span.isValid() ? function->span : span);
  return entry;
}

void DebugInfo::beginFunction(FunctionContext &fc) {
  current_ = subprogram(fc.function.defPath, fc.value->getName(), fc.function.span);
  fc.value->setSubprogram(current_);
  scopes_.clear();
}

std::pair<llvm::DIScope *, llvm::DILocation *> DebugInfo::place(const mir::Body &body,
                                                                mir::ScopeId scope) {
  std::vector<mir::ScopeId> way; // from `scope` out to one whose place is known
  std::pair<llvm::DIScope *, llvm::DILocation *> result{current_, nullptr};
  for (; body.scopes.contains(scope); scope = body.scopes[scope].parent) {
    if (const auto it = scopes_.find(scope.index); it != scopes_.end()) {
      result = it->second;
      break;
    }
    way.push_back(scope);
  }
  for (mir::ScopeId at : llvm::reverse(way)) {
    const mir::Scope &entry = body.scopes[at];
    if (entry.inlined) {
      const mir::SpanId site = shown(entry.inlined->callSite);
      const uint32_t line = site.isValid() ? mc_.program.spans[site].line : 0;
      const uint32_t column = site.isValid() ? mc_.program.spans[site].column : 0;
      auto *call =
          llvm::DILocation::getDistinct(mc_.context, line, column, result.first, result.second);
      result = {inlinedSubprogram(*entry.inlined, entry.span), call};
    }
    scopes_.emplace(at.index, result);
  }
  return result;
}

llvm::DebugLoc DebugInfo::location(FunctionContext &fc, mir::SpanId span, mir::ScopeId scope) {
  const auto [in, inlinedAt] = place(fc.body, scope);
  const mir::SpanId at = shown(span.isValid() ? span : fc.function.span);
  if (!at.isValid())
    return llvm::DILocation::get(mc_.context, 0, 0, in, inlinedAt);
  const mir::Span &where = mc_.program.spans[at];
  llvm::DIScope *file = this->file(at);
  // A macro defined in another file than the function: a scope that says which.
  if (in->getFile() != file)
    return llvm::DILocation::get(
        mc_.context, where.line, where.column,
        builder_.createLexicalBlockFile(in, static_cast<llvm::DIFile *>(file), 0), inlinedAt);
  return llvm::DILocation::get(mc_.context, where.line, where.column, in, inlinedAt);
}

void DebugInfo::finish() { builder_.finalize(); }

} // namespace mirgpu::lowering
