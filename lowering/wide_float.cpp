// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See wide_float.h. A shift amount that is not used is set to 0 first, since an amount of 128 would
// be poison.
#include "lowering/wide_float.h"

#include "llvm/IR/Intrinsics.h"

namespace mirgpu::lowering {

namespace {
/// Mantissa bits with the hidden one, exponent bias and bits of an IEEE format.
struct FloatFormat {
  unsigned bits, precision, bias;
  unsigned maxExponent() const { return 2 * bias + 1; }
};

FloatFormat formatOf(llvm::Type *type) {
  if (type->isHalfTy())
    return {16, 11, 15};
  return type->isFloatTy() ? FloatFormat{32, 24, 127} : FloatFormat{64, 53, 1023};
}

/// An internal function `result name(argument)`, its builder in the entry block; `isNew` false: it
/// was made before.
struct LibraryFunction {
  llvm::Function *function;
  llvm::IRBuilder<> b;
  bool isNew;

  LibraryFunction(ModuleContext &mc, const std::string &name, llvm::Type *result,
                  llvm::Type *argument)
      : function(mc.module.getFunction(name)), b(mc.context), isNew(!function) {
    if (!isNew)
      return;
    function = llvm::Function::Create(llvm::FunctionType::get(result, {argument}, false),
                                      llvm::GlobalValue::InternalLinkage, name, mc.module);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    b.SetInsertPoint(llvm::BasicBlock::Create(mc.context, "entry", function));
  }
};

/// double to i128 or u128.
llvm::Function *fromDouble(ModuleContext &mc, bool isSigned) {
  llvm::Type *f64 = llvm::Type::getDoubleTy(mc.context),
             *i128 = llvm::Type::getInt128Ty(mc.context);
  LibraryFunction library(mc, isSigned ? "mirgpu_f64_to_i128" : "mirgpu_f64_to_u128", i128, f64);
  if (!library.isNew)
    return library.function;
  llvm::IRBuilder<> &b = library.b;
  llvm::Value *x = library.function->getArg(0), *bits = b.CreateBitCast(x, b.getInt64Ty());
  llvm::Value *isNegative = b.CreateICmpSLT(bits, b.getInt64(0));
  llvm::Value *exponent = b.CreateAnd(b.CreateLShr(bits, 52), b.getInt64(0x7ff));
  llvm::Value *mantissa =
      b.CreateOr(b.CreateAnd(bits, b.getInt64((1ull << 52) - 1)), b.getInt64(1ull << 52));
  llvm::Value *wide = b.CreateZExt(mantissa, i128);
  // The mantissa counts units of 2^(exponent - 1075).
  llvm::Value *isLarge = b.CreateICmpUGE(exponent, b.getInt64(1075));
  llvm::Value *isTooLarge =
      b.CreateICmpUGE(exponent, b.getInt64(isSigned ? 1023 + 127 : 1023 + 128));
  llvm::Value *isSmall = b.CreateICmpULT(exponent, b.getInt64(1023));
  llvm::Value *zero64 = b.getInt64(0);
  llvm::Value *left = b.CreateSelect(
      isTooLarge, zero64, b.CreateSelect(isLarge, b.CreateSub(exponent, b.getInt64(1075)), zero64));
  llvm::Value *right =
      b.CreateSelect(b.CreateOr(isLarge, isSmall), zero64, b.CreateSub(b.getInt64(1075), exponent));
  llvm::Value *magnitude =
      b.CreateLShr(b.CreateShl(wide, b.CreateZExt(left, i128)), b.CreateZExt(right, i128));
  llvm::Value *zero = llvm::ConstantInt::get(i128, 0);
  magnitude = b.CreateSelect(isSmall, zero, magnitude);
  const llvm::APInt greatest =
      isSigned ? llvm::APInt::getSignedMaxValue(128) : llvm::APInt::getMaxValue(128);
  llvm::Value *positive =
      b.CreateSelect(isTooLarge, llvm::ConstantInt::get(i128, greatest), magnitude);
  llvm::Value *negative =
      isSigned ? b.CreateSelect(isTooLarge,
                                llvm::ConstantInt::get(i128, llvm::APInt::getSignedMinValue(128)),
                                b.CreateNeg(magnitude))
               : zero;
  llvm::Value *result = b.CreateSelect(isNegative, negative, positive);
  b.CreateRet(b.CreateSelect(b.CreateFCmpUNO(x, x), zero, result));
  return library.function;
}

/// i128 or u128 to half, float or double.
llvm::Function *toFloat(ModuleContext &mc, bool isSigned, llvm::Type *to) {
  const FloatFormat format = formatOf(to);
  llvm::Type *i128 = llvm::Type::getInt128Ty(mc.context);
  LibraryFunction library(mc,
                          std::string(isSigned ? "mirgpu_i128_to_f" : "mirgpu_u128_to_f") +
                              std::to_string(format.bits),
                          to, i128);
  if (!library.isNew)
    return library.function;
  llvm::IRBuilder<> &b = library.b;
  auto wide = [&](uint64_t value) { return llvm::ConstantInt::get(i128, value); };
  llvm::Value *x = library.function->getArg(0), *zero = wide(0);
  llvm::Value *isNegative =
      isSigned ? b.CreateICmpSLT(x, zero) : static_cast<llvm::Value *>(b.getFalse());
  llvm::Value *magnitude = b.CreateSelect(isNegative, b.CreateNeg(x), x);
  llvm::Value *isZero = b.CreateICmpEQ(magnitude, zero);
  llvm::Value *zeros = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, magnitude, b.getFalse());
  llvm::Value *aligned =
      b.CreateShl(magnitude, b.CreateSelect(isZero, zero, zeros)); // its top bit is 1
  llvm::Value *top = b.CreateLShr(aligned, 128 - format.precision);
  llvm::Value *rest = b.CreateShl(aligned, format.precision);
  llvm::Value *half = llvm::ConstantInt::get(i128, llvm::APInt::getSignedMinValue(128));
  llvm::Value *isOdd = b.CreateTrunc(top, b.getInt1Ty());
  llvm::Value *roundsUp =
      b.CreateOr(b.CreateICmpUGT(rest, half), b.CreateAnd(b.CreateICmpEQ(rest, half), isOdd));
  // The hidden bit adds the last 1 of the exponent, and a carry out of the mantissa the next.
  llvm::Value *exponent = b.CreateSub(wide(127 + format.bias - 1), zeros);
  llvm::Value *bits = b.CreateAdd(b.CreateAdd(b.CreateShl(exponent, format.precision - 1), top),
                                  b.CreateZExt(roundsUp, i128));
  llvm::Value *infinity = wide(uint64_t(format.maxExponent()) << (format.precision - 1));
  bits = b.CreateSelect(b.CreateICmpUGT(bits, infinity), infinity, bits);
  bits = b.CreateSelect(isZero, zero, bits);
  bits = b.CreateOr(bits, b.CreateShl(b.CreateZExt(isNegative, i128), format.bits - 1));
  b.CreateRet(b.CreateBitCast(b.CreateTrunc(bits, b.getIntNTy(format.bits)), to));
  return library.function;
}
} // namespace

llvm::Value *emitFloatToWideInt(FunctionContext &fc, llvm::Value *value, bool isSigned) {
  llvm::Type *f64 = fc.builder.getDoubleTy();
  if (value->getType() != f64)
    value = fc.builder.CreateFPExt(value, f64); // exact
  return fc.builder.CreateCall(fromDouble(fc.mc, isSigned), {value});
}

llvm::Value *emitWideIntToFloat(FunctionContext &fc, llvm::Value *value, bool isSigned,
                                llvm::Type *to) {
  return fc.builder.CreateCall(toFloat(fc.mc, isSigned, to), {value});
}

} // namespace mirgpu::lowering
