// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The kernel instances that host code names.
//!
//! Maps from: what is reached from `main` (or from every function of a library). To: the function items that instances of
//! `#[mirgpu_tool::launch]` functions have as their first type argument. Invariant: of the sysroot only generic instances and shims are
//! entered: nothing else there can name a kernel.

use rustc_data_structures::fx::{FxHashSet, FxIndexSet};
use rustc_middle::mir::interpret::{AllocId, GlobalAlloc};
use rustc_middle::mono::{CollectionMode, MonoItem};
use rustc_middle::ty::{self, GenericArgs, Instance, InstanceKind, TyCtxt};
use rustc_span::DUMMY_SP;
use rustc_span::def_id::CrateNum;

use crate::attrs;
use crate::context::Cx;
use crate::functions::is_function;

/// Kernel instances in order of discovery.
pub fn launched_kernels<'tcx>(cx: &Cx<'tcx>) -> Vec<Instance<'tcx>> {
    let tcx = cx.tcx;
    // Without a launch function in any crate there is nothing to find.
    let mut walk = Walk { cx, sysroot: sysroot_crates(tcx), seen: FxIndexSet::default(), allocs: FxHashSet::default() };
    let mut next = 0;
    walk.roots();
    while let Some(&item) = walk.seen.get_index(next) {
        walk.enter(item);
        next += 1;
    }
    let mut found = FxIndexSet::default();
    for item in &walk.seen {
        let MonoItem::Fn(instance) = item else { continue };
        if attrs::tool_attr(tcx, instance.def_id(), "launch").is_none() {
            continue;
        }
        if let Some(ty) = instance.args.types().next()
            && let ty::FnDef(id, args) = *ty.kind()
            && attrs::tool_attr(tcx, id, "kernel").is_some()
        {
            found.insert(Instance::expect_resolve(tcx, cx.typing_env, id, args, DUMMY_SP));
        }
    }
    found.into_iter().collect()
}

fn sysroot_crates(tcx: TyCtxt<'_>) -> FxHashSet<CrateNum> {
    let root = tcx.sess.opts.sysroot.path();
    let in_root = |c: &CrateNum| tcx.used_crate_source(*c).rmeta.as_ref().is_some_and(|p| p.starts_with(root));
    tcx.crates(()).iter().copied().filter(in_root).collect()
}

struct Walk<'a, 'tcx> {
    cx: &'a Cx<'tcx>,
    sysroot: FxHashSet<CrateNum>,
    seen: FxIndexSet<MonoItem<'tcx>>,
    allocs: FxHashSet<AllocId>,
}

impl<'tcx> Walk<'_, 'tcx> {
    fn roots(&mut self) {
        let tcx = self.cx.tcx;
        if let Some((main, _)) = tcx.entry_fn(()) {
            self.seen.insert(MonoItem::Fn(Instance::mono(tcx, main)));
            return;
        }
        for &id in tcx.mir_keys(()) {
            let id = id.to_def_id();
            let host = is_function(tcx.def_kind(id)) && !tcx.is_foreign_item(id) && attrs::tool_attr(tcx, id, "kernel").is_none();
            if host && !tcx.generics_of(id).requires_monomorphization(tcx) {
                self.seen.insert(MonoItem::Fn(Instance::mono(tcx, id)));
            }
        }
    }

    fn enter(&mut self, item: MonoItem<'tcx>) {
        let tcx = self.cx.tcx;
        match item {
            MonoItem::GlobalAsm(_) => {}
            MonoItem::Static(id) => {
                if !tcx.is_foreign_item(id)
                    && let Ok(memory) = tcx.eval_static_initializer(id)
                {
                    for provenance in memory.inner().provenance().ptrs().values() {
                        self.alloc(provenance.alloc_id());
                    }
                }
                if tcx.needs_thread_local_shim(id) {
                    self.seen.insert(MonoItem::Fn(Instance { def: InstanceKind::ThreadLocalShim(id), args: GenericArgs::empty() }));
                }
            }
            MonoItem::Fn(instance) => {
                if !self.cx.has_body(instance) || self.is_plain_sysroot_function(instance) {
                    return;
                }
                if let Ok((used, _)) = tcx.items_of_instance((instance, CollectionMode::UsedItems)) {
                    self.seen.extend(used.iter().map(|u| u.node));
                }
            }
        }
    }

    fn is_plain_sysroot_function(&self, instance: Instance<'tcx>) -> bool {
        let id = instance.def_id();
        self.sysroot.contains(&id.krate)
            && matches!(instance.def, InstanceKind::Item(_))
            && !self.cx.tcx.generics_of(id).requires_monomorphization(self.cx.tcx)
    }

    fn alloc(&mut self, id: AllocId) {
        let tcx = self.cx.tcx;
        if !self.allocs.insert(id) {
            return;
        }
        match tcx.global_alloc(id) {
            GlobalAlloc::Static(id) => {
                self.seen.insert(MonoItem::Static(id));
            }
            GlobalAlloc::Function { instance, .. } => {
                self.seen.insert(MonoItem::Fn(instance));
            }
            GlobalAlloc::Memory(memory) => {
                for provenance in memory.inner().provenance().ptrs().values() {
                    self.alloc(provenance.alloc_id());
                }
            }
            GlobalAlloc::VTable(ty, predicates) => {
                let principal = predicates.principal().map(|p| tcx.instantiate_bound_regions_with_erased(p));
                self.alloc(tcx.vtable_allocation((ty, principal)));
            }
            GlobalAlloc::TypeId { .. } => {}
        }
    }
}
