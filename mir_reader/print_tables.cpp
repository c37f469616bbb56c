// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands around the functions: the program's head, kernels, tests, statics, allocs and
// vtables.
#include "mir_reader/print_parts.h"
#include "mir_reader/printer.h"

#include "support/match.h"

#include "llvm/Support/Format.h"

namespace mirgpu::mir {

void Printer::head() {
  os << "// crate " << text(program.crateName) << ", " << text(program.target.triple) << "\n"
     << "// " << text(program.producer) << ", rustc " << text(program.rustc) << ", opt-level "
     << text(program.session.optLevel) << ", panic=" << text(program.session.panic)
     << (program.session.overflowChecks ? ", overflow checks" : "")
     << (program.session.ubChecks ? ", ub checks" : "")
     << (program.session.contractChecks ? ", contract checks" : "") << "\n";
}

void Printer::kernels() {
  for (const Kernel &kernel : program.kernels) {
    os << "\nkernel " << text(kernel.entry) << " = " << text(kernel.key) << "(";
    list(kernel.params, [&](const KernelParam &param) {
      os << text(param.name) << ": " << text(wordFor(param.kind)) << " ";
      type(param.ty);
    });
    os << ")";
    if (kernel.launchBounds)
      os << " launch_bounds(" << kernel.launchBounds->maxThreads << ", "
         << kernel.launchBounds->minBlocks << ")";
    os << "\n";
  }
}

void Printer::tests() {
  for (const Test &test : program.tests) {
    os << "\ntest " << text(test.path) << " = " << text(program.functions[test.function].symbol)
       << (test.ignored ? ", ignored" : "");
    if (test.shouldPanic)
      os << ", should panic";
    if (test.expected)
      os << " with \"" << text(*test.expected) << "\"";
    os << "\n";
  }
}

// ---- Memory
// ---------------------------------------------------------------------------------------

static void printStatic(Printer &p, const Static &object) {
  p.os << "\nstatic " << (object.isMutable ? "mut " : "") << text(object.symbol) << ": ";
  p.type(object.ty);
  p.os << (object.threadLocal ? " thread_local" : "")
       << (object.interiorMutable ? " interior_mutable" : "") << " align " << object.align;
  for (const ToolAttr &attribute : object.toolAttrs)
    p.os << " #[" << text(attribute.path) << "]";
  if (object.init.isValid())
    p.os << " = alloc" << object.init.index;
  else
    p.os << " extern";
  p.os << "\n";
}

/// 16 bytes a line; `__` where undefined. Relocations follow as lines of their own.
static void printBytes(Printer &p, const AllocMemory &memory) {
  constexpr size_t kPerLine = 16;
  auto undef = memory.undef.begin();
  for (size_t i = 0; i < memory.bytes.size(); ++i) {
    if (i % kPerLine == 0)
      p.os << (i ? "\n" : "") << llvm::format("    %04zx:", i);
    while (undef != memory.undef.end() && undef->end <= i)
      ++undef;
    bool isUndef = undef != memory.undef.end() && undef->start <= i;
    if (isUndef)
      p.os << " __";
    else
      p.os << llvm::format(" %02x", memory.bytes[i]);
  }
  p.os << (memory.bytes.empty() ? "" : "\n");
  for (const Reloc &reloc : memory.relocs)
    p.os << llvm::format("    %04llx", static_cast<unsigned long long>(reloc.offset)) << " -> alloc"
         << reloc.target.index << "\n";
}

static void printAlloc(Printer &p, const Alloc &alloc) {
  match(
      alloc,
      [&](const AllocMemory &memory) {
        p.os << (memory.isMutable ? "mutable " : "") << memory.bytes.size() << " bytes, align "
             << memory.align << "\n";
        printBytes(p, memory);
      },
      [&](const AllocFunction &target) {
        p.os << "fn " << text(p.program.functions[target.function].symbol) << "\n";
      },
      [&](const AllocStatic &target) {
        p.os << "static " << text(p.program.statics[target.target].symbol) << "\n";
      },
      [&](const AllocVtable &target) { p.os << "vtable" << target.vtable.index << "\n"; });
}

static void printVtableEntry(Printer &p, const VtableEntry &entry) {
  auto function = [&](FunctionId id) { p.os << text(p.program.functions[id].symbol); };
  match(
      entry,
      [&](const VtableDrop &drop) {
        p.os << "drop ";
        drop.function.isValid() ? function(drop.function) : void(p.os << "nothing");
      },
      [&](const VtableSize &size) { p.os << "size " << size.size; },
      [&](const VtableAlign &align) { p.os << "align " << align.align; },
      [&](const VtableMethod &method) {
        p.os << "method ";
        function(method.function);
      },
      [&](const VtableVacant &) { p.os << "vacant"; },
      [&](const VtableSuper &super) { p.os << "super vtable" << super.vtable.index; });
}

static void printVtable(Printer &p, const Vtable &vtable) {
  p.type(vtable.ty);
  if (!vtable.traitName.empty())
    p.os << " as " << text(vtable.traitName);
  p.os << "\n";
  for (size_t i = 0; i < vtable.entries.size(); ++i) {
    p.os << "    " << i << ": ";
    printVtableEntry(p, vtable.entries[i]);
    p.os << "\n";
  }
}

void Printer::memory() {
  for (const Static &object : program.statics)
    printStatic(*this, object);
  for (uint32_t i = 0; i < program.allocs.size(); ++i) {
    os << "\nalloc" << i << ": ";
    printAlloc(*this, program.allocs[AllocId(i)]);
  }
  for (uint32_t i = 0; i < program.vtables.size(); ++i) {
    os << "\nvtable" << i << ": ";
    printVtable(*this, program.vtables[VtableId(i)]);
  }
}

void print(const Program &program, llvm::raw_ostream &os, bool withSpans) {
  Printer printer(program, os, withSpans);
  printer.head();
  printer.kernels();
  printer.tests();
  printer.types();
  for (uint32_t i = 0; i < program.functions.size(); ++i)
    printer.function(FunctionId(i));
  printer.memory();
}

} // namespace mirgpu::mir
