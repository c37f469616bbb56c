// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly: the template with its operands put in by number, then the operands, options and
// targets.
#include "mir_reader/print_parts.h"

#include "support/match.h"

namespace mirgpu::mir {

static void printTemplate(Printer &p, const std::vector<AsmPiece> &pieces) {
  p.os << '"';
  for (const AsmPiece &piece : pieces)
    match(
        piece, [&](const AsmPieceText &part) { p.os.write_escaped(text(part.text)); },
        [&](const AsmPieceOperand &part) {
          p.os << "{" << part.operand;
          if (!part.modifier.empty())
            p.os << ":" << text(part.modifier);
          p.os << "}";
        });
  p.os << '"';
}

static void printOut(Printer &p, const std::optional<Place> &place) {
  if (place)
    p.place(*place);
  else
    p.os << "_";
}

static void printAsmOperand(Printer &p, const AsmOperand &operand) {
  match(
      operand,
      [&](const AsmIn &in) {
        p.os << "in(" << text(in.regClass) << ") ";
        p.operand(in.value);
      },
      [&](const AsmOut &out) {
        p.os << (out.late ? "lateout(" : "out(") << text(out.regClass) << ") ";
        printOut(p, out.place);
      },
      [&](const AsmInOut &inOut) {
        p.os << (inOut.late ? "inlateout(" : "inout(") << text(inOut.regClass) << ") ";
        p.operand(inOut.in);
        p.os << " => ";
        printOut(p, inOut.out);
      },
      [&](const AsmConst &constant) { p.constant(constant.value); },
      [&](const AsmSymFn &symbol) {
        p.os << "sym_fn " << text(p.program.functions[symbol.function].symbol);
      },
      [&](const AsmSymStatic &symbol) {
        p.os << "sym_static " << text(p.program.statics[symbol.target].symbol);
      },
      [&](const AsmLabel &label) { p.os << "label " << label.target; });
}

void Printer::inlineAsm(const InlineAsm &assembly) {
  os << "asm!(";
  printTemplate(*this, assembly.pieces);
  for (const AsmOperand &operand : assembly.operands) {
    os << ", ";
    printAsmOperand(*this, operand);
  }
  os << ", options(";
  list(assembly.options, [&](Str option) { os << text(option); });
  os << ")) -> [";
  list(assembly.targets, [&](BlockId block) { os << "bb" << block.index; });
}

} // namespace mirgpu::mir
