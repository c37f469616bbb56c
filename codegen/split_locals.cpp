// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See split_locals.h. Invariant: a local is split only where every use is a load, a store, a copy,
// a fill or a lifetime marker at an offset that is known to lie in one part, by the ranges of
// indices that hold where the address is made.
#include "codegen/split_locals.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace mirgpu::codegen {

/// Locals larger than this are tables, not records.
static constexpr uint64_t kMaxBytes = 4096;

namespace {
/// A pointer into the local: `at` constant bytes and at most one index of `scale` bytes from it.
struct Address {
  uint64_t at = 0;
  Value *index = nullptr;
  uint64_t scale = 0;
  ConstantRange range{64, false}; ///< of `index`
};

/// One load or store, or one end of a copy or fill.
struct Access {
  Instruction *inst;
  unsigned operand; ///< of the address
  Address address;
  uint64_t begin, end; ///< the bytes that it may touch
  Align align;
};

struct Part {
  uint64_t begin, end;
  Align align; ///< the largest that an access counts on
  Type *type;  ///< of each access, if all are of one type at `begin`; else null
  AllocaInst *local = nullptr;
};

class Splitter {
public:
  Splitter(AllocaInst &local, LazyValueInfo &ranges)
      : local_(local), layout_(local.getDataLayout()), ranges_(ranges),
        size_(local.getAllocationSize(layout_)->getFixedValue()) {}

  /// Splits the local; adds the parts to `made`. False if it stays as it is.
  bool run(SmallVectorImpl<AllocaInst *> &made) {
    if (!collect(local_, {}, 0) || accesses_.empty())
      return false;
    bool isIndexed = any_of(accesses_, [](const Access &access) { return access.address.index; });
    makeParts();
    if (!isIndexed || parts_.size() < 2)
      return false;
    for (Instruction *marker : markers_)
      marker->eraseFromParent();
    for (Part &part : parts_) {
      makeLocal(part);
      made.push_back(part.local);
    }
    for (Access &access : accesses_)
      rewrite(access);
    return true;
  }

private:
  bool collect(Instruction &pointer, Address address, unsigned depth) {
    if (depth > 4)
      return false;
    for (Use &use : pointer.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (auto *marker = dyn_cast<LifetimeIntrinsic>(user)) {
        markers_.push_back(marker);
        continue;
      }
      if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
        Address next = address;
        if (!step(*gep, next) || !collect(*gep, next, depth + 1))
          return false;
        continue;
      }
      std::optional<std::pair<uint64_t, Align>> access = accessAt(use);
      if (!access || !add(use, address, access->first, access->second))
        return false;
    }
    return true;
  }

  /// Bytes and alignment of an access through `use`; none if it is another use.
  std::optional<std::pair<uint64_t, Align>> accessAt(const Use &use) const {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *memory = dyn_cast<MemIntrinsic>(user)) {
      auto *length = dyn_cast<ConstantInt>(memory->getLength());
      auto *copy = dyn_cast<MemTransferInst>(memory);
      if (!length || memory->isVolatile() || use.getOperandNo() > (copy ? 1u : 0u))
        return std::nullopt;
      MaybeAlign align = use.getOperandNo() == 0 ? memory->getDestAlign() : copy->getSourceAlign();
      return std::pair(length->getZExtValue(), align.valueOrOne());
    }
    auto *load = dyn_cast<LoadInst>(user);
    auto *store = dyn_cast<StoreInst>(user);
    bool isAddress = load || (store && use.getOperandNo() == 1);
    if (!isAddress || !(load ? load->isSimple() : store->isSimple()))
      return std::nullopt;
    return std::pair(layout_.getTypeStoreSize(getLoadStoreType(user)).getFixedValue(),
                     getLoadStoreAlignment(user));
  }

  /// Adds what `gep` adds to `address`; false if that is not understood.
  bool step(GetElementPtrInst &gep, Address &address) {
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(64, 0);
    if (!gep.isInBounds() || !gep.collectOffset(layout_, 64, variable, constant) ||
        constant.isNegative() || variable.size() > (address.index ? 0u : 1u))
      return false;
    address.at += constant.getZExtValue();
    if (variable.empty())
      return true;
    auto &[index, scale] = variable.front();
    if (!index->getType()->isIntegerTy(64) || scale.isNegative())
      return false;
    address.index = index;
    address.scale = scale.getZExtValue();
    address.range = ranges_.getConstantRange(index, &gep, /*UndefAllowed=*/false);
    return true;
  }

  bool add(Use &use, const Address &address, uint64_t bytes, Align align) {
    auto *inst = cast<Instruction>(use.getUser());
    uint64_t first = 0, last = 0;
    if (address.index) {
      if (address.range.isFullSet() || address.range.isEmptySet() ||
          address.range.getUnsignedMax().ugt(kMaxBytes))
        return false;
      first = address.range.getUnsignedMin().getZExtValue() * address.scale;
      last = address.range.getUnsignedMax().getZExtValue() * address.scale;
    }
    Access access{inst, use.getOperandNo(), address, address.at + first, address.at + last + bytes,
                  align};
    if (access.end > size_)
      return false;
    accesses_.push_back(access);
    return true;
  }

  void makeParts() {
    SmallVector<Access *, 32> sorted;
    for (Access &access : accesses_)
      sorted.push_back(&access);
    sort(sorted, [](const Access *a, const Access *b) {
      return std::tie(a->begin, a) < std::tie(b->begin, b);
    });
    for (Access *access : sorted) {
      bool isPlain = !access->address.index && !isa<MemIntrinsic>(access->inst);
      Type *type = isPlain ? getLoadStoreType(access->inst) : nullptr;
      if (parts_.empty() || access->begin >= parts_.back().end) {
        parts_.push_back({access->begin, access->end, access->align, type});
        continue;
      }
      Part &part = parts_.back();
      part.align = std::max(part.align, access->align);
      if (part.begin != access->begin || part.type != type)
        part.type = nullptr;
      part.end = std::max(part.end, access->end);
    }
  }

  void makeLocal(Part &part) {
    IRBuilder<> builder(&local_);
    if (uint64_t begin = alignDown(part.begin, part.align.value()); begin != part.begin) {
      part.begin = begin; // so that offsets in the part are aligned as they were in the whole
      part.type = nullptr;
    }
    Type *type = part.type ? part.type : ArrayType::get(builder.getInt8Ty(), part.end - part.begin);
    part.local = builder.CreateAlloca(type, local_.getAddressSpace(), nullptr,
                                      local_.getName() + "." + Twine(part.begin));
    part.local->setAlignment(part.align);
  }

  void rewrite(Access &access) {
    Part &part = *find_if(parts_, [&](const Part &p) { return access.begin < p.end; });
    IRBuilder<> builder(access.inst);
    Value *pointer = part.local;
    // `at` may stand before the part where the index never is 0: the index first, then the rest.
    if (access.address.index)
      pointer = builder.CreateGEP(ArrayType::get(builder.getInt8Ty(), access.address.scale),
                                  pointer, access.address.index);
    if (access.address.at != part.begin)
      pointer = builder.CreateGEP(
          builder.getInt8Ty(), pointer,
          builder.getInt64(static_cast<uint64_t>(access.address.at - part.begin)));
    access.inst->setOperand(access.operand, pointer);
  }

  AllocaInst &local_;
  const DataLayout &layout_;
  LazyValueInfo &ranges_;
  uint64_t size_;
  SmallVector<Access, 32> accesses_;
  SmallVector<Instruction *, 4> markers_;
  SmallVector<Part, 8> parts_;
};
} // namespace

static bool isCandidate(const AllocaInst &local) {
  std::optional<TypeSize> size = local.getAllocationSize(local.getDataLayout());
  return local.isStaticAlloca() && size && size->getFixedValue() <= kMaxBytes &&
         !isAllocaPromotable(&local);
}

PreservedAnalyses SplitLocals::run(Function &fn, FunctionAnalysisManager &functions) {
  SmallVector<AllocaInst *, 8> locals, made;
  for (Instruction &inst : fn.getEntryBlock())
    if (auto *local = dyn_cast<AllocaInst>(&inst); local && isCandidate(*local))
      locals.push_back(local);
  if (locals.empty())
    return PreservedAnalyses::all();
  LazyValueInfo &ranges = functions.getResult<LazyValueAnalysis>(fn);
  for (AllocaInst *local : locals)
    Splitter(*local, ranges).run(made);
  if (made.empty())
    return PreservedAnalyses::all();
  SmallVector<AllocaInst *, 8> registers;
  for (AllocaInst *local : made)
    if (isAllocaPromotable(local))
      registers.push_back(local);
  DominatorTree tree(fn);
  PromoteMemToReg(registers, tree, &functions.getResult<AssumptionAnalysis>(fn));
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

} // namespace mirgpu::codegen
