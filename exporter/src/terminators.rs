// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Terminators.
//!
//! Maps from: MIR terminators of one instance. To: `TE` of the format. Invariant: a switch on a constant keeps its live arm alone, and
//! caller locations are resolved through the scopes of inlined functions, as rustc's own code generation does.

use rustc_middle::mir::{
    AssertKind, AssertMessage, BasicBlock, BasicBlockData, Operand, SourceInfo, Terminator, TerminatorKind, UnwindAction,
};
use rustc_middle::ty::TyCtxt;

use crate::body::FnCx;
use crate::callee::Location;
use crate::json::{J, big};
use crate::rvalues::binary_op;
use crate::{arr, obj};

impl<'tcx> FnCx<'_, 'tcx> {
    pub fn terminator(&mut self, data: &'tcx BasicBlockData<'tcx>) -> J {
        let terminator = data.terminator();
        let mut parts = self.source_info(terminator.source_info);
        parts.extend(self.terminator_kind(data, terminator));
        J::Arr(parts)
    }

    fn terminator_kind(&mut self, data: &'tcx BasicBlockData<'tcx>, terminator: &'tcx Terminator<'tcx>) -> Vec<J> {
        match &terminator.kind {
            TerminatorKind::Goto { target } => vec!["goto".into(), self.target(*target), false.into()],
            TerminatorKind::SwitchInt { discr, .. } => self.switch(data, terminator, discr),
            TerminatorKind::UnwindResume => vec!["unwind_resume".into()],
            TerminatorKind::UnwindTerminate(_) => vec!["unwind_terminate".into()],
            TerminatorKind::Return => vec!["return".into()],
            TerminatorKind::Unreachable => vec!["unreachable".into()],
            TerminatorKind::Drop { place, target, unwind, .. } => {
                let ty = self.place_ty(*place);
                vec!["drop".into(), self.place(*place), self.drop_callee(ty), self.target(*target), self.unwind(*unwind)]
            }
            TerminatorKind::Call { func, args, destination, target, unwind, fn_span, .. } => {
                let info = SourceInfo { span: *fn_span, ..terminator.source_info };
                let (callee, location) = self.callee(func, args, info, false);
                let args: Vec<J> = args.iter().map(|a| self.operand(&a.node)).collect();
                vec![
                    "call".into(),
                    obj! {
                        "callee": callee,
                        "args": args,
                        "dest": self.place(*destination),
                        "target": target.map(|t| self.target(t)),
                        "unwind": self.unwind(*unwind),
                        "fn_span": self.cx.span(*fn_span),
                        "caller_location": location,
                    },
                ]
            }
            TerminatorKind::TailCall { func, args, fn_span } => {
                let info = SourceInfo { span: *fn_span, ..terminator.source_info };
                let (callee, location) = self.callee(func, args, info, true);
                let args: Vec<J> = args.iter().map(|a| self.operand(&a.node)).collect();
                let span = self.cx.span(*fn_span);
                vec!["tail_call".into(), obj! { "callee": callee, "args": args, "fn_span": span, "caller_location": location }]
            }
            TerminatorKind::Assert { cond, expected, msg, target, unwind } => vec![
                "assert".into(),
                obj! {
                    "cond": self.operand(cond),
                    "expected": *expected,
                    "msg": self.assert_message(msg),
                    "target": self.target(*target),
                    "unwind": self.unwind(*unwind),
                    "caller_location": self.caller_location(terminator.source_info),
                },
            ],
            TerminatorKind::InlineAsm { template, operands, options, line_spans, targets, unwind, .. } => {
                let asm = self.inline_asm(template, operands, *options, line_spans, targets, *unwind);
                vec!["inline_asm".into(), asm]
            }
            TerminatorKind::Yield { .. }
            | TerminatorKind::CoroutineDrop
            | TerminatorKind::FalseEdge { .. }
            | TerminatorKind::FalseUnwind { .. } => {
                self.cx.tcx.dcx().span_fatal(terminator.source_info.span, "this MIR is not runtime MIR")
            }
        }
    }

    fn switch(&mut self, data: &'tcx BasicBlockData<'tcx>, terminator: &'tcx Terminator<'tcx>, discr: &Operand<'tcx>) -> Vec<J> {
        let targets = terminator.kind.as_switch().expect("a switch").1;
        let live: Vec<BasicBlock> = data.mono_successors(self.cx.tcx, self.instance).collect();
        // A folded switch has one successor; one that was not folded has one for each arm and the default.
        if live.len() == 1 && targets.iter().len() > 0 {
            return vec!["goto".into(), self.target(live[0]), true.into()];
        }
        let ty = self.mono(discr.ty(self.body, self.cx.tcx));
        let arms: Vec<J> = targets.iter().map(|(value, bb)| arr![big(value), self.target(bb)]).collect();
        vec!["switch_int".into(), self.operand(discr), self.cx.ty(ty), arms.into(), self.target(targets.otherwise())]
    }

    pub fn unwind(&self, action: UnwindAction) -> J {
        match action {
            UnwindAction::Continue => "continue".into(),
            UnwindAction::Unreachable => "unreachable".into(),
            UnwindAction::Terminate(_) => "terminate".into(),
            UnwindAction::Cleanup(bb) => self.target(bb),
        }
    }

    fn assert_message(&mut self, message: &AssertMessage<'tcx>) -> J {
        let (kind, operands, op): (&'static str, Vec<&Operand<'tcx>>, Option<&'static str>) = match message {
            AssertKind::BoundsCheck { len, index } => ("bounds_check", vec![len, index], None),
            AssertKind::Overflow(op, a, b) => ("overflow", vec![a, b], Some(binary_op(*op))),
            AssertKind::OverflowNeg(a) => ("overflow_neg", vec![a], None),
            AssertKind::DivisionByZero(a) => ("division_by_zero", vec![a], None),
            AssertKind::RemainderByZero(a) => ("remainder_by_zero", vec![a], None),
            AssertKind::ResumedAfterReturn(_) => ("resumed_after_return", vec![], None),
            AssertKind::ResumedAfterPanic(_) => ("resumed_after_panic", vec![], None),
            AssertKind::ResumedAfterDrop(_) => ("resumed_after_drop", vec![], None),
            AssertKind::MisalignedPointerDereference { required, found } => {
                ("misaligned_pointer_dereference", vec![required, found], None)
            }
            AssertKind::NullPointerDereference => ("null_pointer_dereference", vec![], None),
            AssertKind::InvalidEnumConstruction(a) => ("invalid_enum_construction", vec![a], None),
        };
        let operands: Vec<J> = operands.into_iter().map(|o| self.operand(o)).collect();
        obj! { "kind": kind, "operands": operands, "op": op }
    }

    /// `L` of the format for something at `info` that wants its caller's location.
    pub fn caller_location(&mut self, info: SourceInfo) -> J {
        let tcx: TyCtxt<'tcx> = self.cx.tcx;
        let own = self.instance.def.requires_caller_location(tcx).then_some(Location::Forward);
        match self.body.caller_location_span(info, own, tcx, Location::At) {
            Location::Forward => "forward".into(),
            Location::At(span) => self.cx.location(span),
        }
    }
}
