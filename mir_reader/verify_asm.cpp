// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of inline assembly: pieces name operands, labels name targets, values and places
// type-check.
#include "mir_reader/verify_body.h"

#include "support/match.h"

namespace mirgpu::mir {

static void checkOut(BodyVerifier &b, const std::optional<Place> &place) {
  if (!place)
    return;
  TypeId ty = b.wholePlace(*place);
  b.v.check(!ty.isValid() || isSized(b.type(ty)), "an output must be sized");
}

static void checkAsmOperand(BodyVerifier &b, const InlineAsm &assembly, const AsmOperand &operand) {
  match(
      operand, [&](const AsmIn &in) { b.sizedOperand(in.value); },
      [&](const AsmOut &out) { checkOut(b, out.place); },
      [&](const AsmInOut &inOut) {
        b.sizedOperand(inOut.in);
        checkOut(b, inOut.out);
      },
      [&](const AsmConst &constant) { verifyConstant(b.v, constant.value); },
      [&](const AsmSymFn &symbol) { b.v.function(symbol.function); },
      [&](const AsmSymStatic &symbol) { b.v.inRange(b.program.statics, symbol.target, "static"); },
      [&](const AsmLabel &label) {
        b.v.check(label.target < assembly.targets.size(), "no target " + llvm::Twine(label.target));
      });
}

void BodyVerifier::inlineAsm(const InlineAsm &assembly) {
  for (const AsmPiece &piece : assembly.pieces)
    if (const auto *operand = std::get_if<AsmPieceOperand>(&piece))
      v.check(operand->operand < assembly.operands.size(),
              "the template names operand " + llvm::Twine(operand->operand) + ", there are " +
                  llvm::Twine(assembly.operands.size()));
  for (size_t i = 0; i < assembly.operands.size() && !v.failed(); ++i) {
    Verifier::At at(v, "operands", i);
    checkAsmOperand(*this, assembly, assembly.operands[i]);
  }
  for (SpanId span : assembly.lineSpans)
    v.span(span);
}

} // namespace mirgpu::mir
