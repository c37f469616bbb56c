// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `#[test]` functions, under `--test`.
//!
//! Maps from: the constants that the test macro leaves beside each function. To: rows of the test table. Invariant: a test's function
//! is the one of the same parent and name as its constant.

use rustc_data_structures::fx::FxHashMap;
use rustc_hir::Attribute;
use rustc_hir::attrs::AttributeKind;
use rustc_hir::def::DefKind;
use rustc_hir::def_id::DefId;
use rustc_middle::ty::{Instance, TyCtxt};
use rustc_span::Symbol;

use crate::context::Cx;
use crate::json::{J, Row};
use crate::obj;

impl<'tcx> Cx<'tcx> {
    /// The rows of `tests`, sorted by path; their functions are walked.
    pub fn test_rows(&mut self) -> Vec<Row> {
        let tcx = self.tcx;
        if !tcx.sess.opts.test {
            return Vec::new();
        }
        let functions: FxHashMap<(DefId, Symbol), DefId> = definitions(tcx)
            .filter(|&id| tcx.def_kind(id) == DefKind::Fn)
            .map(|id| ((tcx.parent(id), tcx.item_name(id)), id))
            .collect();
        let mut rows = Vec::new();
        for id in definitions(tcx).filter(|&id| matches!(tcx.def_kind(id), DefKind::Const { .. })) {
            let Some(path) = marker(tcx, id) else { continue };
            let Some(&function) = functions.get(&(tcx.parent(id), tcx.item_name(id))) else { continue };
            let row = self.test_row(path.to_string(), function);
            rows.push((path.to_string(), Row::new(&row)));
        }
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        rows.into_iter().map(|(_, row)| row).collect()
    }

    fn test_row(&mut self, path: String, function: DefId) -> J {
        let (mut ignored, mut should_panic) = (false, J::Null);
        for attribute in attributes(self.tcx, function) {
            match attribute {
                Attribute::Parsed(AttributeKind::Ignore { .. }) => ignored = true,
                Attribute::Parsed(AttributeKind::ShouldPanic { reason, .. }) => {
                    should_panic = obj! { "expected": reason.map(|r| r.to_string()) };
                }
                _ => {}
            }
        }
        let function = self.function(Instance::mono(self.tcx, function));
        obj! { "path": path, "function": function, "ignored": ignored, "should_panic": should_panic }
    }
}

fn definitions(tcx: TyCtxt<'_>) -> impl Iterator<Item = DefId> {
    tcx.hir_crate_items(()).definitions().map(|id| id.to_def_id())
}

fn attributes(tcx: TyCtxt<'_>, id: DefId) -> &[Attribute] {
    #[allow(deprecated)]
    tcx.get_all_attrs(id)
}

fn marker(tcx: TyCtxt<'_>, id: DefId) -> Option<Symbol> {
    attributes(tcx, id).iter().find_map(|a| match a {
        Attribute::Parsed(AttributeKind::RustcTestMarker(path)) => Some(*path),
        _ => None,
    })
}
