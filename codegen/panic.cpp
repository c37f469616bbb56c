// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies for `mirgpu.panic` and `mirgpu.panic_dynamic` on GPUs (support/launch_abi.h):
//   log = context ? context->log : 0;  if (log) { i = log->count++ (system scope);
//     if (i < log->capacity) { write record i; record.written = 1 (release, system scope) } }  end
//     the thread
// Invariant: the functions end in the target's exit operation, never in a bare `unreachable` after
// stores, which LLVM would delete together with the check that led there.
#include "codegen/panic.h"

#include "support/launch_abi.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace mirgpu::codegen {

using abi::LaunchContext;
using abi::PanicLog;
using abi::PanicRecord;
using intrinsics::Axis;

static constexpr StringLiteral kPanic = "mirgpu.panic", kPanicDynamic = "mirgpu.panic_dynamic";

/// Global memory to both GPUs' back ends; the log lies there.
static constexpr unsigned kGlobalSpace = 1;

// core::panic::Location: {file pointer, file length, line, column}; support/cpu_abi.h has the same.
static constexpr uint64_t kLocationFile = 0, kLocationFileLength = 8, kLocationLine = 16,
                          kLocationColumn = 20;

namespace {
/// Writes the body of one panic function.
class PanicBody {
public:
  PanicBody(Function &fn, const GpuPanicHooks &hooks)
      : fn_(fn), hooks_(hooks), b_(fn.getContext()) {}

  void write(bool trap) {
    BasicBlock *end = block("end");
    Value *record = openRecord(end);
    storeAt(fn_.getArg(1), record, offsetof(PanicRecord, place));
    if (fn_.getArg(2)->getType()->isPointerTy()) // a location: mirgpu.panic_dynamic
      writeDynamic(record);
    else
      writeStatic(record);
    writeCoordinates(record); // last: the operands' registers are free by then
    StoreInst *publish = b_.CreateAlignedStore(
        b_.getInt32(1), field(record, offsetof(PanicRecord, written)), Align(4));
    publish->setAtomic(AtomicOrdering::Release);
    b_.CreateBr(end);
    end->moveAfter(&fn_.back());
    b_.SetInsertPoint(end);
    hooks_.end(b_, trap);
  }

private:
  BasicBlock *block(const Twine &name) { return BasicBlock::Create(fn_.getContext(), name, &fn_); }
  Value *field(Value *base, uint64_t offset) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), base, offset);
  }
  Value *loadAt(Type *type, Value *base, uint64_t offset, uint64_t align) {
    return b_.CreateAlignedLoad(type, field(base, offset), Align(align));
  }
  void storeAt(Value *value, Value *base, uint64_t offset) {
    const DataLayout &layout = fn_.getDataLayout();
    b_.CreateAlignedStore(value, field(base, offset),
                          Align(layout.getTypeStoreSize(value->getType()).getFixedValue()));
  }
  void branchUnless(Value *cond, BasicBlock *elsewhere, const Twine &name) {
    BasicBlock *next = block(name);
    b_.CreateCondBr(cond, elsewhere, next);
    b_.SetInsertPoint(next);
  }

  /// The record to fill; control goes to `end` where there is no log or no room.
  Value *openRecord(BasicBlock *end) {
    b_.SetInsertPoint(BasicBlock::Create(fn_.getContext(), "entry", &fn_, end));
    Value *context = fn_.getArg(0);
    branchUnless(b_.CreateIsNull(context), end, "context");
    Value *address = loadAt(b_.getInt64Ty(), context, offsetof(LaunchContext, log), 8);
    branchUnless(b_.CreateIsNull(address), end, "log");
    Value *log = b_.CreateAddrSpaceCast(b_.CreateIntToPtr(address, b_.getPtrTy(kGlobalSpace)),
                                        b_.getPtrTy());
    Value *index = hooks_.increment(b_, field(log, offsetof(PanicLog, count)));
    Value *capacity = loadAt(b_.getInt32Ty(), log, offsetof(PanicLog, capacity), 4);
    branchUnless(b_.CreateICmpUGE(index, capacity), end, "record");
    Value *offset =
        b_.CreateMul(b_.CreateZExt(index, b_.getInt64Ty()), b_.getInt64(sizeof(PanicRecord)));
    return b_.CreateInBoundsGEP(b_.getInt8Ty(), field(log, sizeof(PanicLog)), offset);
  }

  void writeCoordinates(Value *record) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      hooks_.storeBlockIdx(b_, static_cast<Axis>(axis),
                           field(record, offsetof(PanicRecord, block) + 4 * axis));
      hooks_.storeThreadIdx(b_, static_cast<Axis>(axis),
                            field(record, offsetof(PanicRecord, thread) + 4 * axis));
    }
  }

  void writeStatic(Value *record) {
    storeAt(fn_.getArg(2), record, offsetof(PanicRecord, operands));
    storeAt(fn_.getArg(3), record, offsetof(PanicRecord, operands) + 8);
    for (uint64_t offset : {offsetof(PanicRecord, dynamic), offsetof(PanicRecord, line),
                            offsetof(PanicRecord, column), offsetof(PanicRecord, fileLength),
                            offsetof(PanicRecord, textLength)})
      storeAt(b_.getInt32(0), record, offset);
  }

  void writeDynamic(Value *record) {
    Value *location = fn_.getArg(2), *text = fn_.getArg(3), *textLength = fn_.getArg(4);
    storeAt(fn_.getArg(5), record, offsetof(PanicRecord, operands));
    storeAt(fn_.getArg(6), record, offsetof(PanicRecord, operands) + 8);
    storeAt(b_.getInt32(1), record, offsetof(PanicRecord, dynamic));
    for (uint64_t offset : {offsetof(PanicRecord, line), offsetof(PanicRecord, column),
                            offsetof(PanicRecord, fileLength)})
      storeAt(b_.getInt32(0), record, offset);
    BasicBlock *rest = block("text");
    branchUnless(b_.CreateIsNull(location), rest, "location");
    storeAt(loadAt(b_.getInt32Ty(), location, kLocationLine, 4), record,
            offsetof(PanicRecord, line));
    storeAt(loadAt(b_.getInt32Ty(), location, kLocationColumn, 4), record,
            offsetof(PanicRecord, column));
    copyText(loadAt(b_.getPtrTy(), location, kLocationFile, 8),
             loadAt(b_.getInt64Ty(), location, kLocationFileLength, 8), record,
             offsetof(PanicRecord, file), offsetof(PanicRecord, fileLength), abi::kPanicFileBytes);
    b_.CreateBr(rest);
    rest->moveAfter(&fn_.back());
    b_.SetInsertPoint(rest);
    copyText(text, textLength, record, offsetof(PanicRecord, text),
             offsetof(PanicRecord, textLength), abi::kPanicTextBytes);
  }

  /// Copies at most `limit` bytes and stores how many; a null `source` has none.
  void copyText(Value *source, Value *length, Value *record, uint64_t offset, uint64_t lengthOffset,
                uint32_t limit) {
    Value *zero = b_.getInt64(0);
    Value *count =
        b_.CreateSelect(b_.CreateIsNull(source), zero,
                        b_.CreateBinaryIntrinsic(Intrinsic::umin, length, b_.getInt64(limit)));
    storeAt(b_.CreateTrunc(count, b_.getInt32Ty()), record, lengthOffset);
    BasicBlock *before = b_.GetInsertBlock(), *loop = block("copy"), *done = block("copied");
    b_.CreateCondBr(b_.CreateIsNull(count), done, loop);
    b_.SetInsertPoint(loop);
    PHINode *i = b_.CreatePHI(b_.getInt64Ty(), 2);
    Value *byte = b_.CreateAlignedLoad(b_.getInt8Ty(),
                                       b_.CreateInBoundsGEP(b_.getInt8Ty(), source, i), Align(1));
    b_.CreateAlignedStore(byte, b_.CreateInBoundsGEP(b_.getInt8Ty(), field(record, offset), i),
                          Align(1));
    Value *next = b_.CreateAdd(i, b_.getInt64(1));
    i->addIncoming(zero, before);
    i->addIncoming(next, loop);
    b_.CreateCondBr(b_.CreateICmpEQ(next, count), done, loop);
    b_.SetInsertPoint(done);
  }

  Function &fn_;
  const GpuPanicHooks &hooks_;
  IRBuilder<> b_;
};
} // namespace

void setPanicAttributes(Function &fn) {
  fn.setLinkage(GlobalValue::InternalLinkage);
  fn.removeFnAttr(Attribute::Convergent);
  fn.removeFnAttr(Attribute::AlwaysInline);
  for (auto kind : {Attribute::NoReturn, Attribute::Cold, Attribute::NoInline, Attribute::NoUnwind})
    fn.addFnAttr(kind);
}

/// Sends the calls of `fn` that stand in `trapping` to a variant that traps, which is made when
/// there is one.
static void defineOne(Module &module, StringRef name, const SetVector<Function *> &trapping,
                      const GpuPanicHooks &hooks) {
  Function *fn = module.getFunction(name);
  if (!fn || !fn->isDeclaration())
    return;
  Function *trap = nullptr;
  for (User *user : make_early_inc_range(fn->users())) {
    auto *call = dyn_cast<CallBase>(user);
    if (!call || !trapping.contains(call->getFunction()))
      continue;
    if (!trap)
      trap = Function::Create(fn->getFunctionType(), GlobalValue::InternalLinkage, name + ".trap",
                              module);
    call->setCalledFunction(trap);
  }
  if (trap) {
    setPanicAttributes(*trap);
    PanicBody(*trap, hooks).write(true);
  }
  if (fn->use_empty()) {
    fn->eraseFromParent();
    return;
  }
  setPanicAttributes(*fn);
  PanicBody(*fn, hooks).write(false);
}

void defineGpuPanics(Module &module, const SetVector<Function *> &trapping,
                     const GpuPanicHooks &hooks) {
  defineOne(module, kPanic, trapping, hooks);
  defineOne(module, kPanicDynamic, trapping, hooks);
}

} // namespace mirgpu::codegen
