// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MIR spans and scopes to LLVM debug information, line tables only: a DIFile for each source file,
// a DISubprogram for each function, and for each position a DILocation whose inlinedAt chain
// follows MIR's inlined scopes. A place in a macro is shown where the user wrote the macro call.
// Invariant: a function gets either a subprogram and locations of its own scopes, or none at all.
#pragma once

#include "lowering/module_context.h"

#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugLoc.h"

#include <map>
#include <utility>

namespace mirgpu::lowering {

class FunctionContext;

class DebugInfo {
public:
  explicit DebugInfo(ModuleContext &mc);
  /// Attaches a DISubprogram to the function that is about to be lowered.
  void beginFunction(FunctionContext &fc);
  /// The location of a position in the function that was begun last. An invalid span gives the
  /// function's own line.
  llvm::DebugLoc location(FunctionContext &fc, mir::SpanId span, mir::ScopeId scope);
  /// Completes the metadata; nothing may be added afterwards.
  void finish();

private:
  llvm::DIFile *file(mir::SpanId span);
  llvm::DISubprogram *subprogram(llvm::StringRef name, llvm::StringRef linkageName,
                                 mir::SpanId span);
  llvm::DISubprogram *inlinedSubprogram(const mir::Inlined &inlined, mir::SpanId span);
  /// The scope that instructions of `scope` belong to, and where that scope was inlined (null:
  /// nowhere).
  std::pair<llvm::DIScope *, llvm::DILocation *> place(const mir::Body &body, mir::ScopeId scope);
  mir::SpanId shown(mir::SpanId span) const;

  ModuleContext &mc_;
  llvm::DIBuilder builder_;
  llvm::DICompileUnit *unit_ = nullptr;
  llvm::DISubroutineType *functionType_ = nullptr;
  std::map<std::string, llvm::DIFile *> files_;
  std::map<std::string, llvm::DISubprogram *> inlined_;
  llvm::DISubprogram *current_ = nullptr;
  std::map<uint32_t, std::pair<llvm::DIScope *, llvm::DILocation *>>
      scopes_; ///< of the current function
};

} // namespace mirgpu::lowering
