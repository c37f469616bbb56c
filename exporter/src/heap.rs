// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The heap of kernels: which functions stand for the symbols that `alloc` calls.
//!
//! Maps from: `#[mirgpu_tool::heap]` on a module that holds a kernel, or `--mirgpu-heap`. To: for each foreign allocator symbol the
//! function of the device crate that is marked with its name. Invariant: without either there are none, and what allocates keeps its
//! foreign call, which lowering refuses.

use rustc_data_structures::fx::FxHashMap;
use rustc_hir::def::{DefKind, Res};
use rustc_hir::def_id::DefId;
use rustc_middle::ty::{Instance, TyCtxt};
use rustc_span::Symbol;

use crate::attrs;
use crate::context::Cx;

/// From the symbol of a foreign item to the function that stands for it.
pub type Allocator<'tcx> = FxHashMap<Symbol, Instance<'tcx>>;

impl<'tcx> Cx<'tcx> {
    /// Finds the allocator if a module of `kernels` asks for a heap, or `asked`.
    pub fn find_allocator(&mut self, kernels: &[Instance<'tcx>], asked: bool) {
        let tcx = self.tcx;
        let asking = kernels.iter().find(|k| has_heap(tcx, k.def_id()));
        if !asked && asking.is_none() {
            return;
        }
        for &krate in tcx.crates(()) {
            for child in tcx.module_children(krate.as_def_id()) {
                if let Res::Def(DefKind::Mod, id) = child.res
                    && attrs::tool_attr(tcx, id, "allocators").is_some()
                {
                    collect(tcx, id, &mut self.allocator);
                }
            }
        }
        if self.allocator.is_empty() {
            let message = "a heap is asked for, but no crate of this program has one: it is in mirgpu-device";
            match asking {
                Some(kernel) => tcx.dcx().span_err(tcx.def_span(kernel.def_id()), message),
                None => tcx.dcx().err(message),
            };
        }
    }

    /// The function that stands for `instance`, a foreign item.
    pub fn allocator_of(&self, instance: Instance<'tcx>) -> Option<Instance<'tcx>> {
        if self.allocator.is_empty() || !self.tcx.is_foreign_item(instance.def_id()) {
            return None;
        }
        self.allocator.get(&self.tcx.item_name(instance.def_id())).copied()
    }
}

/// Whether a module around `def_id` is marked.
fn has_heap(tcx: TyCtxt<'_>, def_id: DefId) -> bool {
    std::iter::successors(tcx.opt_parent(def_id), |&id| tcx.opt_parent(id))
        .any(|id| tcx.def_kind(id) == DefKind::Mod && attrs::tool_attr(tcx, id, "heap").is_some())
}

/// The marked functions in the modules below `module`, of another crate.
fn collect<'tcx>(tcx: TyCtxt<'tcx>, module: DefId, found: &mut Allocator<'tcx>) {
    for child in tcx.module_children(module) {
        match child.res {
            // A re-export leads elsewhere, or back.
            Res::Def(DefKind::Mod, id) if tcx.opt_parent(id) == Some(module) => collect(tcx, id, found),
            Res::Def(DefKind::Fn, id) => {
                if let Some(symbol) = attrs::tool_attr(tcx, id, "allocator").and_then(|a| a.args.into_iter().next()) {
                    found.insert(Symbol::intern(&symbol), Instance::mono(tcx, id));
                }
            }
            _ => {}
        }
    }
}
