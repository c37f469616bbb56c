// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop over the threads of some blocks:
//   for bx, by, bz from block->blockIdx on, block->blocks times:
//     for z, y, x, in the first block from block->firstThread on:
//       mirgpu.lane.k(args, call @mirgpu.lane_context(
//                               call @mirgpu.block_context(block, bx, by, bz), x, y, z, linear))
// x in one run or a few, whose ends thread_ranges.h decides.
// The contexts' places in memory are asked for by name until the passes are over: an index that the
// inlined body reads from them is a loop's own, which LLVM can reason about (a load from
// block->lanes[linear] it could not). What remains, in panics and calls that were not inlined, is
// given its address in the end. For those block->blockIdx is kept up to date in memory.
#include "codegen/host/thread_loop.h"

#include "codegen/host/thread_ranges.h"
#include "codegen/kernels.h"
#include "codegen/version_checks.h"
#include "intrinsics/emitters.h"
#include "support/check.h"
#include "support/cpu_abi.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace mirgpu::codegen::host {

using abi::BlockContext;
using abi::LaneContext;
using intrinsics::host::emitField;

static constexpr StringLiteral kLaneContext = "mirgpu.lane_context";

// ---- Making the loop ---------------------------------------------------------------------------

static constexpr StringLiteral kBlockContext = "mirgpu.block_context";

static Function *blockContext(Module &module) {
  LLVMContext &context = module.getContext();
  Type *ptr = PointerType::get(context, 0), *word = Type::getInt32Ty(context);
  auto *type = FunctionType::get(ptr, {ptr, word, word, word}, false);
  auto *fn = cast<Function>(module.getOrInsertFunction(kBlockContext, type).getCallee());
  fn->setDoesNotAccessMemory();
  fn->setDoesNotThrow();
  fn->setWillReturn();
  fn->addRetAttr(Attribute::NonNull);
  fn->addRetAttr(Attribute::NoUndef);
  fn->addRetAttr(Attribute::getWithAlignment(context, Align(alignof(BlockContext))));
  fn->addRetAttr(Attribute::getWithDereferenceableBytes(context, sizeof(BlockContext)));
  return fn;
}

static Function *laneContext(Module &module) {
  LLVMContext &context = module.getContext();
  Type *ptr = PointerType::get(context, 0), *word = Type::getInt32Ty(context);
  auto *type = FunctionType::get(ptr, {ptr, word, word, word, word}, false);
  auto *fn = cast<Function>(module.getOrInsertFunction(kLaneContext, type).getCallee());
  fn->setDoesNotAccessMemory();
  fn->setDoesNotThrow();
  fn->setWillReturn();
  fn->addRetAttr(Attribute::NonNull);
  fn->addRetAttr(Attribute::NoUndef);
  fn->addRetAttr(Attribute::getWithAlignment(context, Align(alignof(LaneContext))));
  fn->addRetAttr(Attribute::getWithDereferenceableBytes(context, sizeof(LaneContext)));
  return fn;
}

namespace {
/// Builds the four loops, from the first thread to run.
class LoopBuilder {
public:
  LoopBuilder(Function &entry)
      : entry_(entry), context_(entry.getContext()),
        builder_(BasicBlock::Create(context_, "entry", &entry)) {}

  void build(Function &lane) {
    Argument *args = entry_.getArg(0), *block = entry_.getArg(1);
    for (unsigned axis = 0; axis < 3; ++axis)
      size_[axis] = dimension(block, axis);
    Value *count = variable(block, offsetof(BlockContext, blocks), "blocks");
    Value *firstThread = variable(block, offsetof(BlockContext, firstThread), "first.thread");
    Value *firstIndex[3], *grid[2];
    for (unsigned axis = 0; axis < 3; ++axis)
      firstIndex[axis] =
          variable(block, offsetof(BlockContext, blockIdx) + 4 * axis, "block.first");
    for (unsigned axis = 0; axis < 2; ++axis)
      grid[axis] = emitField(builder_, builder_.getInt32Ty(), block,
                             offsetof(BlockContext, gridDim) + 4 * axis);
    BasicBlock *start = builder_.GetInsertBlock(), *blockLoop = make("block"),
               *blockNext = make("block.next"), *over = make("over");
    builder_.CreateBr(blockLoop);

    builder_.SetInsertPoint(blockLoop);
    PHINode *index[3] = {phi("block.x"), phi("block.y"), phi("block.z")};
    PHINode *left = phi("left"), *first = phi("first");
    for (unsigned axis = 0; axis < 3; ++axis)
      index[axis]->addIncoming(firstIndex[axis], start);
    left->addIncoming(count, start);
    first->addIncoming(firstThread, start);
    Value *own = builder_.CreateCall(blockContext(*entry_.getParent()),
                                     {block, index[0], index[1], index[2]}, "own");
    BasicBlock *entryBlock = builder_.GetInsertBlock();
    BasicBlock *resume = make("resume"), *z = make("z"), *y = make("y"), *run = make("run"),
               *x = make("x"), *runNext = make("run.next"), *yNext = make("y.next"),
               *zNext = make("z.next"), *done = make("done");
    // Divisions are slow and few blocks are resumed.
    builder_.CreateCondBr(builder_.CreateIsNull(first), z, resume,
                          MDBuilder(context_).createLikelyBranchWeights());
    builder_.SetInsertPoint(resume);
    Value *rows = builder_.CreateUDiv(first, size_[0]);
    Value *resumed[3] = {builder_.CreateURem(first, size_[0]), builder_.CreateURem(rows, size_[1]),
                         builder_.CreateUDiv(rows, size_[1])};
    builder_.CreateBr(z);

    builder_.SetInsertPoint(z);
    PHINode *zIndex = phi("z"), *yBegin = phi("y.begin"), *xBegin = phi("x.begin");
    PHINode *begins[3] = {xBegin, yBegin, zIndex};
    for (unsigned axis = 0; axis < 3; ++axis) {
      begins[axis]->addIncoming(builder_.getInt32(0), entryBlock);
      begins[axis]->addIncoming(resumed[axis], resume);
    }
    builder_.CreateBr(y);

    builder_.SetInsertPoint(y);
    PHINode *yIndex = phi("y"), *xFirst = phi("x.first");
    yIndex->addIncoming(yBegin, z);
    xFirst->addIncoming(xBegin, z);
    Value *row = builder_.CreateNUWMul(
        builder_.CreateNUWAdd(builder_.CreateNUWMul(zIndex, size_[1]), yIndex), size_[0], "row");
    builder_.CreateBr(run);

    builder_.SetInsertPoint(run);
    PHINode *begin = phi("begin");
    begin->addIncoming(xFirst, y);
    Value *end = emitThreadRange(builder_, begin, size_[0]);
    builder_.CreateBr(x);

    builder_.SetInsertPoint(x);
    PHINode *xIndex = phi("x");
    xIndex->addIncoming(begin, run);
    Value *linear = builder_.CreateNUWAdd(row, xIndex, "thread");
    Value *thread = builder_.CreateCall(laneContext(*entry_.getParent()),
                                        {own, xIndex, yIndex, zIndex, linear}, "lane");
    builder_.CreateCall(&lane, {args, thread});
    markThreadLoop(*close(xIndex, end, x, runNext));

    builder_.SetInsertPoint(runNext);
    begin->addIncoming(end, runNext);
    builder_.CreateCondBr(builder_.CreateICmpULT(end, size_[0]), run, yNext);

    builder_.SetInsertPoint(yNext);
    xFirst->addIncoming(builder_.getInt32(0), yNext);
    close(yIndex, size_[1], y, zNext);

    builder_.SetInsertPoint(zNext);
    yBegin->addIncoming(builder_.getInt32(0), zNext);
    xBegin->addIncoming(builder_.getInt32(0), zNext);
    close(zIndex, size_[2], z, done);

    builder_.SetInsertPoint(done);
    builder_.CreateCondBr(builder_.CreateICmpEQ(left, builder_.getInt32(1)), over, blockNext);

    builder_.SetInsertPoint(blockNext);
    left->addIncoming(builder_.CreateNUWSub(left, builder_.getInt32(1)), blockNext);
    first->addIncoming(builder_.getInt32(0), blockNext);
    step(block, index, grid);
    builder_.CreateBr(blockLoop);

    builder_.SetInsertPoint(over);
    builder_.CreateRetVoid();
  }

private:
  BasicBlock *make(const char *name) { return BasicBlock::Create(context_, name, &entry_); }
  PHINode *phi(const char *name) { return builder_.CreatePHI(builder_.getInt32Ty(), 2, name); }

  Value *dimension(Value *block, unsigned axis) {
    auto *load = cast<LoadInst>(emitField(builder_, builder_.getInt32Ty(), block,
                                          offsetof(BlockContext, blockDim) + 4 * axis));
    load->setMetadata(
        LLVMContext::MD_range,
        MDBuilder(context_).createRange(APInt(32, 1), APInt(32, intrinsics::kMaxBlockThreads + 1)));
    return load;
  }

  /// A field that changes while the entry runs.
  Value *variable(Value *block, uint64_t offset, const char *name) {
    return builder_.CreateAlignedLoad(
        builder_.getInt32Ty(),
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), block, offset), Align(4), name);
  }

  /// Goes on to the next block of the grid, in memory too.
  void step(Value *block, PHINode *const (&index)[3], Value *const (&grid)[2]) {
    Value *carry = builder_.getInt32(1);
    for (unsigned axis = 0; axis < 3; ++axis) {
      Value *next = builder_.CreateAdd(index[axis], carry);
      if (axis < 2) {
        Value *wraps = builder_.CreateICmpEQ(next, grid[axis]);
        next = builder_.CreateSelect(wraps, builder_.getInt32(0), next);
        carry = builder_.CreateZExt(wraps, builder_.getInt32Ty());
      }
      index[axis]->addIncoming(next, builder_.GetInsertBlock());
      builder_.CreateAlignedStore(
          next,
          builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), block,
                                              offsetof(BlockContext, blockIdx) + 4 * axis),
          Align(4));
    }
  }

  /// Steps `index`, and goes round to `header` while it is below `end`.
  BranchInst *close(PHINode *index, Value *end, BasicBlock *header, BasicBlock *out) {
    Value *next = builder_.CreateAdd(index, builder_.getInt32(1), "", true, true);
    index->addIncoming(next, builder_.GetInsertBlock());
    return builder_.CreateCondBr(builder_.CreateICmpULT(next, end), header, out);
  }

  void markThreadLoop(BranchInst &latch) {
    MDNode *mark = MDNode::get(context_, MDString::get(context_, kThreadLoop));
    auto self = MDNode::getTemporary(context_, {});
    MDNode *id = MDNode::getDistinct(context_, {self.get(), mark});
    id->replaceOperandWith(0, id);
    latch.setMetadata(LLVMContext::MD_loop, id);
  }

  Function &entry_;
  LLVMContext &context_;
  IRBuilder<> builder_;
  Value *size_[3] = {};
};
} // namespace

std::string makeThreadLoop(Module &module, const lowering::LoweredKernel &kernel, Function &lane) {
  LLVMContext &context = module.getContext();
  Type *ptr = PointerType::get(context, 0);
  std::string name = kernel.entry + abi::kT0Suffix;
  Function *entry = Function::Create(FunctionType::get(Type::getVoidTy(context), {ptr, ptr}, false),
                                     GlobalValue::ExternalLinkage, name, module);
  MIRGPU_CHECK(entry->getName() == name, "a kernel has two T0 entries");
  entry->addFnAttr(Attribute::NoUnwind);
  entry->getArg(0)->setName("args");
  entry->getArg(1)->setName("block");
  entry->addParamAttr(1, Attribute::getWithAlignment(context, Align(alignof(BlockContext))));
  entry->addParamAttr(1, Attribute::getWithDereferenceableBytes(context, sizeof(BlockContext)));
  lane.addFnAttr(Attribute::AlwaysInline);
  LoopBuilder(*entry).build(lane);
  adoptScopeOf(*entry, lane);
  return name;
}

std::string makeReason(Module &module, const lowering::LoweredKernel &kernel, StringRef reason) {
  std::string name = kernel.entry + abi::kT0WhySuffix;
  Constant *text = ConstantDataArray::getString(module.getContext(), reason);
  new GlobalVariable(module, text->getType(), true, GlobalValue::ExternalLinkage, text, name);
  return name;
}

// ---- Indices in place of their loads -----------------------------------------------------------

/// What `load` reads at `offset` of the context that `call` names; null if the loop has no value
/// for it.
static Value *fieldOf(CallInst &call, const LoadInst &load, uint64_t offset) {
  bool isWord = load.getType()->isIntegerTy(32);
  if (offset == offsetof(LaneContext, block) && load.getType()->isPointerTy())
    return call.getArgOperand(0);
  for (unsigned axis = 0; axis < 3; ++axis)
    if (isWord && offset == offsetof(LaneContext, threadIdx) + 4 * axis)
      return call.getArgOperand(1 + axis);
  if (!isWord || offset != offsetof(LaneContext, laneId))
    return nullptr;
  IRBuilder<> builder(&call);
  return builder.CreateAnd(call.getArgOperand(4), 31, "lane.id");
}

/// Replaces the loads below `address`, which lies `offset` bytes into the context.
static bool replaceLoads(CallInst &call, Value &address, uint64_t offset,
                         const DataLayout &layout) {
  bool changed = false;
  for (User *user : make_early_inc_range(address.users())) {
    if (auto *load = dyn_cast<LoadInst>(user)) {
      if (Value *field = fieldOf(call, *load, offset)) {
        load->replaceAllUsesWith(field);
        load->eraseFromParent();
        changed = true;
      }
    } else if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
      APInt distance(64, 0);
      if (gep->getPointerOperand() == &address && gep->accumulateConstantOffset(layout, distance))
        changed |= replaceLoads(call, *gep, offset + distance.getZExtValue(), layout);
    }
  }
  return changed;
}

static SmallVector<CallInst *> callsIn(Function &fn, StringRef name) {
  SmallVector<CallInst *> found;
  for (Instruction &inst : instructions(fn))
    if (auto *call = dyn_cast<CallInst>(&inst);
        call && call->getCalledFunction() && call->getCalledFunction()->getName() == name)
      found.push_back(call);
  return found;
}

/// Whether `bytes` at `offset` of the block's context change from block to block.
static bool changes(uint64_t offset, uint64_t bytes) {
  auto overlaps = [&](uint64_t begin, uint64_t end) {
    return offset < end && offset + bytes > begin;
  };
  return overlaps(offsetof(BlockContext, blockIdx), offsetof(BlockContext, blockDim)) ||
         overlaps(offsetof(BlockContext, firstThread), sizeof(BlockContext));
}

/// Gives the loads below `address`, which lies `offset` bytes into the block's context that `call`
/// names, the block's index, or what does not change an address that does not either. Says again
/// that it does not change: passes that move a load into a caller leave that out.
static bool replaceBlockLoads(CallInst &call, Value &address, uint64_t offset,
                              const DataLayout &layout) {
  bool changed = false;
  for (User *user : make_early_inc_range(address.users())) {
    if (auto *load = dyn_cast<LoadInst>(user)) {
      uint64_t axis = (offset - offsetof(BlockContext, blockIdx)) / 4;
      IRBuilder<> builder(load);
      if (load->getType()->isIntegerTy(32) && axis < 3 && offset % 4 == 0) {
        load->replaceAllUsesWith(call.getArgOperand(1 + axis));
        load->eraseFromParent();
        changed = true;
      } else if (!changes(offset, layout.getTypeStoreSize(load->getType()))) {
        load->setOperand(0, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                               call.getArgOperand(0), offset));
        load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(load->getContext(), {}));
        changed = true;
      }
    } else if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
      APInt distance(64, 0);
      if (gep->getPointerOperand() == &address && gep->accumulateConstantOffset(layout, distance))
        changed |= replaceBlockLoads(call, *gep, offset + distance.getZExtValue(), layout);
    }
  }
  return changed;
}

static bool useIndices(Function &fn) {
  bool changed = false;
  for (CallInst *call : callsIn(fn, kLaneContext))
    changed |= replaceLoads(*call, *call, 0, fn.getDataLayout());
  for (CallInst *call : callsIn(fn, kBlockContext))
    changed |= replaceBlockLoads(*call, *call, 0, fn.getDataLayout());
  return changed;
}

/// Loads below `address`, of a block's context, may differ from block to block.
static void dropInvariance(Value &address) {
  for (User *user : address.users()) {
    if (auto *load = dyn_cast<LoadInst>(user))
      load->setMetadata(LLVMContext::MD_invariant_load, nullptr);
    else if (isa<GetElementPtrInst>(user))
      dropInvariance(*user);
  }
}

static void lowerBlocks(Module &module) {
  Function *context = module.getFunction(kBlockContext);
  if (!context)
    return;
  for (User *user : make_early_inc_range(context->users())) {
    auto &call = *cast<CallInst>(user);
    replaceBlockLoads(call, call, 0, module.getDataLayout());
    dropInvariance(call);
    call.replaceAllUsesWith(call.getArgOperand(0));
    call.eraseFromParent();
  }
  context->eraseFromParent();
}

void lowerLanes(Module &module) {
  lowerThreadRanges(module);
  Function *context = module.getFunction(kLaneContext);
  if (!context)
    return lowerBlocks(module);
  for (User *user : make_early_inc_range(context->users())) {
    auto &call = *cast<CallInst>(user);
    replaceLoads(call, call, 0, module.getDataLayout());
    IRBuilder<> builder(&call);
    Value *lanes = emitField(builder, builder.getPtrTy(), call.getArgOperand(0),
                             offsetof(BlockContext, lanes));
    Value *bytes =
        builder.CreateNUWMul(builder.CreateZExt(call.getArgOperand(4), builder.getInt64Ty()),
                             builder.getInt64(sizeof(LaneContext)));
    call.replaceAllUsesWith(builder.CreateInBoundsPtrAdd(lanes, bytes));
    call.eraseFromParent();
  }
  context->eraseFromParent();
  lowerBlocks(module);
}

// ---- Passes ------------------------------------------------------------------------------------

namespace {
struct UseIndices : PassInfoMixin<UseIndices> {
  PreservedAnalyses run(Function &fn, FunctionAnalysisManager &) {
    if (!useIndices(fn))
      return PreservedAnalyses::all();
    PreservedAnalyses kept;
    kept.preserveSet<CFGAnalyses>();
    return kept;
  }
};

/// Says of thread loops that their iterations are independent (thread_loop.h), if the function has
/// no memory of its own left and nothing in the loop orders memory.
struct IndependentThreads : PassInfoMixin<IndependentThreads> {
  static bool usesLocals(Function &fn) {
    return any_of(instructions(fn), [](Instruction &inst) { return isa<AllocaInst>(inst); });
  }

  /// Atomics and fences, volatile accesses, and calls that may hold them.
  static bool ordersMemory(const Loop &loop) {
    return any_of(loop.blocks(), [](const BasicBlock *block) {
      return any_of(*block, [](const Instruction &inst) {
        bool isCall = isa<CallBase>(inst) && !isa<NoAliasScopeDeclInst, AssumeInst>(inst);
        return inst.isAtomic() || inst.isVolatile() || (isCall && inst.mayReadOrWriteMemory());
      });
    });
  }

  static void mark(Loop &loop, LLVMContext &context) {
    MDNode *group = MDNode::getDistinct(context, {});
    for (BasicBlock *block : loop.blocks())
      for (Instruction &inst : *block)
        if (inst.mayReadOrWriteMemory())
          inst.setMetadata(LLVMContext::MD_access_group, group);
    MDNode *accesses =
        MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), group});
    SmallVector<Metadata *, 8> parts{nullptr, accesses};
    if (MDNode *id = loop.getLoopID())
      append_range(parts, drop_begin(id->operands()));
    MDNode *id = MDNode::getDistinct(context, parts);
    id->replaceOperandWith(0, id);
    loop.setLoopID(id);
  }

  PreservedAnalyses run(Function &fn, FunctionAnalysisManager &analyses) {
    if (usesLocals(fn))
      return PreservedAnalyses::all();
    for (Loop *loop : analyses.getResult<LoopAnalysis>(fn).getLoopsInPreorder())
      if (findOptionMDForLoop(loop, kThreadLoop) && !ordersMemory(*loop))
        mark(*loop, fn.getContext());
    PreservedAnalyses kept;
    kept.preserveSet<CFGAnalyses>();
    return kept;
  }
};

struct LowerLanes : PassInfoMixin<LowerLanes> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    lowerLanes(module);
    PreservedAnalyses kept;
    kept.preserveSet<CFGAnalyses>();
    return kept;
  }
};
} // namespace

void addThreadLoopPasses(PassBuilder &builder) {
  builder.registerPeepholeEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) { passes.addPass(UseIndices()); });
  builder.registerLateLoopOptimizationsEPCallback([](LoopPassManager &passes, OptimizationLevel) {
    passes.addPass(VersionChecks(true));
    passes.addPass(ThreadRanges());
  });
  builder.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) {
        passes.addPass(LowerLanes());
      });
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) { passes.addPass(IndependentThreads()); });
}

} // namespace mirgpu::codegen::host
