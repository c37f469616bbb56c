// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Float intrinsics. Functions that come in a name for each width (`sqrtf32`) share a row with the
// width taken off. Only what every target computes exactly without a library has a row with LLVM's
// intrinsic; the others are in the table of intrinsics/math.h. `min` and `max` order -0.0 below
// +0.0 on every target, which Rust allows, so that all targets agree bit for bit.
#include "lowering/core_intrinsics.h"

#include "lowering/math.h"
#include "lowering/wide_float.h"

#include "llvm/IR/Intrinsics.h"

namespace mirgpu::lowering {

using llvm::Intrinsic::ID;

// ---- Generic over the float
// -----------------------------------------------------------------------

using FloatOp = llvm::Instruction::BinaryOps;

static OperandValue withFlags(const IntrinsicCall &call, FloatOp op, llvm::FastMathFlags flags) {
  llvm::Value *value = call.builder.CreateBinOp(op, call.imm(0), call.imm(1));
  if (auto *inst = llvm::dyn_cast<llvm::Instruction>(value))
    inst->setFastMathFlags(flags);
  return call.result(value);
}

/// `*_fast`: the operands and the result are finite, and any reordering is allowed.
template <FloatOp op> static OperandValue fast(const IntrinsicCall &call) {
  return withFlags(call, op, llvm::FastMathFlags::getFast());
}

/// `*_algebraic`: rules of real numbers, but no promise about NaN or infinity.
template <FloatOp op> static OperandValue algebraic(const IntrinsicCall &call) {
  llvm::FastMathFlags flags;
  flags.setAllowReassoc();
  flags.setAllowContract(true);
  flags.setNoSignedZeros();
  flags.setAllowReciprocal();
  return withFlags(call, op, flags);
}

/// A remainder needs a library, which computes it exactly: no flag allows less.
static OperandValue remainder(const IntrinsicCall &call) {
  return call.result(emitRemainder(call.fc, call.imm(0), call.imm(1)));
}

static OperandValue absolute(const IntrinsicCall &call) {
  return call.result(call.builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, call.imm(0)));
}

static OperandValue toIntUnchecked(const IntrinsicCall &call) {
  const mir::Scalar *to = mir::scalarOf(call.fc.type(call.dest.ty));
  llvm::Type *type = call.fc.mc.immediateType(call.dest.ty);
  if (type->isIntegerTy(128))
    return call.result(emitFloatToWideInt(call.fc, call.imm(0), to && to->isSigned));
  return call.result(to && to->isSigned ? call.builder.CreateFPToSI(call.imm(0), type)
                                        : call.builder.CreateFPToUI(call.imm(0), type));
}

static constexpr CoreIntrinsicRow kRows[] = {
    {"fabs", absolute},
    {"float_to_int_unchecked", toIntUnchecked},
    {"fadd_fast", fast<llvm::Instruction::FAdd>},
    {"fsub_fast", fast<llvm::Instruction::FSub>},
    {"fmul_fast", fast<llvm::Instruction::FMul>},
    {"fdiv_fast", fast<llvm::Instruction::FDiv>},
    {"frem_fast", remainder},
    {"fadd_algebraic", algebraic<llvm::Instruction::FAdd>},
    {"fsub_algebraic", algebraic<llvm::Instruction::FSub>},
    {"fmul_algebraic", algebraic<llvm::Instruction::FMul>},
    {"fdiv_algebraic", algebraic<llvm::Instruction::FDiv>},
    {"frem_algebraic", remainder},
};

std::span<const CoreIntrinsicRow> floatIntrinsics() { return kRows; }

// ---- Named by width
// -------------------------------------------------------------------------------

/// x * y + z; fused only where contraction is asked for.
static OperandValue mulAdd(const IntrinsicCall &call) {
  if (call.fc.mc.options.fpContract)
    return call.result(call.builder.CreateIntrinsic(llvm::Intrinsic::fmuladd,
                                                    {call.imm(0)->getType()},
                                                    {call.imm(0), call.imm(1), call.imm(2)}));
  return call.result(
      call.builder.CreateFAdd(call.builder.CreateFMul(call.imm(0), call.imm(1)), call.imm(2)));
}

/// A function `T mirgpu_powi_<T>(T x, i32 n)`: repeated squaring, the reciprocal for negative
/// powers. Its steps are the same on every target, and no target needs a library for it.
static llvm::Function *powerFunction(ModuleContext &mc, llvm::Type *type) {
  const std::string name =
      "mirgpu_powi_f" + std::to_string(type->getPrimitiveSizeInBits().getFixedValue());
  if (llvm::Function *existing = mc.module.getFunction(name))
    return existing;
  llvm::IRBuilder<> b(mc.context);
  llvm::Type *i32 = b.getInt32Ty();
  auto *fn = llvm::Function::Create(llvm::FunctionType::get(type, {type, i32}, false),
                                    llvm::GlobalValue::InternalLinkage, name, mc.module);
  fn->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::Value *x = fn->getArg(0), *n = fn->getArg(1);
  auto *entry = llvm::BasicBlock::Create(mc.context, "entry", fn),
       *loop = llvm::BasicBlock::Create(mc.context, "loop", fn),
       *done = llvm::BasicBlock::Create(mc.context, "done", fn);
  b.SetInsertPoint(entry);
  llvm::Value *isNegative = b.CreateICmpSLT(n, b.getInt32(0));
  llvm::Value *count =
      b.CreateSelect(isNegative, b.CreateNeg(n), n); // 2^31 for the least i32, as unsigned
  llvm::Constant *one = llvm::ConstantFP::get(type, 1.0);
  b.CreateBr(loop);

  b.SetInsertPoint(loop);
  llvm::PHINode *power = b.CreatePHI(type, 2), *left = b.CreatePHI(i32, 2),
                *product = b.CreatePHI(type, 2);
  llvm::Value *isOdd = b.CreateTrunc(left, b.getInt1Ty());
  llvm::Value *next = b.CreateSelect(isOdd, b.CreateFMul(product, power), product);
  llvm::Value *rest = b.CreateLShr(left, 1);
  llvm::Value *square = b.CreateFMul(power, power);
  b.CreateCondBr(b.CreateICmpEQ(rest, b.getInt32(0)), done, loop);
  power->addIncoming(x, entry);
  power->addIncoming(square, loop);
  left->addIncoming(count, entry);
  left->addIncoming(rest, loop);
  product->addIncoming(one, entry);
  product->addIncoming(next, loop);

  b.SetInsertPoint(done);
  b.CreateRet(b.CreateSelect(isNegative, b.CreateFDiv(one, next), next));
  return fn;
}

static OperandValue integerPower(const IntrinsicCall &call) {
  llvm::Function *fn = powerFunction(call.fc.mc, call.imm(0)->getType());
  return call.result(call.builder.CreateCall(fn, {call.imm(0), call.imm(1)}));
}

static OperandValue libraryFunction(const IntrinsicCall &call, const intrinsics::MathDef &def) {
  llvm::SmallVector<llvm::Value *, 2> operands;
  for (unsigned i = 0; i < def.arity; ++i)
    operands.push_back(call.imm(i));
  return call.result(emitMath(call.fc, def, operands));
}

template <ID id, unsigned arity> static OperandValue llvmFunction(const IntrinsicCall &call) {
  llvm::SmallVector<llvm::Value *, 3> operands;
  for (unsigned i = 0; i < arity; ++i)
    operands.push_back(call.imm(i));
  return call.result(call.builder.CreateIntrinsic(id, {operands[0]->getType()}, operands));
}

static constexpr CoreIntrinsicRow kFunctions[] = {
    {"sqrt", llvmFunction<llvm::Intrinsic::sqrt, 1>},
    {"floor", llvmFunction<llvm::Intrinsic::floor, 1>},
    {"ceil", llvmFunction<llvm::Intrinsic::ceil, 1>},
    {"trunc", llvmFunction<llvm::Intrinsic::trunc, 1>},
    {"round", llvmFunction<llvm::Intrinsic::round, 1>},
    {"round_ties_even", llvmFunction<llvm::Intrinsic::roundeven, 1>},
    {"fabs", llvmFunction<llvm::Intrinsic::fabs, 1>},
    {"copysign", llvmFunction<llvm::Intrinsic::copysign, 2>},
    {"minimum", llvmFunction<llvm::Intrinsic::minimum, 2>},
    {"maximum", llvmFunction<llvm::Intrinsic::maximum, 2>},
    {"minimum_number_nsz", llvmFunction<llvm::Intrinsic::minimumnum, 2>},
    {"maximum_number_nsz", llvmFunction<llvm::Intrinsic::maximumnum, 2>},
    {"fma", llvmFunction<llvm::Intrinsic::fma, 3>},
    {"fmuladd", mulAdd},
    {"powi", integerPower},
};

std::optional<OperandValue> lowerFloatFunction(const IntrinsicCall &call) {
  llvm::StringRef name(call.callee.name);
  if (!name.consume_back("f16") && !name.consume_back("f32") && !name.consume_back("f64") &&
      !name.consume_back("f128"))
    return std::nullopt;
  name.consume_back("_");
  const auto *row = llvm::find_if(kFunctions, [&](const CoreIntrinsicRow &known) {
    return llvm::StringRef(known.name) == name;
  });
  const intrinsics::MathDef *def = intrinsics::findMathIntrinsic(std::string_view(name));
  if (!def && row == std::end(kFunctions))
    return std::nullopt;
  if (call.callee.name.ends_with("f128"))
    return call.unsupported("`f128` is not available on any target");
  return def ? libraryFunction(call, *def) : row->handler(call);
}

} // namespace mirgpu::lowering
