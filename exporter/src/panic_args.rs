// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What only builds the arguments of a panic.
//!
//! Maps from: a body. To: the locals that nothing but calls of panic entries can observe, and so the statements and calls whose
//! references are weak (context.rs). Invariant: a statement is weak only if leaving it out changes nothing but a panic's message; lowering
//! applies the same rule (docs/mir_format.md, "Panics").

use rustc_data_structures::fx::FxHashMap;
use rustc_index::bit_set::DenseBitSet;
use rustc_middle::mir::visit::{MutatingUseContext, NonMutatingUseContext, NonUseContext, PlaceContext, Visitor};
use rustc_middle::mir::{
    BasicBlock, BasicBlockData, Local, Location, Place, ProjectionElem, RETURN_PLACE, Statement, StatementKind, Terminator,
    TerminatorKind,
};

use crate::body::FnCx;
use crate::purity::{Called, Verdict};

pub struct PanicArgs {
    locals: DenseBitSet<Local>,
    calls: DenseBitSet<BasicBlock>,
}

/// What a block's call means for the analysis.
#[derive(Clone, Copy)]
enum Role {
    Panic,
    /// Computes this local and nothing else.
    Pure(Local),
}

impl PanicArgs {
    pub fn of(f: &mut FnCx<'_, '_>) -> PanicArgs {
        let body = f.body;
        let blocks: Vec<BasicBlock> = body.basic_blocks.indices().filter(|&bb| f.blocks[bb].is_some()).collect();
        let mut args = PanicArgs {
            locals: DenseBitSet::new_empty(body.local_decls.len()),
            calls: DenseBitSet::new_empty(body.basic_blocks.len()),
        };
        let mut roles: FxHashMap<BasicBlock, Role> = FxHashMap::default();
        for &bb in &blocks {
            if is_panic(f, &body[bb]) {
                roles.insert(bb, Role::Panic);
            }
        }
        if roles.is_empty() {
            return args;
        }
        for &bb in &blocks {
            if let Some(local) = pure_dest(f, &body[bb]) {
                roles.insert(bb, Role::Pure(local));
            }
        }
        let mut uses =
            Uses { roles: &roles, only: DenseBitSet::new_filled(body.local_decls.len()), edges: Vec::new(), fed: Vec::new() };
        for local in body.args_iter().chain([RETURN_PLACE]) {
            uses.only.remove(local);
        }
        for &bb in &blocks {
            uses.visit_basic_block_data(bb, &body[bb]);
        }
        args.locals = uses.solve();
        for (&bb, role) in &roles {
            if let Role::Pure(local) = *role
                && args.locals.contains(local)
            {
                args.calls.insert(bb);
            }
        }
        args
    }

    /// Whether the statement only builds arguments of a panic.
    pub fn statement(&self, statement: &Statement<'_>) -> bool {
        match &statement.kind {
            StatementKind::Assign(assign) => plain_local(assign.0).is_some_and(|l| self.locals.contains(l)),
            _ => false,
        }
    }

    /// Whether the block's terminator only builds arguments of a panic.
    pub fn terminator(&self, bb: BasicBlock) -> bool {
        self.calls.contains(bb)
    }
}

/// The local that a write to `place` writes, if it goes through no pointer.
fn plain_local(place: Place<'_>) -> Option<Local> {
    (!place.is_indirect()).then_some(place.local)
}

/// Whether the block's call stands for a panic.
fn is_panic<'tcx>(f: &mut FnCx<'_, 'tcx>, data: &BasicBlockData<'tcx>) -> bool {
    let TerminatorKind::Call { func, .. } = &data.terminator().kind else { return false };
    match f.cx.called(f.instance, f.body, func) {
        Called::Function(callee) => f.cx.is_panic_site(callee),
        _ => false,
    }
}

/// The destination of a call that can be left out if nobody reads it.
fn pure_dest<'tcx>(f: &mut FnCx<'_, 'tcx>, data: &BasicBlockData<'tcx>) -> Option<Local> {
    let TerminatorKind::Call { func, destination, target: Some(_), .. } = &data.terminator().kind else { return None };
    match f.cx.called(f.instance, f.body, func) {
        Called::Function(callee) if f.cx.purity(callee) == Verdict::Pure => plain_local(*destination),
        _ => None,
    }
}

/// Who reads each local: `edges` are (read, written by the statement that reads it); `fed` are read by a panic.
struct Uses<'a> {
    roles: &'a FxHashMap<BasicBlock, Role>,
    only: DenseBitSet<Local>,
    edges: Vec<(Local, Local)>,
    fed: Vec<Local>,
}

impl Uses<'_> {
    /// The locals read by panics alone, directly or through each other.
    fn solve(mut self) -> DenseBitSet<Local> {
        loop {
            let before = self.only.count();
            for &(read, written) in &self.edges {
                if !self.only.contains(written) {
                    self.only.remove(read);
                }
            }
            if self.only.count() == before {
                break;
            }
        }
        let mut feeding = DenseBitSet::new_empty(self.only.domain_size());
        for &local in &self.fed {
            feeding.insert(local);
        }
        loop {
            let before = feeding.count();
            for &(read, written) in &self.edges {
                if feeding.contains(written) {
                    feeding.insert(read);
                }
            }
            if feeding.count() == before {
                break;
            }
        }
        self.only.intersect(&feeding);
        self.only
    }
}

/// Collects the locals that an rvalue reads.
struct Reads(Vec<Local>);

impl Reads {
    /// The locals that index into `place`.
    fn indices(&mut self, place: Place<'_>) {
        self.0.extend(place.projection.iter().filter_map(|e| match e {
            ProjectionElem::Index(local) => Some(local),
            _ => None,
        }));
    }
}

impl<'tcx> Visitor<'tcx> for Reads {
    fn visit_local(&mut self, local: Local, _: PlaceContext, _: Location) {
        self.0.push(local);
    }
}

impl<'tcx> Visitor<'tcx> for Uses<'_> {
    fn visit_statement(&mut self, statement: &Statement<'tcx>, location: Location) {
        if let StatementKind::Assign(assign) = &statement.kind
            && let Some(written) = plain_local(assign.0)
        {
            let mut reads = Reads(Vec::new());
            reads.visit_rvalue(&assign.1, location);
            reads.indices(assign.0);
            self.edges.extend(reads.0.into_iter().map(|read| (read, written)));
            return;
        }
        self.super_statement(statement, location);
    }

    fn visit_terminator(&mut self, terminator: &Terminator<'tcx>, location: Location) {
        if let TerminatorKind::Call { args, destination, .. } = &terminator.kind
            && let Some(role) = self.roles.get(&location.block)
        {
            let mut reads = Reads(Vec::new());
            for arg in args {
                reads.visit_operand(&arg.node, location);
            }
            match *role {
                Role::Panic => self.fed.extend(reads.0),
                Role::Pure(written) => {
                    reads.indices(*destination);
                    self.edges.extend(reads.0.into_iter().map(|read| (read, written)));
                }
            }
            return;
        }
        self.super_terminator(terminator, location);
    }

    /// Any other use is one that code can observe.
    fn visit_local(&mut self, local: Local, context: PlaceContext, _: Location) {
        match context {
            PlaceContext::NonUse(NonUseContext::StorageLive | NonUseContext::StorageDead | NonUseContext::VarDebugInfo)
            | PlaceContext::MutatingUse(MutatingUseContext::SetDiscriminant)
            | PlaceContext::NonMutatingUse(NonMutatingUseContext::PlaceMention) => {}
            _ => {
                self.only.remove(local);
            }
        }
    }
}
