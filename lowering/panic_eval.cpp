// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See panic_eval.h. A local has a known value only if exactly one reachable statement defines it as
// a whole and nobody can write it through a mutable borrow; everything else is unknown, which costs
// text of a message and nothing more.
#include "lowering/panic_eval.h"

#include "lowering/panic_names.h"
#include "mir_reader/query.h"
#include "support/match.h"

#include <algorithm>

namespace mirgpu::lowering {

using namespace mir;

static constexpr unsigned kMaxDepth = 8;
/// Of definitions followed from local to local.
static constexpr unsigned kMaxNesting = 64;

BodyEvaluator::BodyEvaluator(ValuePool &pool, Purity &purity, FunctionId function,
                             std::vector<Known> args, bool isRoot, unsigned depth)
    : pool_(pool), purity_(purity), program_(pool.program()), id_(function),
      body_(*program_.functions[function].body), args_(std::move(args)), isRoot_(isRoot),
      depth_(depth), reachable_(body_.blocks.size(), true) {
  collectDefinitions();
  // Twice: what the first round knows of switches takes definitions away for the second.
  if (!isRoot)
    for (int round = 0; round < 2; ++round) {
      collectReachable();
      collectDefinitions();
    }
}

void BodyEvaluator::collectReachable() {
  std::vector<bool> reachable(body_.blocks.size());
  std::vector<BlockId> stack{BlockId(0)};
  while (!stack.empty()) {
    const BlockId block = stack.back();
    stack.pop_back();
    if (reachable[block.index])
      continue;
    reachable[block.index] = true;
    const Terminator &terminator = body_.blocks[block].terminator;
    if (const auto *sw = std::get_if<SwitchInt>(&terminator.kind))
      if (const auto *value = knownAs<KnownScalar>(operand(sw->operand))) {
        const auto arm = std::find_if(sw->arms.begin(), sw->arms.end(),
                                      [&](const SwitchArm &a) { return a.value == value->bits; });
        stack.push_back(arm == sw->arms.end() ? sw->otherwise : arm->target);
        continue;
      }
    for (BlockId next : successors(terminator))
      stack.push_back(next);
  }
  reachable_ = std::move(reachable);
}

void BodyEvaluator::define(const Place &place, BlockId block, size_t statement) {
  if (isIndirect(place))
    return;
  Definition &definition = definitions_[place.local.index];
  definition.count += place.projection.empty() ? 1 : 2; // a part: the whole is not known
  definition.block = block;
  definition.statement = statement;
}

void BodyEvaluator::noteBorrow(const Rvalue &rvalue) {
  const Place *place = nullptr;
  if (const auto *ref = std::get_if<Ref>(&rvalue); ref && ref->kind == BorrowKind::Mut)
    place = &ref->place;
  if (const auto *raw = std::get_if<RawPtr>(&rvalue); raw && raw->kind == BorrowKind::Mut)
    place = &raw->place;
  if (place && !isIndirect(*place))
    definitions_[place->local.index].count += 2;
}

void BodyEvaluator::collectDefinitions() {
  definitions_.assign(body_.locals.size(), {});
  values_.assign(body_.locals.size(), std::nullopt);
  for (uint32_t i = 1; i <= body_.argCount; ++i)
    definitions_[i] = {BlockId(), 0, 1};
  for (uint32_t b = 0; b < body_.blocks.size(); ++b) {
    if (!reachable_[b])
      continue;
    const BasicBlock &block = body_.blocks[BlockId(b)];
    for (size_t i = 0; i < block.statements.size(); ++i) {
      const StatementKind &kind = block.statements[i].kind;
      if (const auto *assign = std::get_if<Assign>(&kind)) {
        define(assign->place, BlockId(b), i);
        noteBorrow(assign->rvalue);
      } else if (const auto *set = std::get_if<SetDiscriminant>(&kind)) {
        if (!isIndirect(set->place))
          definitions_[set->place.local.index].count += 2;
      }
    }
    if (const auto *call = std::get_if<Call>(&block.terminator.kind))
      define(call->dest, BlockId(b), block.statements.size());
    if (const auto *assembly = std::get_if<InlineAsm>(&block.terminator.kind))
      for (const AsmOperand &op : assembly->operands) {
        if (const auto *out = std::get_if<AsmOut>(&op); out && out->place)
          definitions_[out->place->local.index].count += 2;
        if (const auto *inOut = std::get_if<AsmInOut>(&op); inOut && inOut->out)
          definitions_[inOut->out->local.index].count += 2;
      }
  }
}

bool BodyEvaluator::isStrRef(LocalId local) const {
  const TypeId pointee = pointeeOf(program_, body_.locals[local].ty);
  return pointee.isValid() && isKind<TyStr>(program_, pointee);
}

Known BodyEvaluator::local(LocalId local) {
  if (values_[local.index])
    return *values_[local.index];
  if (nesting_ >= kMaxNesting)
    return nullptr;
  ++nesting_;
  values_[local.index] = nullptr; // while it is computed: a cycle is unknown
  const Definition &definition = definitions_[local.index];
  Known value = nullptr;
  if (definition.count == 1) {
    if (definition.block.isValid())
      value = evaluateDefinition(definition);
    else if (local.index - 1 < args_.size())
      value = args_[local.index - 1];
    if (!value && isRoot_ && isStrRef(local))
      value = pool_.make(KnownStrLocal{local});
  }
  --nesting_;
  values_[local.index] = value;
  return value;
}

Known BodyEvaluator::evaluateDefinition(const Definition &definition) {
  const BasicBlock &block = body_.blocks[definition.block];
  if (definition.statement < block.statements.size()) {
    const Assign &assign = std::get<Assign>(block.statements[definition.statement].kind);
    return rvalue(assign.rvalue, assign.place);
  }
  return evaluateCall(std::get<Call>(block.terminator.kind));
}

Known BodyEvaluator::evaluateCall(const Call &call) {
  if (const auto *constant = std::get_if<CalleeConstant>(&call.callee))
    return pool_.constant(constant->value);
  const FunctionId callee = directCallee(call.callee);
  if (depth_ >= kMaxDepth || !purity_.isPure(callee) || program_.functions[callee].spreadArg ||
      !pool_.mayStep())
    return nullptr;
  std::vector<Known> args;
  for (const Operand &arg : call.args)
    args.push_back(operand(arg));
  BodyEvaluator inner(pool_, purity_, callee, std::move(args), false, depth_ + 1);
  return inner.local(LocalId(0));
}

Known BodyEvaluator::field(Known base, uint32_t index) {
  if (const auto *aggregate = knownAs<KnownAggregate>(base))
    return index < aggregate->fields.size() ? aggregate->fields[index] : nullptr;
  // A scalar that was never taken apart: a wrapper of one pointer.
  return index == 0 && (knownAs<KnownPointer>(base) || knownAs<KnownStrLocal>(base) ||
                        knownAs<KnownRef>(base))
             ? base
             : nullptr;
}

Known BodyEvaluator::place(const Place &place, size_t projections) {
  Known value = local(place.local);
  for (size_t i = 0; i < projections && value; ++i)
    value = match(
        place.projection[i],
        [&](const ProjDeref &) -> Known {
          const auto *ref = knownAs<KnownRef>(value);
          return ref ? ref->target : nullptr;
        },
        [&](const ProjField &p) -> Known { return field(value, p.field); },
        [&](const ProjDowncast &p) -> Known {
          const auto *aggregate = knownAs<KnownAggregate>(value);
          return aggregate && aggregate->variant == p.variant ? value : nullptr;
        },
        [&](const ProjConstantIndex &p) -> Known {
          return p.fromEnd ? nullptr : field(value, uint32_t(p.offset));
        },
        [&](const ProjOpaqueCast &) -> Known { return value; },
        [&](const ProjUnwrapUnsafeBinder &) -> Known { return value; },
        [](const ProjIndex &) -> Known { return nullptr; },
        [](const ProjSubslice &) -> Known { return nullptr; });
  return value;
}

Known BodyEvaluator::operand(const Operand &operand) {
  return match(
      operand, [&](const Copy &o) { return place(o.place); },
      [&](const Move &o) { return place(o.place); },
      [&](const Constant &c) { return pool_.constant(c); },
      [](const RuntimeChecks &) -> Known { return nullptr; });
}

Known BodyEvaluator::reference(const Place &p) {
  // A reborrow `&*x` is the pointer itself.
  if (!p.projection.empty() && std::holds_alternative<ProjDeref>(p.projection.back()))
    return place(p, p.projection.size() - 1);
  Known target = place(p);
  return target ? pool_.make(KnownRef{target}) : nullptr;
}

Known BodyEvaluator::cast(const Cast &cast) {
  Known value = operand(cast.operand);
  const auto *scalar = knownAs<KnownScalar>(value);
  switch (cast.kind) {
  case CastKind::IntToInt: {
    const auto *to = kindAs<TyInt>(program_, cast.ty);
    const TypeId from = operandType(program_, body_, cast.operand);
    const auto *source = kindAs<TyInt>(program_, from);
    if (!scalar || !to || to->bits > 64 || (source && source->isSigned))
      return nullptr;
    return pool_.make(KnownScalar{to->bits == 64 ? uint64_t(scalar->bits)
                                                 : scalar->bits & ((u128(1) << to->bits) - 1)});
  }
  case CastKind::Transmute:
  case CastKind::PtrToPtr:
  case CastKind::Unsize:
  case CastKind::Subtype:
  case CastKind::UnsafeFnPointer:
    return value;
  case CastKind::PointerExposeProvenance:
  case CastKind::PointerWithExposedProvenance:
  case CastKind::ReifyFnPointer: {
    const auto *item = kindAs<TyFnDef>(program_, operandType(program_, body_, cast.operand));
    return item ? pool_.make(KnownFunction{item->function}) : nullptr;
  }
  case CastKind::ClosureFnPointer:
  case CastKind::FloatToInt:
  case CastKind::FloatToFloat:
  case CastKind::IntToFloat:
  case CastKind::FnPtrToPtr:
    return nullptr;
  }
  return nullptr;
}

Known BodyEvaluator::binary(const BinaryOp &op) {
  const auto *lhs = knownAs<KnownScalar>(operand(op.lhs)),
             *rhs = knownAs<KnownScalar>(operand(op.rhs));
  if (!lhs || !rhs || (lhs->bits | rhs->bits) >> 62)
    return nullptr;
  // Small non-negative numbers alone: no operation below wraps but `sub`, which is left out.
  const u128 a = lhs->bits, b = rhs->bits;
  if (op.op == BinOp::Eq || op.op == BinOp::Ne)
    return pool_.make(KnownScalar{u128((a == b) == (op.op == BinOp::Eq))});
  if (op.op == BinOp::BitOr)
    return pool_.make(KnownScalar{a | b});
  if (op.op == BinOp::BitAnd)
    return pool_.make(KnownScalar{a & b});
  if ((op.op == BinOp::Shl || op.op == BinOp::ShlUnchecked) && b < 64 && (a << b) >> 64 == 0)
    return pool_.make(KnownScalar{a << b});
  return nullptr;
}

Known BodyEvaluator::rvalue(const Rvalue &rvalue, const Place &dest) {
  return match(
      rvalue, [&](const Use &r) { return operand(r.operand); },
      [&](const CopyForDeref &r) { return place(r.place); },
      [&](const Ref &r) { return reference(r.place); },
      [&](const RawPtr &r) { return reference(r.place); }, [&](const Cast &r) { return cast(r); },
      [&](const BinaryOp &r) { return binary(r); },
      [&](const UnaryOp &r) -> Known {
        const auto *pointer = knownAs<KnownPointer>(operand(r.operand));
        const bool isLength = r.op == UnOp::PtrMetadata && pointer && pointer->length;
        return isLength ? pool_.make(KnownScalar{*pointer->length}) : nullptr;
      },
      [&](const Discriminant &r) -> Known {
        const TypeId ty = placeType(program_, body_, r.place);
        const auto variant = pool_.variantOf(place(r.place), ty);
        return variant ? pool_.make(KnownScalar{program_.types[ty].variants[*variant].discr})
                       : nullptr;
      },
      [&](const Aggregate &r) -> Known {
        if (isKind<TyPointer>(program_, r.ty) || r.activeField)
          return nullptr;
        KnownAggregate aggregate{r.ty, r.variant.value_or(0), {}};
        for (const Operand &o : r.operands)
          aggregate.fields.push_back(operand(o));
        return pool_.make(std::move(aggregate));
      },
      [&](const WrapUnsafeBinder &r) { return operand(r.operand); },
      [](const Repeat &) -> Known { return nullptr; },
      [&](const ThreadLocalRef &) -> Known { return (void)dest, nullptr; });
}

// ---- Panics
// ---------------------------------------------------------------------------------------

std::optional<PanicText> BodyEvaluator::entryText(const Call &call, FunctionId callee) {
  const PanicEntry &entry = *findPanicEntry(program_.functions[callee]);
  if (entry.source == PanicSource::Fixed)
    return PanicText{std::string(entry.text), std::nullopt};
  if (call.args.empty())
    return std::nullopt;
  Known value = operand(call.args[0]);
  if (entry.source == PanicSource::Arguments)
    return argumentsText(pool_, value);
  if (entry.source != PanicSource::Info)
    return displayText(pool_, value);
  // `&PanicInfo`: its one field that refers to Arguments is the message.
  const auto *ref = knownAs<KnownRef>(value);
  const auto *info = ref ? knownAs<KnownAggregate>(ref->target) : nullptr;
  if (info)
    for (Known field : info->fields)
      if (const auto *message = knownAs<KnownRef>(field))
        if (auto text = argumentsText(pool_, message->target))
          return text;
  return std::nullopt;
}

void BodyEvaluator::placeAt(PanicSite &site, const Call &call, SpanId span) {
  site.function = id_;
  site.span = span;
  if (!call.callerLocation)
    return;
  if (call.callerLocation->forward)
    site.usesCallerLocation = true;
  else
    site.location = call.callerLocation->alloc;
}

PanicSite BodyEvaluator::entryOutcome(const Call &call, FunctionId callee, SpanId span) {
  const PanicEntry &entry = *findPanicEntry(program_.functions[callee]);
  PanicSite site;
  site.kind = entry.kind;
  if (auto text = entryText(call, callee)) {
    site.text = std::move(text->text);
    site.textLocal = text->local;
    if (entry.source != PanicSource::Fixed && site.text.find("{}") != std::string::npos)
      site.kind = mgpu::PlaceKind::Message;
  }
  if (isRoot_)
    site.operands = entry.operands;
  placeAt(site, call, span);
  // A PanicInfo that a `#[track_caller]` function made has its caller's place.
  site.usesCallerLocation |=
      entry.source == PanicSource::Info && program_.functions[id_].trackCaller;
  return site;
}

std::vector<PanicSite> BodyEvaluator::outcomes(BlockId block) {
  const BasicBlock &bb = body_.blocks[block];
  const Call *call = std::get_if<Call>(&bb.terminator.kind);
  if (!call)
    return {};
  const FunctionId callee = directCallee(call->callee);
  if (purity_.isPanicEntry(callee))
    return {entryOutcome(*call, callee, bb.terminator.span)};
  if (depth_ >= kMaxDepth || !purity_.isPanicOnly(callee) || program_.functions[callee].spreadArg ||
      !pool_.mayStep())
    return {};
  std::vector<Known> args;
  for (const Operand &arg : call->args)
    args.push_back(operand(arg));
  BodyEvaluator inner(pool_, purity_, callee, std::move(args), false, depth_ + 1);
  std::vector<PanicSite> result;
  for (uint32_t b = 0; b < inner.body_.blocks.size(); ++b) {
    if (!inner.reachable_[b])
      continue;
    for (PanicSite &site : inner.outcomes(BlockId(b))) {
      if (site.usesCallerLocation) {
        site.usesCallerLocation = false;
        placeAt(site, *call, bb.terminator.span);
      }
      if (std::find(result.begin(), result.end(), site) == result.end())
        result.push_back(std::move(site));
    }
  }
  return result;
}

/// Whether a call of `callee` would bring formatting code along (trait objects, Arguments), so that
/// losing a part of the text is better than calling it.
bool BodyEvaluator::mergesTexts(FunctionId callee) const {
  const Function &function = program_.functions[callee];
  return std::any_of(function.inputs.begin(), function.inputs.end(), [&](TypeId input) {
    const Type &type = program_.types[input];
    const TypeId pointee = pointeeOf(program_, input);
    bool merges = input == pool_.argumentsType() ||
                  (pointee.isValid() && metadataOf(program_, pointee) == Metadata::Vtable);
    for (const Variant &variant : type.variants)
      for (const Field &field : variant.fields)
        merges |= field.ty == pool_.argumentsType();
    return merges;
  });
}

static std::string commonPrefix(const std::string &a, const std::string &b) {
  return a.substr(
      0, std::mismatch(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin()).first -
             a.begin());
}

std::optional<PanicSite> BodyEvaluator::siteOf(BlockId block) {
  std::vector<PanicSite> sites = outcomes(block);
  if (sites.empty())
    return std::nullopt;
  if (sites.size() == 1)
    return sites[0];
  if (!mergesTexts(directCallee(std::get<Call>(body_.blocks[block].terminator.kind).callee)))
    return std::nullopt;
  PanicSite merged = sites[0];
  for (const PanicSite &site : sites)
    merged.text = commonPrefix(merged.text, site.text);
  merged.kind = mgpu::PlaceKind::Message;
  merged.textLocal.reset();
  return merged;
}

} // namespace mirgpu::lowering
