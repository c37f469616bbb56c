// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and writing the active variant of an enum or coroutine, to rustc's rules:
//   single -> its value is known; empty or uninhabited -> poison
//   direct -> the tag, sign-extended if it is signed; setting stores the variant's discriminant
//   value, truncated niche  -> relative = tag - nicheStart; relative <=u end - start ?
//   cast(relative) + start : untagged
//             setting stores (variant - start) + nicheStart, wrapping at the tag's width, and
//             nothing for the untagged variant
// In the niche form variants are numbered by index, and the relative value is cast before `start`
// is added, since the discriminant's type may be wider or narrower than the tag.
#include "lowering/discriminant.h"

#include "lowering/memory_access.h"
#include "support/check.h"
#include "support/match.h"

namespace mirgpu::lowering {

/// The tag as an integer of its own width.
static llvm::Value *readTag(FunctionContext &fc, const OperandValue &value, const mir::Scalar &tag,
                            uint64_t offset) {
  llvm::Value *immediate = nullptr;
  const mir::Scalar *scalar = nullptr;
  if (value.kind == OperandValue::Kind::Immediate) {
    scalar = mir::scalarOf(fc.type(value.ty));
    immediate = value.first;
  } else if (const mir::ReprPair *pair = mir::pairOf(fc.type(value.ty));
             pair && value.kind == OperandValue::Kind::Pair) {
    scalar = offset == 0 ? &pair->a : &pair->b;
    immediate = offset == 0 ? value.first : value.second;
    if (offset != 0 && offset != pair->bOffset)
      scalar = nullptr;
  }
  if (!scalar || scalar->bits != tag.bits) {
    const PlaceRef place = spillOperand(fc, value);
    immediate =
        loadScalar(fc, tag, emitOffset(fc, place.address, offset), alignAt(place.align, offset));
    scalar = &tag;
  }
  mir::Scalar asInt;
  asInt.bits = tag.bits;
  asInt.validEnd = ~mir::u128(0);
  return convertScalar(fc, immediate, *scalar, asInt);
}

/// An integer to another width: extended by its sign or by zeros, or truncated.
static llvm::Value *resize(FunctionContext &fc, llvm::Value *value, llvm::Type *type,
                           bool isSigned) {
  return fc.builder.CreateIntCast(value, type, isSigned);
}

static llvm::Value *readNiche(FunctionContext &fc, const OperandValue &value,
                              const mir::EncodingNiche &niche, llvm::Type *type) {
  llvm::IRBuilder<> &b = fc.builder;
  llvm::Value *tag = readTag(fc, value, niche.tag, niche.tagOffset);
  llvm::Value *relative = b.CreateSub(tag, integerConstant(tag->getType(), niche.nicheStart));
  const uint32_t last = niche.endVariant - niche.startVariant;
  llvm::Value *isNiche =
      last == 0 ? b.CreateICmpEQ(tag, integerConstant(tag->getType(), niche.nicheStart))
                : b.CreateICmpULE(relative, integerConstant(tag->getType(), last));
  llvm::Constant *start = integerConstant(type, niche.startVariant);
  llvm::Value *tagged = last == 0 ? start : b.CreateAdd(resize(fc, relative, type, false), start);
  return b.CreateSelect(isNiche, tagged, integerConstant(type, niche.untagged));
}

llvm::Value *lowerGetDiscriminant(FunctionContext &fc, const OperandValue &value, mir::TypeId ty) {
  const mir::Type &type = fc.type(value.ty);
  llvm::Type *result = fc.mc.immediateType(ty);
  if (type.uninhabited)
    return llvm::PoisonValue::get(result);
  return match(
      type.encoding,
      [&](const mir::EncodingEmpty &) -> llvm::Value * { return llvm::PoisonValue::get(result); },
      [&](const mir::EncodingSingle &single) -> llvm::Value * {
        // Types without variants of their own have discriminant 0.
        const bool hasValue = mir::isMultiVariant(type) && single.variant < type.variants.size();
        return integerConstant(result, hasValue ? type.variants[single.variant].discr : 0);
      },
      [&](const mir::EncodingDirect &direct) -> llvm::Value * {
        llvm::Value *tag = readTag(fc, value, direct.tag, direct.tagOffset);
        return resize(fc, tag, result,
                      direct.tag.primitive == mir::Primitive::Int && direct.tag.isSigned);
      },
      [&](const mir::EncodingNiche &niche) -> llvm::Value * {
        return readNiche(fc, value, niche, result);
      });
}

std::optional<TagValue> tagOfVariant(const mir::Type &type, uint32_t variant) {
  if (const auto *direct = std::get_if<mir::EncodingDirect>(&type.encoding))
    return TagValue{&direct->tag, direct->tagOffset, type.variants[variant].discr};
  if (const auto *niche = std::get_if<mir::EncodingNiche>(&type.encoding);
      niche && variant != niche->untagged)
    return TagValue{&niche->tag, niche->tagOffset,
                    mir::u128(variant - niche->startVariant) + niche->nicheStart};
  return std::nullopt;
}

llvm::Value *tagConstant(FunctionContext &fc, const TagValue &tag) {
  llvm::Constant *bits =
      integerConstant(llvm::IntegerType::get(fc.mc.context, tag.scalar->bits), tag.bits);
  mir::Scalar asInt;
  asInt.bits = tag.scalar->bits;
  asInt.validEnd = ~mir::u128(0);
  return convertScalar(fc, bits, asInt, *tag.scalar);
}

void lowerSetDiscriminant(FunctionContext &fc, const PlaceRef &place, uint32_t variant) {
  const mir::Type &type = fc.type(place.ty);
  if (variant < type.variants.size() && type.variants[variant].uninhabited)
    return; // no value of this variant exists: the code cannot run
  if (std::optional<TagValue> tag = tagOfVariant(type, variant))
    storeScalar(fc, *tag->scalar, tagConstant(fc, *tag), emitOffset(fc, place.address, tag->offset),
                alignAt(place.align, tag->offset));
}

} // namespace mirgpu::lowering
