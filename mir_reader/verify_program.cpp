// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of the small tables: spans (chains of macro calls end), symbols (one a function),
// kernels, tests.
#include "mir_reader/verify_context.h"

#include "llvm/ADT/DenseSet.h"

namespace mirgpu::mir {

// ---- Spans
// ----------------------------------------------------------------------------------------

/// Follows call sites from each span; marks what is known to end, so that every span is visited
/// once.
static void verifyCallSites(Verifier &v) {
  const auto &spans = v.program.spans;
  std::vector<uint32_t> seenFrom(spans.size(), UINT32_MAX);
  for (uint32_t i = 0; i < spans.size(); ++i) {
    for (SpanId at(i); at.isValid(); at = spans[at].callSite) {
      uint32_t &mark = seenFrom[at.index];
      if (mark == i) {
        Verifier::At step(v, "spans", at.index);
        return v.fail("the chain of macro calls comes back to itself");
      }
      if (mark != UINT32_MAX)
        break;
      mark = i;
    }
  }
}

void verifySpans(Verifier &v) {
  for (uint32_t i = 0; i < v.program.spans.size() && !v.failed(); ++i) {
    Verifier::At at(v, "spans", i);
    const Span &span = v.program.spans[SpanId(i)];
    v.inRange(v.program.files, span.file, "file");
    v.span(span.callSite);
  }
  if (!v.failed())
    verifyCallSites(v);
}

// ---- Symbols
// --------------------------------------------------------------------------------------

template <class Table>
static void verifyDistinct(Verifier &v, const Table &table, const char *name) {
  llvm::DenseSet<llvm::StringRef> seen;
  uint32_t index = 0;
  for (const auto &element : table) {
    Verifier::At at(v, name, index++);
    llvm::StringRef symbol = text(element.symbol);
    v.check(!symbol.empty(), "the symbol is empty");
    v.check(seen.insert(symbol).second, "`" + symbol + "` is there twice");
  }
}

void verifySymbols(Verifier &v) {
  verifyDistinct(v, v.program.functions, "functions");
  verifyDistinct(v, v.program.statics, "statics");
}

// ---- Kernels
// --------------------------------------------------------------------------------------

static bool kindFits(Verifier &v, const KernelParam &param) {
  const Type &type = v.program.types[param.ty];
  TypeId pointee = pointeeOf(v.program, param.ty);
  const Scalar *scalar = scalarOf(type);
  switch (param.kind) {
  case ParamKind::Scalar:
    return scalar;
  case ParamKind::Pointer:
    return scalar && scalar->primitive == Primitive::Pointer;
  case ParamKind::Slice:
  case ParamKind::SliceMut:
    return pointee.isValid() && metadataOf(v.program, pointee) == Metadata::Length;
  case ParamKind::Zst:
    return isZst(type);
  case ParamKind::DisjointSlice:
    return isKind<TyAdt>(v.program, param.ty);
  case ParamKind::Aggregate:
  case ParamKind::Dyn:
  case ParamKind::FnPtr:
    return true;
  }
  return false;
}

static void verifyParam(Verifier &v, const KernelParam &param, TypeId input) {
  if (!v.type(param.ty))
    return;
  v.check(param.ty == input, "the parameter's type is not that of the function's argument");
  v.check(isSized(v.program.types[param.ty]), "a parameter must be sized");
  v.check(kindFits(v, param),
          "the parameter's kind does not fit its type `" + v.name(param.ty) + "`");
}

static void verifyKernel(Verifier &v, const Kernel &kernel) {
  if (!v.function(kernel.function))
    return;
  const Function &function = v.program.functions[kernel.function];
  v.check(function.body.has_value(), "a kernel's function must have a body");
  v.check(function.abi != "rust-call" && !function.spreadArg && !function.isVariadic,
          "a kernel's function must take its arguments one by one");
  v.check(!kernel.entry.empty() && !kernel.key.empty(), "a kernel must have a key and an entry");
  if (!v.check(kernel.params.size() == function.inputs.size(),
               "the kernel has " + llvm::Twine(kernel.params.size()) +
                   " parameters, its function " + llvm::Twine(function.inputs.size())))
    return;
  for (size_t i = 0; i < kernel.params.size() && !v.failed(); ++i) {
    Verifier::At at(v, "params", i);
    verifyParam(v, kernel.params[i], function.inputs[i]);
  }
}

void verifyKernels(Verifier &v) {
  for (uint32_t i = 0; i < v.program.kernels.size() && !v.failed(); ++i) {
    Verifier::At at(v, "kernels", i);
    verifyKernel(v, v.program.kernels[KernelId(i)]);
  }
}

void verifyTests(Verifier &v) {
  for (size_t i = 0; i < v.program.tests.size() && !v.failed(); ++i) {
    Verifier::At at(v, "tests", i);
    v.function(v.program.tests[i].function);
  }
}

} // namespace mirgpu::mir
