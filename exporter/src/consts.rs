// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Constants of MIR as values.
//!
//! Maps from: `mir::ConstOperand`, evaluated in its instance. To: `C` of the format. Invariant: a constant that cannot be evaluated has
//! been reported by rustc itself; the export then ends without a file.

use rustc_middle::mir::interpret::{GlobalAlloc, Scalar};
use rustc_middle::mir::{Const, ConstValue};
use rustc_middle::ty::Ty;
use rustc_span::Span;

use crate::context::{AllocKey, Cx};
use crate::json::{J, big};
use crate::{arr, obj};

impl<'tcx> Cx<'tcx> {
    /// A monomorphic constant.
    pub fn constant(&mut self, constant: Const<'tcx>, span: Span) -> J {
        let ty = constant.ty();
        let value = match constant.eval(self.tcx, self.typing_env, span) {
            Ok(value) => self.const_value(value),
            Err(_) => {
                self.failed = true;
                obj! { "undef": true }
            }
        };
        self.constant_of(ty, value, span)
    }

    fn constant_of(&mut self, ty: Ty<'tcx>, value: J, span: Span) -> J {
        obj! { "ty": self.ty(ty), "value": value, "span": self.span(span) }
    }

    /// A constant whose value is already known.
    pub fn constant_value(&mut self, value: ConstValue, ty: Ty<'tcx>, span: Span) -> J {
        let value = self.const_value(value);
        self.constant_of(ty, value, span)
    }

    fn const_value(&mut self, value: ConstValue) -> J {
        if value.all_bytes_uninit(self.tcx) {
            return obj! { "undef": true };
        }
        match value {
            ConstValue::ZeroSized => "zst".into(),
            ConstValue::Scalar(Scalar::Int(int)) => obj! { "scalar": big(int.to_bits_unchecked()) },
            ConstValue::Scalar(Scalar::Ptr(pointer, _)) => {
                let (provenance, offset) = pointer.prov_and_relative_offset();
                let id = provenance.alloc_id();
                if let GlobalAlloc::TypeId { .. } = self.tcx.global_alloc(id) {
                    // A piece of a TypeId: the bytes are the hash.
                    return obj! { "scalar": big(offset.bytes().into()) };
                }
                let alloc = self.alloc(AllocKey::Id(id));
                obj! { "ptr": arr![alloc, offset.bytes()] }
            }
            ConstValue::Slice { alloc_id, meta } => {
                let alloc = self.alloc(AllocKey::Id(alloc_id));
                obj! { "slice": arr![alloc, meta] }
            }
            ConstValue::Indirect { alloc_id, offset } => {
                let alloc = self.alloc(AllocKey::Id(alloc_id));
                obj! { "indirect": arr![alloc, offset.bytes()] }
            }
        }
    }
}
