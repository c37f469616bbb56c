// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Rows of the type table: what kind of type it is and its variants.
//!
//! Maps from: monomorphic `Ty`. To: rows as docs/mir_format.md, "Types". Invariant: fields are in declaration order, which is MIR's
//! field index; discriminants are values, not indices; types refer to types alone (and a function item to its row, if it has one).

use rustc_abi::{FieldIdx, VariantIdx, Variants};
use rustc_hir::def_id::DefId;
use rustc_middle::ty::layout::TyAndLayout;
use rustc_middle::ty::{self, AdtDef, CoroutineArgsExt, GenericArgKind, GenericArgsRef, Instance, Ty, TyCtxt};

use crate::attrs;
use crate::context::Cx;
use crate::json::{J, Table, big};
use crate::{arr, obj, symbols};

/// A row's own keys, its definition, and its variants.
struct Kind {
    keys: Vec<(&'static str, J)>,
    def_id: Option<DefId>,
    variants: J,
}

impl Kind {
    fn plain(kind: &'static str, keys: Vec<(&'static str, J)>) -> Kind {
        let mut all = vec![("kind", J::from(kind))];
        all.extend(keys);
        Kind { keys: all, def_id: None, variants: arr![] }
    }

    fn of(kind: &'static str, keys: Vec<(&'static str, J)>, def_id: DefId, variants: J) -> Kind {
        Kind { def_id: Some(def_id), variants, ..Kind::plain(kind, keys) }
    }
}

impl<'tcx> Cx<'tcx> {
    /// The whole row of `ty`.
    pub fn describe_type(&mut self, ty: Ty<'tcx>) -> J {
        let tcx = self.tcx;
        let layout = self.layout(ty);
        let kind = self.type_kind(ty, layout);
        let name = self.types.rows[&ty].key.clone();
        let mut keys = kind.keys.into_iter();
        let mut row = vec![keys.next().expect("the kind"), ("name", J::Str(name))];
        row.extend(keys);
        let multi = ty.is_enum() || ty.is_coroutine();
        row.push(("size", layout.size.bytes().into()));
        row.push(("align", layout.align.abi.bytes().into()));
        row.push(("repr", self.repr(layout.backend_repr)));
        row.push((
            "encoding",
            if multi {
                self.encoding(layout)
            } else {
                obj! { "kind": "single", "variant": 0u32 }
            },
        ));
        row.push(("uninhabited", layout.uninhabited.into()));
        row.push(("freeze", ty.is_freeze(tcx, self.typing_env).into()));
        let unsized_tail = if layout.is_unsized() { self.unsized_tail(ty) } else { J::Null };
        row.push(("unsized", unsized_tail));
        row.push(("variants", kind.variants));
        row.push(("tool_attrs", kind.def_id.map_or(arr![], |id| attrs::tool_attrs_json(tcx, id))));
        let span = kind.def_id.map_or(J::Null, |id| self.span(tcx.def_span(id)));
        row.push(("span", span));
        J::Obj(row)
    }

    /// The layout of a monomorphic type; a type without one ends the export.
    pub fn layout(&self, ty: Ty<'tcx>) -> TyAndLayout<'tcx> {
        match self.tcx.layout_of(self.typing_env.as_query_input(ty)) {
            Ok(layout) => layout,
            Err(error) => self.tcx.dcx().fatal(format!("the layout of `{ty}` cannot be computed: {error:?}")),
        }
    }

    fn type_kind(&mut self, ty: Ty<'tcx>, layout: TyAndLayout<'tcx>) -> Kind {
        let tcx = self.tcx;
        match *ty.kind() {
            ty::Bool => Kind::plain("bool", vec![]),
            ty::Char => Kind::plain("char", vec![]),
            ty::Str => Kind::plain("str", vec![]),
            ty::Never => Kind::plain("never", vec![]),
            ty::Foreign(_) => Kind::plain("foreign", vec![]),
            ty::Int(_) | ty::Uint(_) => {
                Kind::plain("int", vec![("signed", ty.is_signed().into()), ("bits", layout.size.bits().into())])
            }
            ty::Float(_) => Kind::plain("float", vec![("bits", layout.size.bits().into())]),
            ty::Array(elem, len) => {
                let len =
                    len.try_to_target_usize(tcx).unwrap_or_else(|| tcx.dcx().fatal(format!("the length of `{ty}` is unknown")));
                Kind::plain("array", vec![("elem", self.ty(elem)), ("len", len.into())])
            }
            ty::Slice(elem) => Kind::plain("slice", vec![("elem", self.ty(elem))]),
            ty::Tuple(elems) => {
                let fields = elems.iter().enumerate().map(|(i, t)| (i.to_string(), t)).collect();
                let variants = arr![self.fields("".into(), 0, layout, fields)];
                Kind { variants, ..Kind::plain("tuple", vec![]) }
            }
            ty::Adt(def, args) => self.adt_kind(ty, def, args, layout),
            ty::Closure(id, args) => self.closure_kind("closure", id, args.as_closure().upvar_tys(), layout),
            ty::CoroutineClosure(id, args) => {
                self.closure_kind("coroutine_closure", id, args.as_coroutine_closure().upvar_tys(), layout)
            }
            ty::Coroutine(id, args) => self.coroutine_kind(ty, id, args, layout),
            ty::RawPtr(to, mutability) => self.pointer_kind("raw_ptr", to, mutability.is_mut(), layout),
            ty::Ref(_, to, mutability) => self.pointer_kind("ref", to, mutability.is_mut(), layout),
            ty::FnDef(id, args) => Kind::plain("fn_def", vec![("function", self.known_function(id, args))]),
            ty::FnPtr(sig, header) => self.fn_ptr_kind(sig.with(header)),
            ty::Dynamic(predicates, _) => Kind::plain("dyn", vec![("principal", symbols::principal_name(tcx, predicates).into())]),
            ty::Pat(base, _) => Kind::plain("pattern", vec![("base", self.ty(base))]),
            ty::UnsafeBinder(inner) => {
                let inner = tcx.instantiate_bound_regions_with_erased(*inner);
                Kind::plain("unsafe_binder", vec![("inner", self.ty(inner))])
            }
            ty::CoroutineWitness(..)
            | ty::Alias(_)
            | ty::Param(_)
            | ty::Bound(..)
            | ty::Placeholder(_)
            | ty::Infer(_)
            | ty::Error(_) => tcx.dcx().fatal(format!("the type `{ty}` is not monomorphic")),
        }
    }

    fn pointer_kind(&mut self, kind: &'static str, to: Ty<'tcx>, mutable: bool, layout: TyAndLayout<'tcx>) -> Kind {
        let info = self.pointee_info(layout);
        let keys = vec![("pointee", self.ty(to)), ("mutable", mutable.into()), ("pointee_info", info)];
        Kind::plain(kind, keys)
    }

    /// The row of a function item, if anything calls or reifies it.
    fn known_function(&self, id: DefId, args: GenericArgsRef<'tcx>) -> J {
        let resolved = Instance::try_resolve(self.tcx, self.typing_env, id, args).ok().flatten();
        resolved.and_then(|i| self.functions.rows.get_index_of(&i)).map_or(J::Null, |id| J::Ref(Table::Function, id as u32))
    }

    fn fn_ptr_kind(&mut self, sig: ty::PolyFnSig<'tcx>) -> Kind {
        let sig = self.tcx.normalize_erasing_late_bound_regions(self.typing_env, sig);
        let inputs: Vec<J> = sig.inputs().iter().map(|&t| self.ty(t)).collect();
        Kind::plain(
            "fn_ptr",
            vec![
                ("inputs", inputs.into()),
                ("output", self.ty(sig.output())),
                ("abi", sig.abi.as_str().into()),
                ("unsafe", sig.safety.is_unsafe().into()),
                ("variadic", sig.c_variadic.into()),
            ],
        )
    }

    fn adt_kind(&mut self, ty: Ty<'tcx>, def: AdtDef<'tcx>, args: GenericArgsRef<'tcx>, layout: TyAndLayout<'tcx>) -> Kind {
        let tcx = self.tcx;
        let kind = if def.is_struct() {
            "struct"
        } else if def.is_union() {
            "union"
        } else {
            "enum"
        };
        let mut variants = Vec::new();
        for (index, variant) in def.variants().iter_enumerated() {
            let fields = variant.fields.iter().map(|f| (f.name.to_string(), self.normalize(f.ty(tcx, args)))).collect();
            let discr = if def.is_enum() { ty.discriminant_for_variant(tcx, index).map_or(0, |d| d.val) } else { 0 };
            let layout = if def.is_enum() { self.variant_layout(layout, index) } else { layout };
            variants.push(self.fields(variant.name.to_string(), discr, layout, fields));
        }
        let info = self.pointee_info(layout);
        let mut keys = vec![
            ("def", symbols::plain_path(tcx, def.did()).into()),
            ("args", self.generic_args(args)),
            ("flags", adt_flags(tcx, def).into()),
            ("pointee_info", info),
        ];
        if def.is_enum() {
            keys.push(("discr_ty", self.ty(ty.discriminant_ty(tcx))));
        }
        Kind::of(kind, keys, def.did(), variants.into())
    }

    fn closure_kind(&mut self, kind: &'static str, id: DefId, upvars: &'tcx ty::List<Ty<'tcx>>, layout: TyAndLayout<'tcx>) -> Kind {
        let path = symbols::plain_path(self.tcx, id);
        let fields = self.upvars(id, upvars);
        let variants = arr![self.fields(path.clone(), 0, layout, fields)];
        Kind::of(kind, vec![("def", path.into())], id, variants)
    }

    fn upvars(&self, id: DefId, upvars: &'tcx ty::List<Ty<'tcx>>) -> Vec<(String, Ty<'tcx>)> {
        let names = self.tcx.closure_saved_names_of_captured_variables(id);
        upvars
            .iter()
            .enumerate()
            .map(|(i, t)| (names.get(FieldIdx::from_usize(i)).map_or(i.to_string(), |n| n.to_string()), t))
            .collect()
    }

    fn coroutine_kind(&mut self, ty: Ty<'tcx>, id: DefId, args: GenericArgsRef<'tcx>, layout: TyAndLayout<'tcx>) -> Kind {
        let tcx = self.tcx;
        let coroutine = args.as_coroutine();
        let states: Vec<Vec<Ty<'tcx>>> = coroutine.state_tys(id, tcx).map(|tys| tys.map(|t| self.normalize(t)).collect()).collect();
        let mut variants = Vec::new();
        for (i, saved) in states.into_iter().enumerate() {
            let index = VariantIdx::from_usize(i);
            let name = ty::CoroutineArgs::<TyCtxt<'tcx>>::variant_name(index).to_string();
            let state = self.variant_layout(layout, index);
            // Nothing is saved before the first resumption: variant 0 lists the captured variables, which every state has.
            let (fields, place) = if i == 0 {
                (self.upvars(id, coroutine.upvar_tys()), TyAndLayout { layout: layout.layout, ..state })
            } else {
                (saved.into_iter().enumerate().map(|(n, t)| (n.to_string(), t)).collect(), state)
            };
            variants.push(self.fields(name, i as u128, place, fields));
        }
        let keys = vec![("def", symbols::plain_path(tcx, id).into()), ("discr_ty", self.ty(ty.discriminant_ty(tcx)))];
        Kind::of("coroutine", keys, id, variants.into())
    }

    /// One variant: its name, discriminant and fields with their offsets.
    fn fields(&mut self, name: String, discr: u128, layout: TyAndLayout<'tcx>, fields: Vec<(String, Ty<'tcx>)>) -> J {
        // A variant that cannot exist has no layout of its own: its fields have no place.
        let has_place = layout.fields.count() >= fields.len() && !matches!(layout.variants, Variants::Empty if !fields.is_empty());
        let fields: Vec<J> = fields
            .into_iter()
            .enumerate()
            .map(|(i, (name, ty))| {
                let offset = if has_place { layout.fields.offset(i).bytes() } else { 0 };
                obj! { "name": name, "ty": self.ty(ty), "offset": offset }
            })
            .collect();
        obj! { "name": name, "discr": big(discr), "uninhabited": layout.uninhabited, "fields": fields }
    }

    /// Generic arguments without lifetimes.
    pub fn generic_args(&mut self, args: GenericArgsRef<'tcx>) -> J {
        let mut list = Vec::new();
        for arg in args {
            match arg.kind() {
                GenericArgKind::Lifetime(_) => {}
                GenericArgKind::Type(t) => list.push(obj! { "ty": self.ty(t) }),
                GenericArgKind::Const(c) => list.push(self.const_arg(c)),
            }
        }
        list.into()
    }

    /// A const argument: its bits, or the variant index of an enum such as an atomic ordering.
    fn const_arg(&mut self, constant: ty::Const<'tcx>) -> J {
        let Some(value) = constant.try_to_value() else {
            self.tcx.dcx().fatal(format!("the constant `{constant}` is not monomorphic"));
        };
        let mut leaf = value.valtree.try_to_leaf();
        if leaf.is_none()
            && let Some(first) = value.to_branch().first()
        {
            leaf = first.try_to_leaf();
        }
        obj! { "const": big(leaf.map_or(0, |l| l.to_bits_unchecked())), "ty": self.ty(value.ty) }
    }

    /// Normalizes a type found in a definition.
    pub fn normalize(&self, ty: Ty<'tcx>) -> Ty<'tcx> {
        self.tcx.normalize_erasing_regions(self.typing_env, ty)
    }
}

/// What kind of ADT lowering has to treat apart.
fn adt_flags<'tcx>(tcx: TyCtxt<'tcx>, def: AdtDef<'tcx>) -> Vec<&'static str> {
    let repr = def.repr();
    [
        (repr.packed(), "packed"),
        (def.is_box(), "box"),
        (def.is_unsafe_cell(), "unsafe_cell"),
        (def.is_manually_drop(), "manually_drop"),
        (def.is_phantom_data(), "phantom_data"),
        (repr.simd(), "simd"),
        (repr.c(), "repr_c"),
        (repr.transparent(), "repr_transparent"),
        (tcx.is_lang_item(def.did(), rustc_hir::LangItem::MaybeUninit), "maybe_uninit"),
    ]
    .into_iter()
    .filter_map(|(set, name)| set.then_some(name))
    .collect()
}
