// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debug information for PTX is line directives: each compile unit becomes one of emission kind
// DebugDirectivesOnly, for which LLVM writes `.loc` and `.file` but neither DWARF sections (which
// need PTX 7.0) nor `.target …, debug` (with which ptxas does not optimise). Invariant: no unit
// with another emission kind is left.
#include "codegen/entry.h"

#include "llvm/IR/DebugInfo.h"

using namespace llvm;

namespace mirgpu::codegen::nvptx {

void keepLinesOnly(Module &module) {
  NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu");
  if (!units)
    return;
  stripNonLineTableDebugInfo(
      module); // variables and types; it makes line-table units, which the loop below replaces
  units = module.getNamedMetadata("llvm.dbg.cu");
  DenseMap<DICompileUnit *, DICompileUnit *> replaced;
  for (unsigned i = 0; units && i < units->getNumOperands(); ++i) {
    auto *unit = cast<DICompileUnit>(units->getOperand(i));
    auto *lines = DICompileUnit::getDistinct(
        module.getContext(), unit->getSourceLanguage(), unit->getFile(), unit->getProducer(),
        unit->isOptimized(), "", 0, "", DICompileUnit::DebugDirectivesOnly, nullptr, nullptr,
        nullptr, nullptr, nullptr, 0, false, false, DICompileUnit::DebugNameTableKind::None, false,
        "", "");
    units->setOperand(i, lines);
    replaced[unit] = lines;
  }
  DebugInfoFinder finder;
  finder.processModule(module);
  for (DISubprogram *scope : finder.subprograms())
    if (DICompileUnit *lines = replaced.lookup(scope->getUnit()))
      scope->replaceUnit(lines);
}

} // namespace mirgpu::codegen::nvptx
