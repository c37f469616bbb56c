// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See math.h. Foreign symbols with a meaning but no row of their own:
//   fdim(x, y)           x > y or unordered ? x - y : 0
//   lgamma_r(x, &sign)   lgamma(x), and the sign of the gamma function stored
//   ldexp(x, n), scalbn  x times 2 to the n, rounded once
#include "lowering/math.h"

#include "lowering/allocator.h"
#include "lowering/memory_access.h"

namespace mirgpu::lowering {

llvm::Value *emitMath(FunctionContext &fc, const intrinsics::MathDef &def,
                      llvm::ArrayRef<llvm::Value *> args) {
  llvm::IRBuilder<> &b = fc.builder;
  llvm::Type *type = args.front()->getType();
  llvm::SmallVector<llvm::Value *, 2> operands(args);
  if (type->isHalfTy())
    for (llvm::Value *&operand : operands)
      operand = b.CreateFPExt(operand, b.getFloatTy());
  llvm::Function *callee = intrinsics::declareMath(def, fc.mc.module, operands.front()->getType());
  llvm::Value *result = b.CreateCall(callee, operands);
  return type->isHalfTy() ? b.CreateFPTrunc(result, type) : result;
}

llvm::Value *emitRemainder(FunctionContext &fc, llvm::Value *x, llvm::Value *y) {
  return emitMath(fc, intrinsics::mathFunction("fmod"), {x, y});
}

static llvm::Value *positiveDifference(FunctionContext &fc, llvm::Value *x, llvm::Value *y) {
  llvm::IRBuilder<> &b = fc.builder;
  return b.CreateSelect(b.CreateFCmpOLE(x, y), llvm::ConstantFP::getZero(x->getType()),
                        b.CreateFSub(x, y));
}

/// The sign of the gamma function: below zero that of floor(x), even or odd; 1 at the poles but -0.
static llvm::Value *gammaSign(FunctionContext &fc, llvm::Value *x) {
  llvm::IRBuilder<> &b = fc.builder;
  llvm::Type *type = x->getType();
  llvm::Value *floor = b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x);
  llvm::Value *half = b.CreateFMul(floor, llvm::ConstantFP::get(type, 0.5));
  llvm::Value *isOdd = b.CreateFCmpUNE(b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, half), half);
  llvm::Value *isBetween = b.CreateFCmpONE(floor, x);
  llvm::Value *bits = b.CreateBitCast(x, b.getIntNTy(type->getScalarSizeInBits()));
  llvm::Value *isNegativeZero = b.CreateICmpEQ(
      bits, llvm::ConstantInt::get(bits->getType(),
                                   llvm::APInt::getSignMask(type->getScalarSizeInBits())));
  llvm::Value *isBelow = b.CreateFCmpOLT(x, llvm::ConstantFP::getZero(type));
  llvm::Value *isNegative =
      b.CreateOr(b.CreateAnd(isBelow, b.CreateAnd(isBetween, isOdd)), isNegativeZero);
  return b.CreateSelect(isNegative, b.getInt32(-1), b.getInt32(1));
}

/// x * 2^n. The factor may lie beyond what a float can hold, so it is taken in up to three steps;
/// on the way down each leaves as many bits as the significand has, and only the last one rounds.
static llvm::Value *scaleByPower(FunctionContext &fc, llvm::Value *x, llvm::Value *n) {
  llvm::IRBuilder<> &b = fc.builder;
  llvm::Type *type = x->getType();
  const llvm::fltSemantics &semantics = type->getFltSemantics();
  const int most = llvm::APFloat::semanticsMaxExponent(semantics);
  const int least = llvm::APFloat::semanticsMinExponent(semantics);
  const int digits = static_cast<int>(llvm::APFloat::semanticsPrecision(semantics));
  auto power = [&](int exponent) {
    llvm::APFloat one(semantics, 1);
    return llvm::ConstantFP::get(type,
                                 llvm::scalbn(one, exponent, llvm::APFloat::rmNearestTiesToEven));
  };
  auto step = [&](bool up) {
    const int limit = up ? most : least, by = up ? most : least + digits;
    llvm::Value *bound = b.getInt32(static_cast<uint32_t>(limit));
    llvm::Value *beyond = up ? b.CreateICmpSGT(n, bound) : b.CreateICmpSLT(n, bound);
    x = b.CreateSelect(beyond, b.CreateFMul(x, power(by)), x);
    n = b.CreateSelect(beyond, b.CreateSub(n, b.getInt32(static_cast<uint32_t>(by))), n);
  };
  for (const bool up : {true, true, false, false})
    step(up);
  n = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, n, b.getInt32(static_cast<uint32_t>(most)));
  n = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, n, b.getInt32(static_cast<uint32_t>(least)));
  llvm::Type *bits = b.getIntNTy(type->getScalarSizeInBits());
  llvm::Value *biased = b.CreateAdd(n, b.getInt32(static_cast<uint32_t>(most)));
  llvm::Value *factor = b.CreateShl(b.CreateZExt(biased, bits), static_cast<uint64_t>(digits - 1));
  return b.CreateFMul(x, b.CreateBitCast(factor, type));
}

/// Whether each of the first `count` arguments is a float of the result's type.
static bool areFloats(llvm::ArrayRef<OperandValue> args, size_t count, llvm::Type *type) {
  return args.size() >= count && llvm::all_of(args.take_front(count), [&](const OperandValue &arg) {
           return arg.kind == OperandValue::Kind::Immediate && arg.imm()->getType() == type;
         });
}

/// `name` without the suffix of its width, if the result is of that width.
static bool consumeWidth(llvm::StringRef &name, llvm::Type *type) {
  return type->isDoubleTy() || (type->isFloatTy() && name.consume_back("f"));
}

bool lowerMathSymbol(FunctionContext &fc, const mir::Function &function,
                     llvm::ArrayRef<OperandValue> args, const Destination &dest) {
  if (!function.isForeign || function.body ||
      kindOf(fc.type(dest.ty)) != OperandValue::Kind::Immediate)
    return false;
  llvm::Type *type = fc.mc.immediateType(dest.ty);
  llvm::StringRef name = foreignSymbol(function);
  const bool isReentrant = name.consume_back("_r");
  if (!consumeWidth(name, type))
    return false;
  auto store = [&](llvm::Value *value) {
    storeTo(fc, dest, OperandValue::immediate(dest.ty, value));
    return true;
  };
  if (isReentrant) {
    if (name != "lgamma" || args.size() != 2 || !areFloats(args, 1, type) ||
        args[1].kind != OperandValue::Kind::Immediate || !args[1].imm()->getType()->isPointerTy())
      return false;
    llvm::Value *x = args[0].imm();
    emitStore(fc, gammaSign(fc, x), args[1].imm(), 4);
    return store(emitMath(fc, intrinsics::mathFunction("lgamma"), {x}));
  }
  if (name == "fdim" && args.size() == 2 && areFloats(args, 2, type))
    return store(positiveDifference(fc, args[0].imm(), args[1].imm()));
  if ((name == "ldexp" || name == "scalbn") && args.size() == 2 && areFloats(args, 1, type) &&
      args[1].kind == OperandValue::Kind::Immediate && args[1].imm()->getType()->isIntegerTy(32))
    return store(scaleByPower(fc, args[0].imm(), args[1].imm()));
  for (const intrinsics::MathDef &def : intrinsics::mathFunctions()) {
    if (def.symbol != std::string_view(name) || args.size() != def.arity ||
        !areFloats(args, def.arity, type))
      continue;
    llvm::SmallVector<llvm::Value *, 2> values;
    for (const OperandValue &arg : args)
      values.push_back(arg.imm());
    return store(emitMath(fc, def, values));
  }
  return false;
}

} // namespace mirgpu::lowering
