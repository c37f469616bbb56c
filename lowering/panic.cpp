// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See panic.h. MIR `assert(cond, "…", a, b) -> bb2` becomes
//     br i1 %cond, label %bb2, label %panic, !prof unlikely
//   panic:
//     call void @mirgpu.panic(ptr %context, i32 7, i64 %a, i64 %b)
//     unreachable
#include "lowering/panic.h"

#include "lowering/panic_names.h"
#include "lowering/place_table.h"

#include "llvm/IR/MDBuilder.h"

namespace mirgpu::lowering {

static llvm::Function *panicDeclaration(ModuleContext &mc, llvm::StringRef name,
                                        llvm::ArrayRef<llvm::Type *> params) {
  if (llvm::Function *existing = mc.module.getFunction(name))
    return existing;
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(mc.context), params, false);
  auto *function =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, mc.module);
  for (const llvm::Attribute::AttrKind kind :
       {llvm::Attribute::NoReturn, llvm::Attribute::Cold, llvm::Attribute::NoInline,
        llvm::Attribute::NoUnwind})
    function->addFnAttr(kind);
  return function;
}

static llvm::Type *i32(FunctionContext &fc) { return fc.builder.getInt32Ty(); }

static void emitPanic(FunctionContext &fc, uint32_t place, llvm::Value *a, llvm::Value *b) {
  llvm::Type *pointer = fc.mc.pointerType(), *i64 = fc.builder.getInt64Ty();
  llvm::Function *callee = panicDeclaration(fc.mc, "mirgpu.panic", {pointer, i32(fc), i64, i64});
  llvm::Value *zero = fc.builder.getInt64(0);
  fc.builder.CreateCall(callee,
                        {fc.context, fc.builder.getInt32(place), a ? a : zero, b ? b : zero});
  fc.builder.CreateUnreachable();
}

static void emitPanicDynamic(FunctionContext &fc, uint32_t place, llvm::Value *location,
                             llvm::Value *text, llvm::Value *length, llvm::Value *a,
                             llvm::Value *b) {
  llvm::Type *pointer = fc.mc.pointerType(), *i64 = fc.builder.getInt64Ty();
  llvm::Function *callee = panicDeclaration(fc.mc, "mirgpu.panic_dynamic",
                                            {pointer, i32(fc), pointer, pointer, i64, i64, i64});
  llvm::Value *zero = fc.builder.getInt64(0),
              *null = llvm::ConstantPointerNull::get(fc.mc.pointerType());
  fc.builder.CreateCall(callee,
                        {fc.context, fc.builder.getInt32(place), location ? location : null,
                         text ? text : null, length ? length : zero, a ? a : zero, b ? b : zero});
  fc.builder.CreateUnreachable();
}

// ---- Places
// ---------------------------------------------------------------------------------------

/// Reads a `core::panic::Location` of constant memory: file pointer, file length, line, column.
static bool readLocation(const ModuleContext &mc, mir::AllocId alloc, PlaceEntry &entry) {
  const auto file = mc.readPointer(alloc, 0);
  const auto length = mc.readBytes(alloc, 8, 8), line = mc.readBytes(alloc, 16, 4),
             column = mc.readBytes(alloc, 20, 4);
  if (!file || !length || !line || !column)
    return false;
  const auto *memory = std::get_if<mir::AllocMemory>(&mc.program.allocs[file->alloc]);
  if (!memory || file->offset > memory->bytes.size() ||
      uint64_t(*length) > memory->bytes.size() - file->offset)
    return false;
  const auto begin = memory->bytes.begin() + file->offset;
  entry.file.assign(begin, begin + uint64_t(*length));
  entry.line = uint32_t(*line);
  entry.column = uint32_t(*column);
  return true;
}

/// The place entry of a site, and the run-time location if the entry alone does not say where.
static uint32_t internPlace(FunctionContext &fc, PlaceEntry entry,
                            const std::optional<mir::AllocId> &location, bool usesCallerLocation,
                            llvm::Value *&dynamicLocation) {
  if (location && !readLocation(fc.mc, *location, entry))
    dynamicLocation = fc.allocAddress(*location, 0);
  if (usesCallerLocation)
    dynamicLocation = fc.callerLocation;
  return fc.mc.places->intern(std::move(entry));
}

/// An integer operand as the i64 that a record has.
static llvm::Value *reported(FunctionContext &fc, const mir::Operand &operand) {
  const OperandValue value = lowerOperand(fc, operand);
  if (value.kind != OperandValue::Kind::Immediate || !value.first->getType()->isIntOrPtrTy())
    return nullptr;
  llvm::Type *i64 = fc.builder.getInt64Ty();
  return value.first->getType()->isPointerTy() ? fc.builder.CreatePtrToInt(value.first, i64)
                                               : fc.builder.CreateZExtOrTrunc(value.first, i64);
}

// ---- Sites
// ----------------------------------------------------------------------------------------

bool isPanicFunction(const mir::Function &function) { return findPanicEntry(function) != nullptr; }

void lowerAssert(FunctionContext &fc, const mir::Assert &assertion) {
  llvm::Value *cond = lowerOperand(fc, assertion.cond).imm();
  llvm::BasicBlock *target = fc.blockFor(assertion.target), *panic = fc.newBlock("panic");
  llvm::MDBuilder metadata(fc.mc.context);
  if (assertion.expected)
    fc.builder.CreateCondBr(cond, target, panic, metadata.createLikelyBranchWeights());
  else
    fc.builder.CreateCondBr(cond, panic, target, metadata.createUnlikelyBranchWeights());
  fc.builder.SetInsertPoint(panic);

  const AssertText text = assertText(assertion.kind, assertion.op);
  llvm::Value *a = nullptr, *b = nullptr, *location = nullptr;
  if (text.kind == mgpu::PlaceKind::BoundsCheck && assertion.operands.size() == 2) {
    a = reported(fc, assertion.operands[1]); // index, then length
    b = reported(fc, assertion.operands[0]);
  } else if (text.kind == mgpu::PlaceKind::Operands) {
    a = !assertion.operands.empty() ? reported(fc, assertion.operands[0]) : nullptr;
    b = assertion.operands.size() > 1 ? reported(fc, assertion.operands[1]) : nullptr;
  }
  const auto &caller = assertion.callerLocation;
  const uint32_t place = internPlace(
      fc, placeEntry(fc.program, text.kind, fc.span, fc.function, std::string(text.text)),
      caller && !caller->forward ? std::optional(caller->alloc) : std::nullopt,
      caller && caller->forward, location);
  if (location)
    emitPanicDynamic(fc, place, location, nullptr, nullptr, a, b);
  else
    emitPanic(fc, place, a, b);
}

void lowerPanic(FunctionContext &fc, const PanicSite &site) {
  const auto &call = std::get<mir::Call>(fc.body.blocks[fc.block].terminator.kind);
  llvm::Value *a = site.operands > 0 && !call.args.empty() ? reported(fc, call.args[0]) : nullptr;
  llvm::Value *b = site.operands > 1 && call.args.size() > 1 ? reported(fc, call.args[1]) : nullptr;
  llvm::Value *location = nullptr, *text = nullptr, *length = nullptr;
  const mir::Function &function =
      site.function.isValid() ? fc.program.functions[site.function] : fc.function;
  const uint32_t place =
      internPlace(fc, placeEntry(fc.program, site.kind, site.span, function, site.text),
                  site.location, site.usesCallerLocation, location);
  if (site.textLocal) {
    const OperandValue value = lowerPlaceValue(fc, mir::Place{*site.textLocal, {}});
    if (value.kind == OperandValue::Kind::Pair) {
      text = value.first;
      length = value.second;
    }
  }
  if (location || text)
    emitPanicDynamic(fc, place, location, text, length, a, b);
  else
    emitPanic(fc, place, a, b);
}

void lowerPanicCall(FunctionContext &fc, const mir::Function &callee) {
  const PanicEntry *entry = findPanicEntry(callee);
  lowerAbort(fc, entry ? entry->text : "");
}

void lowerAbort(FunctionContext &fc, std::string_view text) {
  const uint32_t place = fc.mc.places->intern(
      placeEntry(fc.program, mgpu::PlaceKind::Panic, fc.span, fc.function, std::string(text)));
  emitPanic(fc, place, nullptr, nullptr);
}

} // namespace mirgpu::lowering
