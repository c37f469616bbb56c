// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How values lie in memory and in registers, as rustc laid them out.
//!
//! Maps from: rustc's layouts. To: the keys `repr`, `encoding`, `pointee_info`, `unsized`. Invariant: nothing is derived that rustc
//! computes itself; valid ranges and niches are copied bit for bit.

use rustc_abi::{BackendRepr, PointeeInfo, PointerKind, Primitive, Scalar, Size, TagEncoding, VariantIdx, Variants};
use rustc_middle::ty::layout::{LayoutCx, TyAndLayout};
use rustc_middle::ty::{self, Ty};

use crate::context::Cx;
use crate::json::{J, big};
use crate::obj;

impl<'tcx> Cx<'tcx> {
    fn layout_cx(&self) -> LayoutCx<'tcx> {
        LayoutCx::new(self.tcx, self.typing_env)
    }

    /// The layout of one variant of an enum or coroutine.
    pub fn variant_layout(&self, layout: TyAndLayout<'tcx>, index: VariantIdx) -> TyAndLayout<'tcx> {
        layout.for_variant(&self.layout_cx(), index)
    }

    /// `R` of the format.
    pub fn repr(&self, repr: BackendRepr) -> J {
        match repr {
            BackendRepr::Scalar(s) => obj! { "kind": "scalar", "scalar": self.scalar(s) },
            BackendRepr::ScalarPair(a, b) => {
                let b_offset = a.size(&self.tcx).align_to(b.align(&self.tcx).abi);
                obj! { "kind": "pair", "a": self.scalar(a), "b": self.scalar(b), "b_offset": b_offset.bytes() }
            }
            BackendRepr::SimdVector { element, count } => {
                obj! { "kind": "vector", "scalar": self.scalar(element), "count": count }
            }
            BackendRepr::SimdScalableVector { .. } => self.tcx.dcx().fatal("scalable vectors have no representation on a GPU"),
            BackendRepr::Memory { sized } => obj! { "kind": "memory", "sized": sized },
        }
    }

    /// `S` of the format.
    fn scalar(&self, scalar: Scalar) -> J {
        let range = scalar.valid_range(&self.tcx);
        let init = matches!(scalar, Scalar::Initialized { .. });
        let bits = scalar.size(&self.tcx).bits();
        let mut keys = match scalar.primitive() {
            Primitive::Int(_, signed) => vec![("prim", J::from("int")), ("bits", bits.into()), ("signed", signed.into())],
            Primitive::Float(_) => vec![("prim", J::from("float")), ("bits", bits.into())],
            Primitive::Pointer(space) => vec![("prim", J::from("pointer")), ("bits", bits.into()), ("space", space.0.into())],
        };
        keys.push(("valid", J::Arr(vec![big(range.start), big(range.end)])));
        keys.push(("init", init.into()));
        J::Obj(keys)
    }

    /// `E` of the format.
    pub fn encoding(&self, layout: TyAndLayout<'tcx>) -> J {
        match &layout.variants {
            Variants::Empty => obj! { "kind": "empty" },
            Variants::Single { index } => obj! { "kind": "single", "variant": index.as_u32() },
            Variants::Multiple { tag, tag_encoding, tag_field, .. } => {
                let offset = layout.fields.offset(tag_field.as_usize()).bytes();
                match tag_encoding {
                    TagEncoding::Direct => obj! { "kind": "direct", "tag": self.scalar(*tag), "tag_offset": offset },
                    TagEncoding::Niche { untagged_variant, niche_variants, niche_start } => obj! {
                        "kind": "niche",
                        "tag": self.scalar(*tag),
                        "tag_offset": offset,
                        "untagged": untagged_variant.as_u32(),
                        "start_variant": niche_variants.start().as_u32(),
                        "end_variant": niche_variants.end().as_u32(),
                        "niche_start": big(*niche_start),
                    },
                }
            }
        }
    }

    /// `P` of the format: what rustc promises of the target of a pointer at the start of the value.
    pub fn pointee_info(&self, layout: TyAndLayout<'tcx>) -> J {
        let starts_with_pointer = match layout.backend_repr {
            BackendRepr::Scalar(s) | BackendRepr::ScalarPair(s, _) => matches!(s.primitive(), Primitive::Pointer(_)),
            _ => false,
        };
        if !starts_with_pointer {
            return J::Null;
        }
        let Some(PointeeInfo { safe, size, align }) = layout.pointee_info_at(&self.layout_cx(), Size::ZERO) else { return J::Null };
        let safe = safe.map(|kind| match kind {
            PointerKind::SharedRef { frozen: true } => "shared_frozen",
            PointerKind::SharedRef { frozen: false } => "shared",
            PointerKind::MutableRef { unpin: true } => "mut_unpin",
            PointerKind::MutableRef { unpin: false } => "mut",
            PointerKind::Box { unpin: true, .. } => "box_unpin",
            PointerKind::Box { unpin: false, .. } => "box",
        });
        obj! { "size": size.bytes(), "align": align.bytes(), "safe": safe }
    }

    /// `U` of the format.
    pub fn unsized_tail(&mut self, ty: Ty<'tcx>) -> J {
        let tail = self.tcx.struct_tail_for_codegen(ty, self.typing_env);
        let metadata = match tail.kind() {
            ty::Slice(_) | ty::Str => "length",
            ty::Dynamic(..) => "vtable",
            _ => "none",
        };
        obj! { "metadata": metadata, "tail": self.ty(tail) }
    }
}
