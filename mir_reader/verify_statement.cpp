// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of statements.
#include "mir_reader/verify_body.h"

#include "support/match.h"

namespace mirgpu::mir {

static void checkAssign(BodyVerifier &b, const Assign &assign) {
  TypeId dest = b.wholePlace(assign.place);
  if (dest.isValid() &&
      b.v.check(isSized(b.type(dest)), "the destination of an assignment must be sized"))
    b.rvalue(assign.rvalue, dest);
}

static void checkSetDiscriminant(BodyVerifier &b, const SetDiscriminant &set) {
  TypeId ty = b.wholePlace(set.place);
  if (!ty.isValid())
    return;
  const Type &type = b.type(ty);
  b.v.check(isMultiVariant(type) && set.variant < type.variants.size(),
            "`" + b.v.name(ty) + "` has no variant " + llvm::Twine(set.variant));
}

static void checkCopy(BodyVerifier &b, const CopyNonOverlapping &copy) {
  TypeId src = b.sizedOperand(copy.src), dst = b.sizedOperand(copy.dst);
  TypeId count = b.sizedOperand(copy.count);
  if (b.v.failed())
    return;
  b.v.check(b.isThinPointer(src) && b.isThinPointer(dst) && b.isUsize(count),
            "a copy needs two thin pointers and a count of type `usize`");
  if (b.v.failed())
    return;
  TypeId pointee = pointeeOf(b.program, src);
  b.v.check(isSized(b.type(pointee)), "the elements of a copy must be sized");
  b.assignable(pointeeOf(b.program, dst), pointee, "copied element");
}

void BodyVerifier::statement(const Statement &statement) {
  v.span(statement.span);
  v.inRange(body.scopes, statement.scope, "scope");
  match(
      statement.kind, [&](const Assign &assign) { checkAssign(*this, assign); },
      [&](const SetDiscriminant &set) { checkSetDiscriminant(*this, set); },
      [&](const StorageLive &live) { v.inRange(body.locals, live.local, "local"); },
      [&](const StorageDead &dead) { v.inRange(body.locals, dead.local, "local"); },
      [&](const Assume &assume) {
        TypeId ty = operand(assume.operand);
        v.check(!ty.isValid() || isBool(ty), "an assumption must be a `bool`");
      },
      [&](const CopyNonOverlapping &copy) { checkCopy(*this, copy); }, [](const Nop &) {});
}

} // namespace mirgpu::mir
