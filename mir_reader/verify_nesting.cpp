// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No type contains itself by value, and nesting is limited (kMaxTypeDepth), so that whoever walks a
// type by recursion ends and does not exhaust the stack. The walk here keeps its own stack, since
// its input is not yet known to be sane.
#include "mir_reader/verifier.h"
#include "mir_reader/verify_context.h"

#include "support/match.h"

namespace mirgpu::mir {

/// The types whose values are part of a value of `type`.
static std::vector<TypeId> partsOf(const Type &type) {
  std::vector<TypeId> parts;
  if (const auto *array = std::get_if<TyArray>(&type.kind))
    parts.push_back(array->elem);
  if (const auto *slice = std::get_if<TySlice>(&type.kind))
    parts.push_back(slice->elem);
  if (const auto *pattern = std::get_if<TyPattern>(&type.kind))
    parts.push_back(pattern->base);
  if (const auto *binder = std::get_if<TyUnsafeBinder>(&type.kind))
    parts.push_back(binder->inner);
  for (const Variant &variant : type.variants)
    for (const Field &field : variant.fields)
      parts.push_back(field.ty);
  return parts;
}

namespace {
enum class State : uint8_t { New, Open, Done };

struct Frame {
  TypeId ty;
  std::vector<TypeId> parts;
  size_t next = 0;
};

/// A depth-first walk; `depth` of a type that is done is the number of levels in it.
class NestingWalk {
public:
  explicit NestingWalk(Verifier &v)
      : v_(v), state_(v.program.types.size(), State::New), depth_(v.program.types.size(), 1) {}

  void from(TypeId root) {
    if (state_[root.index] == State::New)
      open(root);
    while (!stack_.empty() && !v_.failed())
      step();
  }

private:
  void open(TypeId ty) {
    state_[ty.index] = State::Open;
    stack_.push_back({ty, partsOf(v_.program.types[ty])});
  }

  void step() {
    Frame &frame = stack_.back();
    if (frame.next == frame.parts.size())
      return close();
    TypeId part = frame.parts[frame.next++];
    uint32_t &depth = depth_[frame.ty.index];
    if (state_[part.index] == State::Open)
      return fail(part, "`" + v_.name(part) + "` contains itself by value");
    if (state_[part.index] == State::New) {
      --frame.next; // look again when the part is done
      return open(part);
    }
    depth = std::max(depth, depth_[part.index] + 1);
    if (depth > kMaxTypeDepth)
      fail(frame.ty, "types nest deeper than " + llvm::Twine(kMaxTypeDepth) + " levels");
  }

  void close() {
    state_[stack_.back().ty.index] = State::Done;
    stack_.pop_back();
  }

  void fail(TypeId ty, const llvm::Twine &message) {
    Verifier::At at(v_, "types", ty.index);
    v_.fail(message);
  }

  Verifier &v_;
  std::vector<State> state_;
  std::vector<uint32_t> depth_;
  std::vector<Frame> stack_;
};
} // namespace

void verifyNesting(Verifier &v) {
  NestingWalk walk(v);
  for (uint32_t i = 0; i < v.program.types.size() && !v.failed(); ++i)
    walk.from(TypeId(i));
}

} // namespace mirgpu::mir
