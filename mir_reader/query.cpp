// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answers of query.h. The typing rules of places are here alone: verifier.h reports where
// `tryPlaceTy` has no answer, and lowering relies on the same function, so the two cannot disagree.
#include "mir_reader/query.h"

#include "support/check.h"
#include "support/match.h"

#include <algorithm>

namespace mirgpu::mir {

// ---- Types
// ----------------------------------------------------------------------------------------

TypeId pointeeOf(const Program &program, TypeId pointer) {
  const auto *ty = kindAs<TyPointer>(program, pointer);
  return ty ? ty->pointee : TypeId();
}

Metadata metadataOf(const Program &program, TypeId pointee) {
  const auto &tail = program.types[pointee].unsizedTail;
  return tail ? tail->metadata : Metadata::None;
}

bool isFatPointer(const Program &program, TypeId ty) {
  TypeId pointee = pointeeOf(program, ty);
  return pointee.isValid() && metadataOf(program, pointee) != Metadata::None;
}

TypeId elementOf(const Program &program, TypeId ty) {
  if (const auto *array = kindAs<TyArray>(program, ty))
    return array->elem;
  if (const auto *slice = kindAs<TySlice>(program, ty))
    return slice->elem;
  return TypeId();
}

bool hasFlag(const Type &type, Str flag) {
  const auto *adt = std::get_if<TyAdt>(&type.kind);
  return adt && std::ranges::find(adt->flags, flag) != adt->flags.end();
}

bool isMultiVariant(const Type &type) {
  if (const auto *adt = std::get_if<TyAdt>(&type.kind))
    return adt->kind == AdtKind::Enum;
  const auto *closure = std::get_if<TyClosure>(&type.kind);
  return closure && closure->kind == ClosureKind::Coroutine;
}

TypeId discriminantType(const Type &type) {
  if (const auto *adt = std::get_if<TyAdt>(&type.kind))
    return adt->discrTy;
  if (const auto *closure = std::get_if<TyClosure>(&type.kind))
    return closure->discrTy;
  return TypeId();
}

std::optional<SimdShape> simdOf(const Type &type) {
  const auto *vector = std::get_if<ReprVector>(&type.repr);
  if (!vector)
    return std::nullopt;
  return SimdShape{vector->scalar, vector->count};
}

const ToolAttr *findToolAttr(std::span<const ToolAttr> attributes, Str path) {
  auto it = std::ranges::find(attributes, path, &ToolAttr::path);
  return it == attributes.end() ? nullptr : &*it;
}

TypeId findBool(const Program &program) {
  for (uint32_t i = 0; i < program.types.size(); ++i)
    if (isKind<TyBool>(program, TypeId(i)))
      return TypeId(i);
  return TypeId();
}

// ---- Places
// ---------------------------------------------------------------------------------------

const Field *fieldOf(const Program &program, TypeId ty, std::optional<uint32_t> variant,
                     uint64_t index) {
  const Type &type = program.types[ty];
  uint32_t v = variant.value_or(0);
  if (v >= type.variants.size() || index >= type.variants[v].fields.size())
    return nullptr;
  return &type.variants[v].fields[index];
}

const Field *fieldOf(const Program &program, PlaceTy base, uint64_t index) {
  bool isEnum = isMultiVariant(program.types[base.ty]) && isKind<TyAdt>(program, base.ty);
  if (isEnum && !base.variant)
    return nullptr;
  return fieldOf(program, base.ty, base.variant, index);
}

static std::optional<PlaceTy> justTy(TypeId ty) {
  if (!ty.isValid())
    return std::nullopt;
  return PlaceTy{ty, std::nullopt};
}

static bool isUsize(const Program &program, TypeId ty) {
  const auto *integer = kindAs<TyInt>(program, ty);
  return integer && !integer->isSigned && integer->bits == program.target.pointerWidth;
}

/// Whether element `offset` exists in every array or slice of at least `minLength` elements.
static bool constantIndexFits(const ProjConstantIndex &index, const TyArray *array) {
  if (array && index.minLength > array->len)
    return false;
  return index.fromEnd ? index.offset >= 1 && index.offset <= index.minLength
                       : index.offset < index.minLength;
}

/// `[T; n]` with this element and length; invalid if the program has no such type.
static TypeId findArray(const Program &program, TypeId elem, uint64_t len) {
  for (uint32_t i = 0; i < program.types.size(); ++i)
    if (const auto *array = kindAs<TyArray>(program, TypeId(i)))
      if (array->elem == elem && array->len == len)
        return TypeId(i);
  return TypeId();
}

static std::optional<PlaceTy> projectSubslice(const Program &program, TypeId base,
                                              const ProjSubslice &sub) {
  const auto *array = kindAs<TyArray>(program, base);
  if (!array) {
    bool fits = isKind<TySlice>(program, base) && sub.fromEnd;
    return fits ? justTy(base) : std::nullopt;
  }
  if (sub.from > array->len || sub.to > array->len)
    return std::nullopt;
  uint64_t end = sub.fromEnd ? array->len - sub.to : sub.to;
  if (sub.from > end)
    return std::nullopt;
  return justTy(findArray(program, array->elem, end - sub.from));
}

static std::optional<PlaceTy> projectField(const Program &program, PlaceTy base,
                                           const ProjField &step) {
  const Field *field = fieldOf(program, base, step.field);
  return field && field->ty == step.ty ? justTy(step.ty) : std::nullopt;
}

static std::optional<PlaceTy> projectDowncast(const Program &program, PlaceTy base,
                                              const ProjDowncast &step) {
  const Type &type = program.types[base.ty];
  if (!isMultiVariant(type) || step.variant >= type.variants.size())
    return std::nullopt;
  return PlaceTy{base.ty, step.variant};
}

std::optional<PlaceTy> tryProject(const Program &program, const Body &body, PlaceTy base,
                                  const Projection &projection) {
  if (base.variant && !std::holds_alternative<ProjField>(projection))
    return std::nullopt;
  return match(
      projection, [&](const ProjDeref &) { return justTy(pointeeOf(program, base.ty)); },
      [&](const ProjField &step) { return projectField(program, base, step); },
      [&](const ProjIndex &step) -> std::optional<PlaceTy> {
        if (!body.locals.contains(step.local) || !isUsize(program, body.locals[step.local].ty))
          return std::nullopt;
        return justTy(elementOf(program, base.ty));
      },
      [&](const ProjConstantIndex &step) -> std::optional<PlaceTy> {
        if (!constantIndexFits(step, kindAs<TyArray>(program, base.ty)))
          return std::nullopt;
        return justTy(elementOf(program, base.ty));
      },
      [&](const ProjSubslice &step) { return projectSubslice(program, base.ty, step); },
      [&](const ProjDowncast &step) { return projectDowncast(program, base, step); },
      [&](const ProjOpaqueCast &step) {
        return step.ty == base.ty ? justTy(base.ty) : std::nullopt;
      },
      [&](const ProjUnwrapUnsafeBinder &step) {
        const auto *binder = kindAs<TyUnsafeBinder>(program, base.ty);
        return binder && binder->inner == step.ty ? justTy(step.ty) : std::nullopt;
      });
}

std::optional<PlaceTy> tryPlaceTy(const Program &program, const Body &body, const Place &place) {
  if (!body.locals.contains(place.local))
    return std::nullopt;
  std::optional<PlaceTy> result = PlaceTy{body.locals[place.local].ty, std::nullopt};
  for (const Projection &step : place.projection) {
    result = tryProject(program, body, *result, step);
    if (!result)
      return std::nullopt;
  }
  return result;
}

PlaceTy project(const Program &program, const Body &body, PlaceTy base,
                const Projection &projection) {
  auto result = tryProject(program, body, base, projection);
  MIRGPU_CHECK(result, "ill-typed projection in a verified program");
  return *result;
}

PlaceTy placeTy(const Program &program, const Body &body, const Place &place) {
  auto result = tryPlaceTy(program, body, place);
  MIRGPU_CHECK(result, "ill-typed place in a verified program");
  return *result;
}

TypeId placeType(const Program &program, const Body &body, const Place &place) {
  return placeTy(program, body, place).ty;
}

// ---- Operands, rvalues
// ----------------------------------------------------------------------------

TypeId operandType(const Program &program, const Body &body, const Operand &operand) {
  return match(
      operand, [&](const Copy &copy) { return placeType(program, body, copy.place); },
      [&](const Move &move) { return placeType(program, body, move.place); },
      [&](const Constant &constant) { return constant.ty; },
      [&](const RuntimeChecks &) { return findBool(program); });
}

static TypeId binaryType(const Program &program, const Body &body, const BinaryOp &binary) {
  switch (binary.op) {
  case BinOp::Add:
  case BinOp::Sub:
  case BinOp::Mul:
  case BinOp::AddUnchecked:
  case BinOp::SubUnchecked:
  case BinOp::MulUnchecked:
  case BinOp::Div:
  case BinOp::Rem:
  case BinOp::BitXor:
  case BinOp::BitAnd:
  case BinOp::BitOr:
  case BinOp::Shl:
  case BinOp::ShlUnchecked:
  case BinOp::Shr:
  case BinOp::ShrUnchecked:
  case BinOp::Offset:
    return operandType(program, body, binary.lhs);
  case BinOp::AddWithOverflow:
  case BinOp::SubWithOverflow:
  case BinOp::MulWithOverflow:
  case BinOp::Eq:
  case BinOp::Lt:
  case BinOp::Le:
  case BinOp::Ne:
  case BinOp::Ge:
  case BinOp::Gt:
  case BinOp::Cmp:
    return TypeId();
  }
  return TypeId();
}

TypeId rvalueType(const Program &program, const Body &body, const Rvalue &rvalue) {
  return match(
      rvalue, [&](const Use &use) { return operandType(program, body, use.operand); },
      [](const Repeat &) { return TypeId(); }, [](const Ref &) { return TypeId(); },
      [](const ThreadLocalRef &) { return TypeId(); }, [](const RawPtr &) { return TypeId(); },
      [](const Cast &cast) { return cast.ty; },
      [&](const BinaryOp &binary) { return binaryType(program, body, binary); },
      [&](const UnaryOp &unary) {
        return unary.op == UnOp::PtrMetadata ? TypeId() : operandType(program, body, unary.operand);
      },
      [&](const Discriminant &discriminant) {
        return discriminantType(program.types[placeType(program, body, discriminant.place)]);
      },
      [](const Aggregate &aggregate) { return aggregate.ty; },
      [&](const CopyForDeref &copy) { return placeType(program, body, copy.place); },
      [](const WrapUnsafeBinder &wrap) { return wrap.ty; });
}

// ---- Calls
// ----------------------------------------------------------------------------------------

Signature signatureOf(const Program &program, FunctionId function) {
  const Function &fn = program.functions[function];
  return {fn.inputs, fn.output, fn.abi, fn.isVariadic, function};
}

std::optional<Signature> signatureOf(const Program &program, TypeId ty) {
  if (const auto *pointer = kindAs<TyFnPtr>(program, ty))
    return Signature{pointer->inputs, pointer->output, pointer->abi, pointer->isVariadic, {}};
  const auto *def = kindAs<TyFnDef>(program, ty);
  if (!def || !def->function.isValid())
    return std::nullopt;
  return signatureOf(program, def->function);
}

// ---- Control flow
// ---------------------------------------------------------------------------------

void forEachSuccessor(const TerminatorKind &terminator, llvm::function_ref<void(BlockId)> visit) {
  auto unwindTo = [&](const Unwind &unwind) {
    if (unwind.kind == UnwindKind::Cleanup)
      visit(unwind.block);
  };
  match(
      terminator, [&](const Goto &jump) { visit(jump.target); },
      [&](const SwitchInt &branch) {
        for (const SwitchArm &arm : branch.arms)
          visit(arm.target);
        visit(branch.otherwise);
      },
      [](const UnwindResume &) {}, [](const UnwindTerminate &) {}, [](const Return &) {},
      [](const Unreachable &) {}, [](const TailCall &) {},
      [&](const Drop &drop) {
        visit(drop.target);
        unwindTo(drop.unwind);
      },
      [&](const Call &call) {
        if (call.target.isValid())
          visit(call.target);
        unwindTo(call.unwind);
      },
      [&](const Assert &assertion) {
        visit(assertion.target);
        unwindTo(assertion.unwind);
      },
      [&](const InlineAsm &assembly) {
        for (BlockId target : assembly.targets)
          visit(target);
        unwindTo(assembly.unwind);
      });
}

// ---- Spans
// ----------------------------------------------------------------------------------------

SourceSpan sourceSpan(const Program &program, SpanId span) {
  if (!span.isValid())
    return {};
  const Span &s = program.spans[span];
  Str file = s.file.isValid() ? program.files[s.file].name : Str();
  return {std::string(file), s.line, s.column, s.endLine, s.endColumn};
}

SpanId outermostCallSite(const Program &program, SpanId span) {
  while (span.isValid() && program.spans[span].callSite.isValid())
    span = program.spans[span].callSite;
  return span;
}

} // namespace mirgpu::mir
