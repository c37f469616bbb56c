// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Places and operands.
//!
//! Maps from: MIR places and operands. To: `P`, `E`, `O` of the format. Invariant: every type in a projection is monomorphic.

use rustc_middle::mir::{Operand, Place, PlaceElem, ProjectionElem, RuntimeChecks};

use crate::arr;
use crate::body::FnCx;
use crate::json::J;

impl<'tcx> FnCx<'_, 'tcx> {
    pub fn place(&mut self, place: Place<'tcx>) -> J {
        let mut parts = vec![J::from(place.local.as_u32())];
        for element in place.projection {
            parts.push(self.projection(element));
        }
        J::Arr(parts)
    }

    pub fn projection(&mut self, element: PlaceElem<'tcx>) -> J {
        match element {
            ProjectionElem::Deref => arr!["deref"],
            ProjectionElem::Field(field, ty) => {
                let ty = self.mono(ty);
                arr!["field", field.as_u32(), self.cx.ty(ty)]
            }
            ProjectionElem::Index(local) => arr!["index", local.as_u32()],
            ProjectionElem::ConstantIndex { offset, min_length, from_end } => {
                arr!["constant_index", offset, min_length, from_end]
            }
            ProjectionElem::Subslice { from, to, from_end } => arr!["subslice", from, to, from_end],
            ProjectionElem::Downcast(_, variant) => arr!["downcast", variant.as_u32()],
            ProjectionElem::OpaqueCast(ty) => {
                let ty = self.mono(ty);
                arr!["opaque_cast", self.cx.ty(ty)]
            }
            ProjectionElem::UnwrapUnsafeBinder(ty) => {
                let ty = self.mono(ty);
                arr!["unwrap_unsafe_binder", self.cx.ty(ty)]
            }
        }
    }

    pub fn operand(&mut self, operand: &Operand<'tcx>) -> J {
        match operand {
            Operand::Copy(place) => arr!["copy", self.place(*place)],
            Operand::Move(place) => arr!["move", self.place(*place)],
            Operand::Constant(constant) => {
                let value = self.mono(constant.const_);
                arr!["const", self.cx.constant(value, constant.span)]
            }
            Operand::RuntimeChecks(check) => arr![
                "runtime_checks",
                match check {
                    RuntimeChecks::UbChecks => "ub",
                    RuntimeChecks::ContractChecks => "contract",
                    RuntimeChecks::OverflowChecks => "overflow",
                }
            ],
        }
    }
}
