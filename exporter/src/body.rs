// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Bodies: locals, scopes, debug variables, blocks.
//!
//! Maps from: `optimized_mir` (or a shim's MIR) of one instance. To: `B` of the format, monomorphic. Invariant: only blocks that the
//! instance can reach are written, renumbered in their old order; every constant the body requires has been evaluated.

use rustc_index::IndexVec;
use rustc_middle::mir::{
    self, BasicBlock, BasicBlockData, Body, NonDivergingIntrinsic, Place, SourceInfo, Statement, StatementKind, VarDebugInfo,
    VarDebugInfoContents, traversal,
};
use rustc_middle::ty::{self, Instance, Ty};

use crate::context::Cx;
use crate::json::J;
use crate::panic_args::PanicArgs;
use crate::{arr, instances, obj};

/// One body while it is written.
pub struct FnCx<'a, 'tcx> {
    pub cx: &'a mut Cx<'tcx>,
    pub instance: Instance<'tcx>,
    pub body: &'tcx Body<'tcx>,
    /// New numbers of the blocks; None where the instance cannot get.
    pub blocks: IndexVec<BasicBlock, Option<u32>>,
}

impl<'tcx> Cx<'tcx> {
    /// `B` of the format.
    pub fn body(&mut self, instance: Instance<'tcx>) -> J {
        let tcx = self.tcx;
        let body = tcx.instance_mir(instance.def);
        let reachable = traversal::mono_reachable_as_bitset(body, tcx, instance);
        let mut blocks = IndexVec::from_elem(None, &body.basic_blocks);
        for (n, bb) in reachable.iter().enumerate() {
            blocks[bb] = Some(n as u32);
        }
        FnCx { cx: self, instance, body, blocks }.write()
    }
}

impl<'tcx> FnCx<'_, 'tcx> {
    fn write(&mut self) -> J {
        self.check_required_consts();
        let panic_args = PanicArgs::of(self);
        let locals: Vec<J> = self.locals();
        let scopes: Vec<J> = self.body.source_scopes.iter().map(|s| self.scope(s)).collect();
        let body = self.body;
        let debug: Vec<J> = body.var_debug_info.iter().filter_map(|v| self.debug_variable(v)).collect();
        let mut blocks = Vec::new();
        for (bb, data) in body.basic_blocks.iter_enumerated() {
            if self.blocks[bb].is_some() {
                blocks.push(self.block(bb, data, &panic_args));
            }
        }
        obj! { "arg_count": body.arg_count, "locals": locals, "scopes": scopes, "debug": debug, "blocks": blocks }
    }

    /// A constant that fails must stop the export even if no statement uses it; rustc reports it.
    fn check_required_consts(&mut self) {
        for constant in self.body.required_consts() {
            let value = self.mono(constant.const_);
            if value.eval(self.cx.tcx, self.cx.typing_env, constant.span).is_err() {
                self.cx.failed = true;
            }
        }
    }

    pub fn mono<T: ty::TypeFoldable<ty::TyCtxt<'tcx>>>(&self, value: T) -> T {
        self.cx.mono(self.instance, value)
    }

    /// The monomorphic type of a place.
    pub fn place_ty(&self, place: Place<'tcx>) -> Ty<'tcx> {
        self.mono(place.ty(self.body, self.cx.tcx).ty)
    }

    fn locals(&mut self) -> Vec<J> {
        let mut names = IndexVec::from_elem(None, &self.body.local_decls);
        for variable in &self.body.var_debug_info {
            if let VarDebugInfoContents::Place(place) = variable.value
                && let Some(local) = place.as_local()
                && variable.composite.is_none()
            {
                names[local].get_or_insert_with(|| variable.name.to_string());
            }
        }
        let body = self.body;
        body.local_decls
            .iter_enumerated()
            .map(|(local, decl)| {
                let ty = self.mono(decl.ty);
                obj! {
                    "ty": self.cx.ty(ty),
                    "mutable": decl.mutability.is_mut(),
                    "span": self.cx.span(decl.source_info.span),
                    "name": names[local].take(),
                }
            })
            .collect()
    }

    fn scope(&mut self, scope: &mir::SourceScopeData<'tcx>) -> J {
        let tcx = self.cx.tcx;
        let inlined = scope.inlined.map(|(callee, call_site)| {
            let callee = self.mono(callee);
            let function = self.cx.functions.rows.get_index_of(&callee).map(|id| J::Ref(crate::json::Table::Function, id as u32));
            obj! {
                "callee": instances::instance_symbol(tcx, callee),
                "function": function,
                "call_site": self.cx.span(call_site),
                "track_caller": callee.def.requires_caller_location(tcx),
            }
        });
        obj! { "parent": scope.parent_scope.map(|p| p.as_u32()), "span": self.cx.span(scope.span), "inlined": inlined }
    }

    fn debug_variable(&mut self, variable: &VarDebugInfo<'tcx>) -> Option<J> {
        let value = match &variable.value {
            VarDebugInfoContents::Place(place) => obj! { "place": self.place(*place) },
            VarDebugInfoContents::Const(constant) => {
                let value = self.mono(constant.const_);
                // Kept for its value alone: it must not make code reachable.
                let was = std::mem::replace(&mut self.cx.weak, true);
                let value = obj! { "const": self.cx.constant(value, constant.span) };
                self.cx.weak = was;
                value
            }
        };
        let fragment = variable.composite.as_ref().map(|fragment| {
            let ty = self.mono(fragment.ty);
            let projection: Vec<J> = fragment.projection.iter().map(|e| self.projection(*e)).collect();
            obj! { "ty": self.cx.ty(ty), "projection": projection }
        });
        Some(obj! {
            "name": variable.name.to_string(),
            "scope": variable.source_info.scope.as_u32(),
            "span": self.cx.span(variable.source_info.span),
            "argument": variable.argument_index.map(u32::from),
            "value": value,
            "fragment": fragment,
        })
    }

    fn block(&mut self, bb: BasicBlock, data: &'tcx BasicBlockData<'tcx>, panic_args: &PanicArgs) -> J {
        let weak_body = self.cx.weak;
        let mut statements = Vec::new();
        for statement in &data.statements {
            self.cx.weak = weak_body || panic_args.statement(statement);
            statements.extend(self.statement(statement));
        }
        self.cx.weak = weak_body || panic_args.terminator(bb);
        let terminator = self.terminator(data);
        self.cx.weak = weak_body;
        obj! { "cleanup": data.is_cleanup, "statements": statements, "terminator": terminator }
    }

    /// One statement; None where it makes no code.
    fn statement(&mut self, statement: &'tcx Statement<'tcx>) -> Option<J> {
        let mut parts = self.source_info(statement.source_info);
        match &statement.kind {
            StatementKind::Assign(assign) => {
                let (place, rvalue) = &**assign;
                parts.extend(["assign".into(), self.place(*place), self.rvalue(rvalue)]);
            }
            StatementKind::SetDiscriminant { place, variant_index } => {
                parts.extend(["set_discriminant".into(), self.place(**place), variant_index.as_u32().into()]);
            }
            StatementKind::StorageLive(local) => parts.extend(["storage_live".into(), local.as_u32().into()]),
            StatementKind::StorageDead(local) => parts.extend(["storage_dead".into(), local.as_u32().into()]),
            StatementKind::Intrinsic(intrinsic) => match &**intrinsic {
                NonDivergingIntrinsic::Assume(operand) => parts.extend(["assume".into(), self.operand(operand)]),
                NonDivergingIntrinsic::CopyNonOverlapping(copy) => parts.extend([
                    "copy_nonoverlapping".into(),
                    self.operand(&copy.src),
                    self.operand(&copy.dst),
                    self.operand(&copy.count),
                ]),
            },
            StatementKind::Nop
            | StatementKind::FakeRead(_)
            | StatementKind::Retag(..)
            | StatementKind::PlaceMention(_)
            | StatementKind::AscribeUserType(..)
            | StatementKind::Coverage(_)
            | StatementKind::ConstEvalCounter
            | StatementKind::BackwardIncompatibleDropHint { .. } => return None,
        }
        Some(J::Arr(parts))
    }

    /// `span,scope`, with which statements and terminators begin.
    pub fn source_info(&mut self, info: SourceInfo) -> Vec<J> {
        let span = self.cx.span(info.span);
        match arr![span, info.scope.as_u32()] {
            J::Arr(parts) => parts,
            _ => unreachable!("arr! makes arrays"),
        }
    }

    /// The new number of a block that a live terminator names.
    pub fn target(&self, bb: BasicBlock) -> J {
        self.blocks[bb].expect("a successor of a reachable block is reachable").into()
    }
}
