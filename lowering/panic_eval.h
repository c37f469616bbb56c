// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a body for what its panics say. Values of locals with one definition are followed back to
// constants; a switch on a known value keeps one arm; a call of a pure or panic-only function is
// followed into its body with what is known of the arguments.
#pragma once

#include "lowering/panic_purity.h"
#include "lowering/panic_value.h"
#include "support/mgpu_format.h"

namespace mirgpu::lowering {

/// What one panic reports (lowered by panic.h).
struct PanicSite {
  mgpu::PlaceKind kind = mgpu::PlaceKind::Panic;
  std::string text; ///< empty: not known before run time
  std::optional<mir::LocalId>
      textLocal;            ///< a `&str` local of the body that holds the text at run time
  mir::FunctionId function; ///< in which the panic stands
  mir::SpanId span;         ///< where, unless `location` says so
  std::optional<mir::AllocId> location; ///< a `core::panic::Location`
  bool usesCallerLocation =
      false;            ///< the place is the hidden caller location of the function being lowered
  uint8_t operands = 0; ///< the call's first integer arguments to report
  friend bool operator==(const PanicSite &, const PanicSite &) = default;
};

class BodyEvaluator {
public:
  /// `args` are what is known of the arguments (root: empty). `isRoot`: run-time text may name this
  /// body's locals.
  BodyEvaluator(ValuePool &pool, Purity &purity, mir::FunctionId function, std::vector<Known> args,
                bool isRoot, unsigned depth = 0);

  /// What the call that ends `block` reports; none if it is no panic or cannot be told apart
  /// statically.
  std::optional<PanicSite> siteOf(mir::BlockId block);

private:
  struct Definition {
    mir::BlockId block;
    size_t statement = 0; ///< number of statements: the terminator
    unsigned count = 0;   ///< how many definitions; exact for one
  };
  void collectReachable();
  void collectDefinitions();
  void define(const mir::Place &place, mir::BlockId block, size_t statement);
  void noteBorrow(const mir::Rvalue &rvalue);
  Known local(mir::LocalId local);
  Known evaluateDefinition(const Definition &definition);
  Known evaluateCall(const mir::Call &call);
  Known place(const mir::Place &place, size_t projections);
  Known place(const mir::Place &p) { return place(p, p.projection.size()); }
  Known operand(const mir::Operand &operand);
  Known rvalue(const mir::Rvalue &rvalue, const mir::Place &dest);
  Known reference(const mir::Place &place);
  Known field(Known base, uint32_t index);
  Known binary(const mir::BinaryOp &op);
  Known cast(const mir::Cast &cast);
  bool isStrRef(mir::LocalId local) const;
  std::vector<PanicSite> outcomes(mir::BlockId block);
  PanicSite entryOutcome(const mir::Call &call, mir::FunctionId callee, mir::SpanId span);
  void placeAt(PanicSite &site, const mir::Call &call, mir::SpanId span);
  std::optional<PanicText> entryText(const mir::Call &call, mir::FunctionId callee);
  bool mergesTexts(mir::FunctionId callee) const;

  ValuePool &pool_;
  Purity &purity_;
  const mir::Program &program_;
  mir::FunctionId id_;
  const mir::Body &body_;
  std::vector<Known> args_;
  bool isRoot_;
  unsigned depth_, nesting_ = 0;
  std::vector<bool> reachable_;
  std::vector<Definition> definitions_;
  std::vector<std::optional<Known>> values_; ///< null inside: unknown or being computed
};

} // namespace mirgpu::lowering
