// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which functions do nothing but compute a value, and which do nothing but panic.
//!
//! Maps from: instances. To: `Pure`, `PanicOnly` or `Effects`, judged on MIR alone: no store through a pointer, no call of anything
//! else, no loop, no drop. Invariant: as strict as lowering's own judgement (docs/mir_format.md, "Panics"), so that what is weak here is
//! left out there.

use rustc_data_structures::stack::ensure_sufficient_stack;
use rustc_hir::LangItem;
use rustc_middle::mir::{BasicBlock, BasicBlockData, Body, NonDivergingIntrinsic, Operand, Place, StatementKind, TerminatorKind};
use rustc_middle::ty::{self, Instance, InstanceKind, Ty};

use crate::attrs;
use crate::context::Cx;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    InProgress,
    Pure,
    PanicOnly,
    Effects,
}

/// What a call calls, as far as its effects go.
pub enum Called<'tcx> {
    /// No code at all: empty drop glue, a folded query.
    Nothing,
    Function(Instance<'tcx>),
    /// A pointer, a virtual method, an intrinsic.
    Unknown,
}

impl<'tcx> Cx<'tcx> {
    /// What `func`, an operand of the body of `instance`, calls.
    pub fn called(&self, instance: Instance<'tcx>, body: &Body<'tcx>, func: &Operand<'tcx>) -> Called<'tcx> {
        let ty::FnDef(id, args) = *self.mono(instance, func.ty(body, self.tcx)).kind() else { return Called::Unknown };
        let Ok(Some(callee)) = Instance::try_resolve(self.tcx, self.typing_env, id, args) else { return Called::Unknown };
        match callee.def {
            InstanceKind::DropGlue(_, None) => Called::Nothing,
            InstanceKind::Virtual(..) | InstanceKind::Intrinsic(_) => Called::Unknown,
            _ => Called::Function(callee),
        }
    }

    pub fn purity(&mut self, instance: Instance<'tcx>) -> Verdict {
        match self.purity.get(&instance) {
            Some(Verdict::InProgress) => return Verdict::Effects,
            Some(&verdict) => return verdict,
            None => {}
        }
        self.purity.insert(instance, Verdict::InProgress);
        let stub = attrs::tool_attr(self.tcx, instance.def_id(), "intrinsic").is_some();
        let verdict =
            if stub || !self.has_body(instance) { Verdict::Effects } else { ensure_sufficient_stack(|| self.judge(instance)) };
        self.purity.insert(instance, verdict);
        verdict
    }

    fn judge(&mut self, instance: Instance<'tcx>) -> Verdict {
        let body = self.tcx.instance_mir(instance.def);
        let mut judge = Judge { panics: false, returns: false, color: vec![0; body.basic_blocks.len()] };
        if self.mono(instance, body.return_ty()).is_fn() || !judge.walk(self, instance, body) || judge.panics == judge.returns {
            return Verdict::Effects;
        }
        if judge.panics { Verdict::PanicOnly } else { Verdict::Pure }
    }

    /// Whether a call of `callee` stands for its panic: it is an entry, or does nothing but panic with what it is given to format.
    pub fn is_panic_site(&mut self, callee: Instance<'tcx>) -> bool {
        attrs::is_panic_entry(self.tcx, callee.def_id()) || (self.formats(callee) && self.purity(callee) == Verdict::PanicOnly)
    }

    /// Whether a parameter is a trait object, `fmt::Arguments`, or a type that holds `fmt::Arguments`.
    fn formats(&self, callee: Instance<'tcx>) -> bool {
        if !self.has_body(callee) {
            return false;
        }
        let tcx = self.tcx;
        let is_arguments = |ty: Ty<'tcx>| ty.ty_adt_def().is_some_and(|d| tcx.is_lang_item(d.did(), LangItem::FormatArguments));
        let body = tcx.instance_mir(callee.def);
        body.spread_arg.is_none()
            && body.args_iter().any(|arg| {
                let ty = self.mono(callee, body.local_decls[arg].ty);
                let object = ty.builtin_deref(true).is_some_and(|to| to.is_trait());
                let holds = ty.ty_adt_def().is_some_and(|def| {
                    let ty::Adt(_, args) = *ty.kind() else { return false };
                    def.all_fields().any(|f| is_arguments(self.normalize(f.ty(tcx, args))))
                });
                object || holds || is_arguments(ty)
            })
    }
}

struct Judge {
    panics: bool,
    returns: bool,
    /// 0 new, 1 on the path, 2 done.
    color: Vec<u8>,
}

impl Judge {
    /// Walks depth first; false if there is an effect or a loop.
    fn walk<'tcx>(&mut self, cx: &mut Cx<'tcx>, instance: Instance<'tcx>, body: &'tcx Body<'tcx>) -> bool {
        let mut stack: Vec<(BasicBlock, Vec<BasicBlock>)> = Vec::new();
        let mut enter = Some(BasicBlock::from_u32(0));
        loop {
            if let Some(bb) = enter.take() {
                self.color[bb.as_usize()] = 1;
                let Some(next) = self.block(cx, instance, body, &body[bb]) else { return false };
                stack.push((bb, next));
            }
            let Some((bb, next)) = stack.last_mut() else { return true };
            match next.pop() {
                None => {
                    self.color[bb.as_usize()] = 2;
                    stack.pop();
                }
                Some(to) => match self.color[to.as_usize()] {
                    0 => enter = Some(to),
                    1 => return false,
                    _ => {}
                },
            }
        }
    }

    /// The blocks that follow; None if the block has an effect.
    fn block<'tcx>(
        &mut self,
        cx: &mut Cx<'tcx>,
        instance: Instance<'tcx>,
        body: &'tcx Body<'tcx>,
        data: &'tcx BasicBlockData<'tcx>,
    ) -> Option<Vec<BasicBlock>> {
        if !data.statements.iter().all(|s| is_local_statement(&s.kind)) {
            return None;
        }
        match &data.terminator().kind {
            TerminatorKind::Goto { target } => Some(vec![*target]),
            TerminatorKind::SwitchInt { .. } => Some(data.mono_successors(cx.tcx, instance).collect()),
            TerminatorKind::Unreachable => Some(vec![]),
            TerminatorKind::Return => {
                self.returns = true;
                Some(vec![])
            }
            TerminatorKind::Drop { place, target, .. } => {
                let ty = cx.mono(instance, place.ty(body, cx.tcx).ty);
                let glue = Instance::resolve_drop_in_place(cx.tcx, ty);
                matches!(glue.def, InstanceKind::DropGlue(_, None)).then(|| vec![*target])
            }
            TerminatorKind::Call { func, destination, target, .. } => {
                let pure = match cx.called(instance, body, func) {
                    Called::Nothing => true,
                    Called::Unknown => false,
                    Called::Function(callee) => {
                        if attrs::is_panic_entry(cx.tcx, callee.def_id()) || cx.purity(callee) == Verdict::PanicOnly {
                            self.panics = true;
                            return Some(vec![]);
                        }
                        cx.purity(callee) == Verdict::Pure
                    }
                };
                (pure && !destination.is_indirect()).then(|| target.iter().copied().collect())
            }
            _ => None,
        }
    }
}

/// Assigns to a local without a store through a pointer.
fn is_local_statement(kind: &StatementKind<'_>) -> bool {
    let direct = |place: &Place<'_>| !place.is_indirect();
    match kind {
        StatementKind::Assign(assign) => direct(&assign.0),
        StatementKind::SetDiscriminant { place, .. } => direct(place),
        StatementKind::Intrinsic(intrinsic) => matches!(**intrinsic, NonDivergingIntrinsic::Assume(_)),
        _ => true,
    }
}
