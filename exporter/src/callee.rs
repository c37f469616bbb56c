// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What a call calls.
//!
//! Maps from: the callee operand of a call. To: `K` of the format, resolved for the instance, and the caller location it takes.
//! Invariant: every trait method is resolved; queries that have an answer at compile time are folded to it.

use rustc_hir::def_id::DefId;
use rustc_middle::mir::interpret::Scalar;
use rustc_middle::mir::{ConstValue, Operand, SourceInfo};
use rustc_middle::ty::layout::ValidityRequirement;
use rustc_middle::ty::{self, GenericArgsRef, Instance, InstanceKind, Ty};
use rustc_span::{Span, Spanned};

use crate::body::FnCx;
use crate::context::{AllocKey, Cx};
use crate::json::J;
use crate::{obj, symbols};

/// Where a caller location comes from.
pub enum Location {
    Forward,
    At(Span),
}

impl<'tcx> Cx<'tcx> {
    /// The alloc of the `core::panic::Location` of a span.
    pub fn location(&mut self, span: Span) -> J {
        match self.tcx.span_as_caller_location(span) {
            ConstValue::Scalar(Scalar::Ptr(pointer, _)) => self.alloc(AllocKey::Id(pointer.provenance.alloc_id())),
            other => self.tcx.dcx().fatal(format!("a caller location is a pointer, not {other:?}")),
        }
    }
}

impl<'tcx> FnCx<'_, 'tcx> {
    /// `K` and `L` for a call of `func`.
    pub fn callee(&mut self, func: &Operand<'tcx>, args: &[Spanned<Operand<'tcx>>], info: SourceInfo, tail: bool) -> (J, J) {
        let tcx = self.cx.tcx;
        let ty = self.mono(func.ty(self.body, tcx));
        let ty::FnDef(def_id, generic) = *ty.kind() else {
            return (obj! { "kind": "pointer", "operand": self.operand(func), "ty": self.cx.ty(ty) }, J::Null);
        };
        let mut instance = Instance::expect_resolve(tcx, self.cx.typing_env, def_id, generic, info.span);
        match instance.def {
            InstanceKind::DropGlue(_, None) => return (obj! { "kind": "nothing" }, J::Null),
            InstanceKind::Intrinsic(id) => return self.intrinsic(id, instance, ty, info),
            _ => {}
        }
        if tail && instance.def.requires_caller_location(tcx) {
            // A tail call passes no location: as rustc does, it goes through the function's pointer.
            instance = Instance::resolve_for_fn_ptr(tcx, self.cx.typing_env, def_id, generic).unwrap_or(instance);
        }
        let location = if instance.def.requires_caller_location(tcx) { self.caller_location(info) } else { J::Null };
        let _ = args;
        let callee = match instance.def {
            InstanceKind::Virtual(method, slot) => {
                obj! { "kind": "virtual", "slot": slot, "method": symbols::plain_path(tcx, method), "ty": self.cx.ty(ty) }
            }
            _ => obj! { "kind": "direct", "function": self.cx.called_function(instance), "ty": self.cx.ty(ty) },
        };
        (callee, location)
    }

    fn intrinsic(&mut self, id: DefId, instance: Instance<'tcx>, ty: Ty<'tcx>, info: SourceInfo) -> (J, J) {
        let tcx = self.cx.tcx;
        let intrinsic = tcx.intrinsic(id).expect("an intrinsic");
        let name = intrinsic.name.to_string();
        if let Some(folded) = self.folded(&name, instance.args, info.span) {
            return (folded, J::Null);
        }
        // A body behind the intrinsic may stand in for it, unless it only says that the backend must do it.
        let fallback = (!intrinsic.must_be_overridden).then(|| Instance::new_raw(id, instance.args));
        let location = if name == "caller_location" { self.caller_location(info) } else { J::Null };
        let callee = obj! {
            "kind": "intrinsic",
            "name": name,
            "args": self.cx.generic_args(instance.args),
            "fallback": fallback.map(|f| self.cx.called_function(f)),
            "ty": self.cx.ty(ty),
        };
        (callee, location)
    }

    /// Queries about types and the session, answered now.
    fn folded(&mut self, name: &str, args: GenericArgsRef<'tcx>, span: Span) -> Option<J> {
        let tcx = self.cx.tcx;
        let usize_value = |this: &mut Self, v: u64| {
            let value = ConstValue::from_target_usize(v, &tcx);
            obj! { "kind": "constant", "value": this.cx.constant_value(value, tcx.types.usize, span) }
        };
        let bool_value = |this: &mut Self, v: bool| {
            obj! { "kind": "constant", "value": this.cx.constant_value(ConstValue::from_bool(v), tcx.types.bool, span) }
        };
        let ty = args.types().next();
        Some(match (name, ty) {
            ("size_of", Some(ty)) => {
                let size = self.cx.layout(ty).size.bytes();
                usize_value(self, size)
            }
            ("align_of" | "min_align_of", Some(ty)) => {
                let align = self.cx.layout(ty).align.abi.bytes();
                usize_value(self, align)
            }
            ("variant_count", Some(ty)) => {
                let count = ty.ty_adt_def().map_or(0, |def| def.variants().len());
                usize_value(self, count as u64)
            }
            ("needs_drop", Some(ty)) => bool_value(self, ty.needs_drop(tcx, self.cx.typing_env)),
            ("type_name", Some(ty)) => {
                let text = rustc_const_eval::util::type_name(tcx, ty);
                let alloc_id = tcx.allocate_bytes_dedup(text.as_bytes(), rustc_middle::mir::interpret::CTFE_ALLOC_SALT);
                let value = ConstValue::Slice { alloc_id, meta: text.len() as u64 };
                let ty = Ty::new_static_str(tcx);
                obj! { "kind": "constant", "value": self.cx.constant_value(value, ty, span) }
            }
            ("ub_checks", _) => bool_value(self, tcx.sess.ub_checks()),
            ("contract_checks", _) => bool_value(self, tcx.sess.contract_checks()),
            ("overflow_checks", _) => bool_value(self, tcx.sess.overflow_checks()),
            ("assert_inhabited" | "assert_zero_valid" | "assert_mem_uninitialized_valid", Some(ty)) => {
                let requirement = ValidityRequirement::from_intrinsic(rustc_span::Symbol::intern(name))?;
                let holds = tcx.check_validity_requirement((requirement, self.cx.typing_env.as_query_input(ty))).unwrap_or(true);
                if !holds {
                    return None; // lowering panics where it stands
                }
                obj! { "kind": "nothing" }
            }
            _ => return None,
        })
    }

    /// `K` for dropping a value of type `ty`.
    pub fn drop_callee(&mut self, ty: Ty<'tcx>) -> J {
        if matches!(ty.kind(), ty::Dynamic(..)) {
            return obj! { "kind": "drop_virtual" };
        }
        let instance = Instance::resolve_drop_in_place(self.cx.tcx, ty);
        match instance.def {
            InstanceKind::DropGlue(_, None) => obj! { "kind": "nothing" },
            _ => obj! { "kind": "drop_glue", "function": self.cx.called_function(instance) },
        }
    }
}
