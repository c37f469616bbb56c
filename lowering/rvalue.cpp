// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assignments: the destination is evaluated first, then the rvalue, one handler a kind. Aggregates
// and repeats whose type lives in memory are built in the destination; everything else is a value
// that is then stored.
#include "lowering/arithmetic.h"
#include "lowering/memory_access.h"
#include "support/match.h"

namespace mirgpu::lowering {

/// Repeats of up to this many elements are single stores, which SROA can take apart.
static constexpr uint64_t kUnrolledRepeat = 16;

/// The byte that every byte of `value` is, if that is known or the value is one byte.
static llvm::Value *repeatedByte(FunctionContext &fc, const OperandValue &value) {
  if (value.kind == OperandValue::Kind::Pair) {
    auto *first = llvm::dyn_cast<llvm::Constant>(value.first),
         *second = llvm::dyn_cast<llvm::Constant>(value.second);
    return first && second && first->isNullValue() && second->isNullValue() ? fc.builder.getInt8(0)
                                                                            : nullptr;
  }
  if (value.kind != OperandValue::Kind::Immediate)
    return nullptr;
  if (const auto *constant = llvm::dyn_cast<llvm::Constant>(value.first);
      constant && constant->isNullValue())
    return fc.builder.getInt8(0);
  if (value.first->getType()->isIntegerTy(8))
    return value.first;
  if (value.first->getType()->isIntegerTy(1))
    return fc.builder.CreateZExt(value.first, fc.builder.getInt8Ty());
  return nullptr;
}

static void repeatLoop(FunctionContext &fc, const OperandValue &value, const PlaceRef &dest,
                       uint64_t count) {
  llvm::IRBuilder<> &b = fc.builder;
  llvm::BasicBlock *before = b.GetInsertBlock(), *body = fc.newBlock("repeat"),
                   *after = fc.newBlock("repeat.end");
  b.CreateBr(body);
  b.SetInsertPoint(body);
  llvm::PHINode *index = b.CreatePHI(fc.mc.usizeType(), 2);
  index->addIncoming(fc.usize(0), before);
  storeOperand(fc, value, projectIndex(fc, dest, index));
  llvm::Value *next = b.CreateAdd(index, fc.usize(1), "", /*HasNUW=*/true);
  index->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, fc.usize(count)), body, after);
  b.SetInsertPoint(after);
}

static void lowerRepeat(FunctionContext &fc, const mir::Repeat &repeat, const PlaceRef &dest) {
  const OperandValue value = lowerOperand(fc, repeat.operand);
  if (repeat.count == 0 || value.kind == OperandValue::Kind::ZeroSized)
    return;
  if (value.kind == OperandValue::Kind::Immediate && llvm::isa<llvm::UndefValue>(value.first))
    return; // the bytes stay uninitialised
  if (repeat.count <= kUnrolledRepeat) {
    for (uint64_t i = 0; i < repeat.count; ++i)
      storeOperand(fc, value, projectIndex(fc, dest, fc.usize(i)));
  } else if (llvm::Value *byte = repeatedByte(fc, value)) {
    emitFill(fc, dest.address, dest.align, byte, fc.usize(fc.type(dest.ty).size));
  } else {
    repeatLoop(fc, value, dest, repeat.count);
  }
}

/// The variant that an aggregate makes; none for a type that has no variants. A coroutine starts in
/// its first one.
static std::optional<uint32_t> variantOf(FunctionContext &fc, const mir::Aggregate &aggregate) {
  if (!mir::isMultiVariant(fc.type(aggregate.ty)))
    return std::nullopt;
  return aggregate.variant.value_or(0);
}

static FieldValues aggregateFields(FunctionContext &fc, const mir::Aggregate &aggregate) {
  FieldValues fields;
  for (uint32_t i = 0; i < aggregate.operands.size(); ++i)
    fields.emplace_back(aggregate.activeField.value_or(i), lowerOperand(fc, aggregate.operands[i]));
  return fields;
}

static OperandValue lowerAggregate(FunctionContext &fc, const mir::Aggregate &aggregate) {
  const FieldValues fields = aggregateFields(fc, aggregate);
  if (!mir::isKind<mir::TyPointer>(fc.program, aggregate.ty))
    return buildAggregate(fc, aggregate.ty, variantOf(fc, aggregate), fields);
  // A raw pointer from its parts.
  const OperandValue &data = fields[0].second, &metadata = fields[1].second;
  if (kindOf(fc.type(aggregate.ty)) == OperandValue::Kind::Pair)
    return OperandValue::pair(aggregate.ty, data.imm(), metadata.imm());
  return OperandValue::immediate(aggregate.ty, data.imm());
}

/// An aggregate in memory: each field is evaluated and written before the next one.
static void lowerAggregateInto(FunctionContext &fc, const mir::Aggregate &aggregate,
                               const PlaceRef &dest) {
  const std::optional<uint32_t> variant = variantOf(fc, aggregate);
  if (variant && fc.type(dest.ty).variants[*variant].uninhabited)
    return;
  PlaceRef place = dest;
  place.variant = variant;
  const bool hasElements = mir::elementOf(fc.program, dest.ty).isValid();
  for (uint32_t i = 0; i < aggregate.operands.size(); ++i) {
    const uint32_t index = aggregate.activeField.value_or(i);
    const PlaceRef field =
        hasElements ? projectIndex(fc, dest, fc.usize(index)) : projectField(fc, place, index);
    storeOperand(fc, lowerOperand(fc, aggregate.operands[i]), field);
  }
  if (variant)
    lowerSetDiscriminant(fc, dest, *variant);
}

static OperandValue lowerThreadLocal(FunctionContext &fc, const mir::ThreadLocalRef &ref,
                                     mir::TypeId ty) {
  fc.unsupported("the thread-local static `" + std::string(fc.program.statics[ref.target].symbol) +
                     "`",
                 "pass the value as a kernel argument or keep it in a local variable");
  return poisonOperand(fc, ty);
}

static OperandValue lowerRepeatValue(FunctionContext &fc, const mir::Repeat &repeat,
                                     mir::TypeId ty) {
  const PlaceRef slot = fc.temporary(ty, "repeat");
  lowerRepeat(fc, repeat, slot);
  return loadOperand(fc, slot);
}

static OperandValue lowerRvalue(FunctionContext &fc, const mir::Rvalue &rvalue, mir::TypeId ty) {
  return match(
      rvalue, [&](const mir::Use &use) { return lowerOperand(fc, use.operand); },
      [&](const mir::Repeat &repeat) { return lowerRepeatValue(fc, repeat, ty); },
      [&](const mir::Ref &ref) { return addressOf(fc, lowerPlace(fc, ref.place), ty); },
      [&](const mir::ThreadLocalRef &ref) { return lowerThreadLocal(fc, ref, ty); },
      [&](const mir::RawPtr &raw) { return addressOf(fc, lowerPlace(fc, raw.place), ty); },
      [&](const mir::Cast &cast) { return lowerCast(fc, cast); },
      [&](const mir::BinaryOp &binary) {
        const OperandValue lhs = lowerOperand(fc, binary.lhs);
        return lowerBinaryOp(fc, binary.op, lhs, lowerOperand(fc, binary.rhs), ty);
      },
      [&](const mir::UnaryOp &unary) {
        return lowerUnaryOp(fc, unary.op, lowerOperand(fc, unary.operand), ty);
      },
      [&](const mir::Discriminant &discriminant) {
        const OperandValue value = lowerPlaceValue(fc, discriminant.place);
        return OperandValue::immediate(ty, lowerGetDiscriminant(fc, value, ty));
      },
      [&](const mir::Aggregate &aggregate) { return lowerAggregate(fc, aggregate); },
      [&](const mir::CopyForDeref &copy) { return lowerPlaceValue(fc, copy.place); },
      [&](const mir::WrapUnsafeBinder &wrap) {
        return transmuteOperand(fc, lowerOperand(fc, wrap.operand), wrap.ty);
      });
}

void lowerAssign(FunctionContext &fc, const mir::Assign &assign) {
  const Destination dest = lowerDestination(fc, assign.place);
  const bool inMemory = dest.memory && kindOf(fc.type(dest.ty)) == OperandValue::Kind::Ref;
  if (const auto *aggregate = std::get_if<mir::Aggregate>(&assign.rvalue); aggregate && inMemory)
    return lowerAggregateInto(fc, *aggregate, *dest.memory);
  if (const auto *repeat = std::get_if<mir::Repeat>(&assign.rvalue); repeat && inMemory)
    return lowerRepeat(fc, *repeat, *dest.memory);
  storeTo(fc, dest, lowerRvalue(fc, assign.rvalue, dest.ty));
}

} // namespace mirgpu::lowering
