// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Unsizing coercions.
//!
//! Maps from: the source and target types of an `Unsize` cast. To: `{path, to}`: which field holds the pointer, from the outside in, and
//! the metadata it gets. Invariant: the path ends at a built-in pointer or reference.

use rustc_hir::LangItem;
use rustc_middle::traits::{ImplSource, ImplSourceUserDefinedData};
use rustc_middle::ty::adjustment::CustomCoerceUnsized;
use rustc_middle::ty::{self, Ty};
use rustc_span::DUMMY_SP;

use crate::context::Cx;
use crate::json::J;
use crate::obj;

impl<'tcx> Cx<'tcx> {
    /// The `extra` of an unsize cast.
    pub fn unsize(&mut self, from: Ty<'tcx>, to: Ty<'tcx>) -> J {
        let mut path: Vec<J> = Vec::new();
        let (mut source, mut target) = (from, to);
        let (source, target) = loop {
            match (source.kind(), target.kind()) {
                (&ty::Pat(a, _), &ty::Pat(b, _)) => (source, target) = (a, b),
                (&ty::Ref(_, a, _), &ty::Ref(_, b, _) | &ty::RawPtr(b, _)) | (&ty::RawPtr(a, _), &ty::RawPtr(b, _)) => {
                    break self.tcx.struct_lockstep_tails_for_codegen(a, b, self.typing_env);
                }
                (&ty::Adt(def, a), &ty::Adt(_, b)) if def.is_struct() => {
                    let index = self.coerced_field(source, target);
                    let field = &def.non_enum_variant().fields[index];
                    path.push(index.as_u32().into());
                    (source, target) = (self.normalize(field.ty(self.tcx, a)), self.normalize(field.ty(self.tcx, b)));
                }
                _ => self.tcx.dcx().fatal(format!("`{from}` cannot be unsized to `{to}`")),
            }
        };
        obj! { "path": path, "to": self.metadata(source, target) }
    }

    /// The field that an implementation of `CoerceUnsized` coerces.
    fn coerced_field(&self, source: Ty<'tcx>, target: Ty<'tcx>) -> rustc_abi::FieldIdx {
        let tcx = self.tcx;
        let coerce_unsized = tcx.require_lang_item(LangItem::CoerceUnsized, DUMMY_SP);
        let trait_ref = ty::TraitRef::new(tcx, coerce_unsized, [source, target]);
        if let Ok(ImplSource::UserDefined(ImplSourceUserDefinedData { impl_def_id, .. })) =
            tcx.codegen_select_candidate(self.typing_env.as_query_input(trait_ref))
            && let Ok(info) = tcx.coerce_unsized_info(*impl_def_id)
            && let Some(CustomCoerceUnsized::Struct(index)) = info.custom_kind
        {
            return index;
        }
        tcx.dcx().fatal(format!("`{source}` cannot be coerced to `{target}`"))
    }

    /// What the pointer gets: a length, a vtable, or another vtable.
    fn metadata(&mut self, source: Ty<'tcx>, target: Ty<'tcx>) -> J {
        let tcx = self.tcx;
        match (source.kind(), target.kind()) {
            (&ty::Array(_, len), &ty::Slice(_)) => {
                let len = len.try_to_target_usize(tcx).unwrap_or_else(|| tcx.dcx().fatal("unknown array length"));
                obj! { "length": len }
            }
            (&ty::Dynamic(a, _), &ty::Dynamic(b, _)) => {
                let stays = a.principal_def_id() == b.principal_def_id() || b.principal_def_id().is_none();
                let slot = if stays { None } else { tcx.supertrait_vtable_slot((source, target)) };
                obj! { "upcast": slot }
            }
            (_, &ty::Dynamic(predicates, _)) => {
                let principal = predicates.principal().map(|p| tcx.instantiate_bound_regions_with_erased(p));
                obj! { "vtable": self.vtable((source, principal)) }
            }
            _ => tcx.dcx().fatal(format!("`{source}` cannot be unsized to `{target}`")),
        }
    }
}
