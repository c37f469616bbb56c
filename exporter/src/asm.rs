// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Inline assembly.
//!
//! Maps from: `InlineAsm` terminators. To: template, operands, options and targets. Invariant: nothing is interpreted; `class` is the
//! register class's name or the register's.

use rustc_ast::{InlineAsmOptions, InlineAsmTemplatePiece};
use rustc_middle::mir::{BasicBlock, InlineAsmOperand, UnwindAction};
use rustc_middle::ty::{self, Instance};
use rustc_span::Span;
use rustc_target::asm::InlineAsmRegOrRegClass;

use crate::body::FnCx;
use crate::json::J;
use crate::obj;

impl<'tcx> FnCx<'_, 'tcx> {
    pub fn inline_asm(
        &mut self,
        template: &[InlineAsmTemplatePiece],
        operands: &[InlineAsmOperand<'tcx>],
        options: InlineAsmOptions,
        line_spans: &[Span],
        targets: &[BasicBlock],
        unwind: UnwindAction,
    ) -> J {
        let template: Vec<J> = template
            .iter()
            .map(|piece| match piece {
                InlineAsmTemplatePiece::String(text) => J::Str(text.to_string()),
                InlineAsmTemplatePiece::Placeholder { operand_idx, modifier, .. } => {
                    obj! { "operand": *operand_idx, "modifier": modifier.map(|m| m.to_string()) }
                }
            })
            .collect();
        let operands: Vec<J> = operands.iter().map(|o| self.asm_operand(o)).collect();
        let options: Vec<J> = options.human_readable_names().into_iter().map(J::from).collect();
        let line_spans: Vec<J> = line_spans.iter().map(|&s| self.cx.span(s)).collect();
        let targets: Vec<J> = targets.iter().map(|&bb| self.target(bb)).collect();
        obj! {
            "template": template,
            "operands": operands,
            "options": options,
            "line_spans": line_spans,
            "targets": targets,
            "unwind": self.unwind(unwind),
        }
    }

    fn asm_operand(&mut self, operand: &InlineAsmOperand<'tcx>) -> J {
        match operand {
            InlineAsmOperand::In { reg, value } => obj! { "kind": "in", "class": class(*reg), "value": self.operand(value) },
            InlineAsmOperand::Out { reg, late, place } => {
                obj! { "kind": "out", "class": class(*reg), "late": *late, "place": place.map(|p| self.place(p)) }
            }
            InlineAsmOperand::InOut { reg, late, in_value, out_place } => obj! {
                "kind": "inout",
                "class": class(*reg),
                "late": *late,
                "in": self.operand(in_value),
                "out": out_place.map(|p| self.place(p)),
            },
            InlineAsmOperand::Const { value } => {
                let constant = self.mono(value.const_);
                obj! { "kind": "const", "value": self.cx.constant(constant, value.span) }
            }
            InlineAsmOperand::SymFn { value } => {
                let ty = self.mono(value.const_.ty());
                let ty::FnDef(id, args) = *ty.kind() else { self.cx.tcx.dcx().span_fatal(value.span, "`sym` names no function") };
                let instance = Instance::resolve_for_fn_ptr(self.cx.tcx, self.cx.typing_env, id, args);
                obj! { "kind": "sym_fn", "function": instance.map(|i| self.cx.function(i)) }
            }
            InlineAsmOperand::SymStatic { def_id } => obj! { "kind": "sym_static", "static": self.cx.static_(*def_id) },
            InlineAsmOperand::Label { target_index } => obj! { "kind": "label", "target": *target_index },
        }
    }
}

fn class(reg: InlineAsmRegOrRegClass) -> String {
    match reg {
        InlineAsmRegOrRegClass::Reg(reg) => reg.name().to_string(),
        InlineAsmRegOrRegClass::RegClass(class) => class.name().to_string(),
    }
}
