// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every part of the verifier shares: the program, the way to what is being looked at, and the
// first rule that was broken. A rule is `check(condition, "what was expected, and what is there")`;
// the message is built only when the rule is broken.
#pragma once

#include "mir_reader/query.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mirgpu::mir {

class Verifier {
public:
  explicit Verifier(const Program &prog) : program(prog) {}

  const Program &program;

  /// True if `holds`; else keeps the message (unless one was kept before) and answers false.
  bool check(bool holds, const llvm::Twine &message) {
    if (!holds) [[unlikely]]
      fail(message);
    return holds;
  }
  void fail(const llvm::Twine &message);
  bool failed() const { return failed_; }
  llvm::Error takeError();

  /// Whether `id` names an element of `table`; `what` names it in the message.
  template <class IdT, class T>
  bool inRange(const IndexedVector<IdT, T> &table, IdT id, const char *what) {
    return table.contains(id) || outOfRange(id.index, table.size(), what);
  }
  /// As `inRange`; the invalid id is right too.
  template <class IdT, class T>
  bool inRangeOrNone(const IndexedVector<IdT, T> &table, IdT id, const char *what) {
    return !id.isValid() || inRange(table, id, what);
  }
  bool type(TypeId id) { return inRange(program.types, id, "type"); }
  bool function(FunctionId id) { return inRange(program.functions, id, "function"); }
  bool functionOrNone(FunctionId id) { return inRangeOrNone(program.functions, id, "function"); }
  bool span(SpanId id) { return inRangeOrNone(program.spans, id, "span"); }
  bool alloc(AllocId id) { return inRange(program.allocs, id, "alloc"); }

  /// The type's name for a message.
  llvm::StringRef name(TypeId id) const { return text(program.types[id].name); }

  /// One step of the way, for as long as it lives.
  class At {
  public:
    At(Verifier &verifier, const char *step) : verifier_(verifier) {
      verifier_.path_.push_back({step, kNoIndex});
    }
    At(Verifier &verifier, const char *step, uint64_t index) : verifier_(verifier) {
      verifier_.path_.push_back({step, index});
    }
    At(const At &) = delete;
    ~At() { verifier_.path_.pop_back(); }

  private:
    Verifier &verifier_;
  };

private:
  static constexpr uint64_t kNoIndex = UINT64_MAX;
  struct Step {
    const char *name;
    uint64_t index;
  };

  bool outOfRange(uint32_t index, size_t size, const char *what);

  llvm::SmallVector<Step, 8> path_;
  bool failed_ = false;
  std::string error_;
};

/// The largest value of `bits` bits, at most 128.
inline u128 maxOfBits(uint32_t bits) { return bits >= 128 ? ~u128(0) : (u128(1) << bits) - 1; }
inline bool isPowerOfTwo(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

// The parts, in the order in which verify.cpp calls them; each relies on those before.

/// verify_program.cpp: files, spans, and what else has no part of its own.
void verifySpans(Verifier &verifier);
void verifyKernels(Verifier &verifier);
void verifyTests(Verifier &verifier);
void verifySymbols(Verifier &verifier);
/// verify_types.cpp: every id in every type; the shape that a kind prescribes.
void verifyTypeIds(Verifier &verifier);
void verifyTypeKinds(Verifier &verifier);
/// verify_nesting.cpp: no type contains itself by value.
void verifyNesting(Verifier &verifier);
/// verify_layout.cpp: sizes, representation, fields, encoding.
void verifyLayout(Verifier &verifier, const Type &type);
/// verify_encoding.cpp.
void verifyEncoding(Verifier &verifier, const Type &type);
bool verifyScalar(Verifier &verifier, const Scalar &scalar);
/// verify_memory.cpp.
void verifyAllocs(Verifier &verifier);
void verifyStatics(Verifier &verifier);
void verifyVtables(Verifier &verifier);
void verifyConstant(Verifier &verifier, const Constant &constant);
/// verify_function.cpp: signatures (before the bodies, which refer to them), then bodies.
void verifySignature(Verifier &verifier, const Function &function);
void verifyBody(Verifier &verifier, const Function &function);

} // namespace mirgpu::mir
