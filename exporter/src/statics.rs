// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Rows of the static table.
//!
//! Maps from: statics of any crate, nested ones among them. To: rows with their evaluated initializers. Invariant: an extern static has
//! no initializer, every other has one.

use rustc_hir::def::DefKind;
use rustc_hir::def_id::DefId;
use rustc_middle::ty::Ty;

use crate::attrs;
use crate::context::{AllocKey, Cx};
use crate::json::{J, Row};
use crate::obj;

impl<'tcx> Cx<'tcx> {
    pub fn describe_static(&mut self, id: u32) {
        let tcx = self.tcx;
        let (&def_id, entry) = self.statics.rows.get_index(id as usize).expect("given by enter");
        let symbol = entry.key.clone();
        let (ty, align) = self.static_type(def_id);
        let is_extern = tcx.is_foreign_item(def_id);
        let nested = is_nested(tcx.def_kind(def_id));
        let codegen = (!nested).then(|| tcx.codegen_fn_attrs(def_id));
        let linkage = codegen.and_then(|a| a.linkage.or(a.import_linkage)).map(|l| format!("{l:?}").to_lowercase());
        let section = codegen.and_then(|a| a.link_section).map(|s| s.to_string());
        let init = if is_extern { J::Null } else { self.alloc(AllocKey::StaticInit(def_id)) };
        let row = obj! {
            "symbol": symbol,
            "ty": self.ty(ty),
            "mutable": tcx.is_mutable_static(def_id),
            "interior_mutable": !ty.is_freeze(tcx, self.typing_env),
            "thread_local": tcx.is_thread_local_static(def_id),
            "extern": is_extern,
            "section": section,
            "linkage": linkage,
            "align": align,
            "tool_attrs": attrs::tool_attrs_json(tcx, def_id),
            "init": init,
            "span": self.span(tcx.def_span(def_id)),
        };
        self.statics.rows[id as usize].row = Row::new(&row);
    }

    /// The type of a static and its alignment. A nested static is memory without a type: an array of bytes.
    fn static_type(&self, def_id: DefId) -> (Ty<'tcx>, u64) {
        let tcx = self.tcx;
        if is_nested(tcx.def_kind(def_id)) {
            let Ok(memory) = tcx.eval_static_initializer(def_id) else { return (tcx.types.unit, 1) };
            return (Ty::new_array(tcx, tcx.types.u8, memory.inner().size().bytes()), memory.inner().align.bytes());
        }
        let ty = self.normalize(tcx.type_of(def_id).instantiate_identity());
        let align = self.layout(ty).align.abi.bytes();
        (ty, tcx.codegen_fn_attrs(def_id).alignment.map_or(align, |a| align.max(a.bytes())))
    }
}

fn is_nested(kind: DefKind) -> bool {
    matches!(kind, DefKind::Static { nested: true, .. })
}
