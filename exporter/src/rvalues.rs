// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Right-hand sides.
//!
//! Maps from: MIR rvalues. To: `RV` of the format. Invariant: what a cast needs beyond its types (the function it reifies, the vtable or
//! length it attaches) stands in its `extra`.

use rustc_middle::mir::{AggregateKind, BinOp, BorrowKind, CastKind, Operand, RawPtrKind, Rvalue, UnOp};
use rustc_middle::ty::adjustment::PointerCoercion;
use rustc_middle::ty::{self, Instance, Ty};

use crate::body::FnCx;
use crate::json::J;
use crate::{arr, obj};

impl<'tcx> FnCx<'_, 'tcx> {
    pub fn rvalue(&mut self, rvalue: &Rvalue<'tcx>) -> J {
        match rvalue {
            Rvalue::Use(operand) => arr!["use", self.operand(operand)],
            Rvalue::Repeat(operand, count) => {
                let count = self.mono(*count);
                let count =
                    count.try_to_target_usize(self.cx.tcx).unwrap_or_else(|| self.cx.tcx.dcx().fatal("unknown array length"));
                arr!["repeat", self.operand(operand), count]
            }
            Rvalue::Ref(_, kind, place) => {
                let kind = match kind {
                    BorrowKind::Shared => "shared",
                    BorrowKind::Mut { .. } => "mut",
                    BorrowKind::Fake(_) => "fake",
                };
                arr!["ref", kind, self.place(*place)]
            }
            Rvalue::ThreadLocalRef(def_id) => arr!["thread_local_ref", self.cx.static_(*def_id)],
            Rvalue::RawPtr(kind, place) => {
                let kind = match kind {
                    RawPtrKind::Const => "const",
                    RawPtrKind::Mut => "mut",
                    RawPtrKind::FakeForPtrMetadata => "fake",
                };
                arr!["raw_ptr", kind, self.place(*place)]
            }
            Rvalue::Cast(kind, operand, ty) => self.cast(*kind, operand, *ty),
            Rvalue::BinaryOp(op, operands) => {
                arr!["binary", binary_op(*op), self.operand(&operands.0), self.operand(&operands.1)]
            }
            Rvalue::UnaryOp(op, operand) => {
                let op = match op {
                    UnOp::Not => "not",
                    UnOp::Neg => "neg",
                    UnOp::PtrMetadata => "ptr_metadata",
                };
                arr!["unary", op, self.operand(operand)]
            }
            Rvalue::Discriminant(place) => arr!["discriminant", self.place(*place)],
            Rvalue::Aggregate(kind, operands) => self.aggregate(kind, rvalue, operands.iter()),
            Rvalue::CopyForDeref(place) => arr!["copy_for_deref", self.place(*place)],
            Rvalue::WrapUnsafeBinder(operand, ty) => {
                let ty = self.mono(*ty);
                arr!["wrap_unsafe_binder", self.operand(operand), self.cx.ty(ty)]
            }
        }
    }

    fn aggregate<'b>(
        &mut self,
        kind: &AggregateKind<'tcx>,
        rvalue: &Rvalue<'tcx>,
        operands: impl Iterator<Item = &'b Operand<'tcx>>,
    ) -> J
    where
        'tcx: 'b,
    {
        let ty = self.mono(rvalue.ty(self.body, self.cx.tcx));
        let (variant, active_field) = match kind {
            AggregateKind::Adt(_, variant, _, _, field) if ty.is_adt() => {
                (ty.is_enum().then(|| variant.as_u32()), field.map(|f| f.as_u32()))
            }
            AggregateKind::Adt(..)
            | AggregateKind::Array(_)
            | AggregateKind::Tuple
            | AggregateKind::Closure(..)
            | AggregateKind::Coroutine(..)
            | AggregateKind::CoroutineClosure(..)
            | AggregateKind::RawPtr(..) => (None, None),
        };
        let operands: Vec<J> = operands.map(|o| self.operand(o)).collect();
        arr!["aggregate", self.cx.ty(ty), variant, active_field, operands]
    }

    fn cast(&mut self, kind: CastKind, operand: &Operand<'tcx>, ty: Ty<'tcx>) -> J {
        let ty = self.mono(ty);
        let from = self.mono(operand.ty(self.body, self.cx.tcx));
        let (kind, extra) = match kind {
            CastKind::PointerExposeProvenance => ("pointer_expose_provenance", J::Null),
            CastKind::PointerWithExposedProvenance => ("pointer_with_exposed_provenance", J::Null),
            CastKind::PointerCoercion(PointerCoercion::ReifyFnPointer(_), _) => ("reify_fn_pointer", self.reified(from)),
            CastKind::PointerCoercion(PointerCoercion::UnsafeFnPointer, _) => ("unsafe_fn_pointer", J::Null),
            CastKind::PointerCoercion(PointerCoercion::ClosureFnPointer(_), _) => ("closure_fn_pointer", self.closure_once(from)),
            CastKind::PointerCoercion(PointerCoercion::Unsize, _) => ("unsize", self.cx.unsize(from, ty)),
            // A cast that changes mutability alone: the bits stay.
            CastKind::PointerCoercion(PointerCoercion::MutToConstPointer | PointerCoercion::ArrayToPointer, _)
            | CastKind::PtrToPtr => ("ptr_to_ptr", J::Null),
            CastKind::IntToInt => ("int_to_int", J::Null),
            CastKind::FloatToInt => ("float_to_int", J::Null),
            CastKind::FloatToFloat => ("float_to_float", J::Null),
            CastKind::IntToFloat => ("int_to_float", J::Null),
            CastKind::FnPtrToPtr => ("fn_ptr_to_ptr", J::Null),
            CastKind::Transmute => ("transmute", J::Null),
            CastKind::Subtype => ("subtype", J::Null),
        };
        arr!["cast", kind, self.operand(operand), self.cx.ty(ty), extra]
    }

    /// The function that a function item becomes as a pointer.
    fn reified(&mut self, from: Ty<'tcx>) -> J {
        let ty::FnDef(id, args) = *from.kind() else { self.cx.tcx.dcx().fatal(format!("`{from}` cannot be a function pointer")) };
        match Instance::resolve_for_fn_ptr(self.cx.tcx, self.cx.typing_env, id, args) {
            Some(instance) => obj! { "function": self.cx.function(instance) },
            None => self.cx.tcx.dcx().fatal(format!("`{from}` cannot be resolved")),
        }
    }

    /// The function that a closure without captures becomes as a pointer.
    fn closure_once(&mut self, from: Ty<'tcx>) -> J {
        let ty::Closure(id, args) = *from.kind() else { self.cx.tcx.dcx().fatal(format!("`{from}` is no closure")) };
        let instance = Instance::resolve_closure(self.cx.tcx, id, args, ty::ClosureKind::FnOnce);
        obj! { "function": self.cx.function(instance) }
    }
}

/// The format's word for a binary operator.
pub fn binary_op(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "add",
        BinOp::Sub => "sub",
        BinOp::Mul => "mul",
        BinOp::AddUnchecked => "add_unchecked",
        BinOp::SubUnchecked => "sub_unchecked",
        BinOp::MulUnchecked => "mul_unchecked",
        BinOp::AddWithOverflow => "add_with_overflow",
        BinOp::SubWithOverflow => "sub_with_overflow",
        BinOp::MulWithOverflow => "mul_with_overflow",
        BinOp::Div => "div",
        BinOp::Rem => "rem",
        BinOp::BitXor => "bit_xor",
        BinOp::BitAnd => "bit_and",
        BinOp::BitOr => "bit_or",
        BinOp::Shl => "shl",
        BinOp::ShlUnchecked => "shl_unchecked",
        BinOp::Shr => "shr",
        BinOp::ShrUnchecked => "shr_unchecked",
        BinOp::Eq => "eq",
        BinOp::Lt => "lt",
        BinOp::Le => "le",
        BinOp::Ne => "ne",
        BinOp::Ge => "ge",
        BinOp::Gt => "gt",
        BinOp::Cmp => "cmp",
        BinOp::Offset => "offset",
    }
}
