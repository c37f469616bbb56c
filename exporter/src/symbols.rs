// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Names that are the same on every machine: definition path + canonical generic arguments, no hashes.
//!
//! Maps from: definitions and types. To: text such as `<f32 as core::ops::arith::Add>::add` or `k::map<f32,k::main::{closure#0}>`.
//! Invariant: a name depends on the source alone, not on crate hashes, paths of files or re-exports. Two things may still share one
//! (two versions of a crate); `context::Cx` then appends `#2`, `#3`, … in the order of discovery.

use std::fmt::Write as _;

use rustc_hir::def::DefKind;
use rustc_hir::def_id::DefId;
use rustc_hir::definitions::DefPathData;
use rustc_middle::ty::{self, GenericArg, GenericArgKind, GenericArgsRef, Ty, TyCtxt};

/// The path of `def_id` with the generic parameters of its own definition.
pub fn def_path(tcx: TyCtxt<'_>, def_id: DefId) -> String {
    path_with_args(tcx, def_id, ty::GenericArgs::identity_for_item(tcx, def_id))
}

/// The path of `def_id` without any generic arguments, for `def` keys.
pub fn plain_path(tcx: TyCtxt<'_>, def_id: DefId) -> String {
    let key = tcx.def_key(def_id);
    let Some(parent) = key.parent else { return tcx.crate_name(def_id.krate).to_string() };
    let parent = DefId { krate: def_id.krate, index: parent };
    if key.disambiguated_data.data == DefPathData::Impl {
        return def_path(tcx, def_id);
    }
    let segment = segment(&key.disambiguated_data);
    let parent = plain_path(tcx, parent);
    if segment.is_empty() { parent } else { format!("{parent}::{segment}") }
}

/// The path of `def_id`, its parameters replaced by `args`.
pub fn path_with_args<'tcx>(tcx: TyCtxt<'tcx>, def_id: DefId, args: GenericArgsRef<'tcx>) -> String {
    let key = tcx.def_key(def_id);
    let Some(parent) = key.parent else { return tcx.crate_name(def_id.krate).to_string() };
    let parent = DefId { krate: def_id.krate, index: parent };
    if key.disambiguated_data.data == DefPathData::Impl {
        return impl_path(tcx, def_id, args);
    }
    let generics = has_generics(tcx, def_id).then(|| tcx.generics_of(def_id));
    let mut own: &[GenericArg<'tcx>] = &[];
    let mut text = match generics {
        Some(g) if g.parent.is_some() && tcx.def_kind(parent) == DefKind::Trait && g.has_self_in_parent(tcx, parent) => {
            own = &args[g.parent_count.min(args.len())..g.count().min(args.len())];
            trait_item_path(tcx, parent, args)
        }
        // An item inside a function or block knows nothing of the parameters around it.
        Some(g) if g.parent.is_none() => {
            own = &args[..g.count().min(args.len())];
            if tcx.def_kind(def_id) == DefKind::Trait && g.has_self {
                own = own.get(1..).unwrap_or(&[]);
            }
            plain_path(tcx, parent)
        }
        Some(g) => {
            own = &args[g.parent_count.min(args.len())..g.count().min(args.len())];
            path_with_args(tcx, parent, args)
        }
        None => plain_path(tcx, parent),
    };
    let segment = segment(&key.disambiguated_data);
    if !segment.is_empty() {
        text.push_str("::");
        text.push_str(&segment);
    }
    if !tcx.is_closure_like(def_id) {
        push_args(tcx, own, &mut text);
    }
    text
}

trait GenericsExt {
    fn has_self_in_parent(&self, tcx: TyCtxt<'_>, parent: DefId) -> bool;
}

impl GenericsExt for ty::Generics {
    /// Whether the item stands directly in a trait, so that its first argument is `Self`.
    fn has_self_in_parent(&self, tcx: TyCtxt<'_>, parent: DefId) -> bool {
        self.parent == Some(parent) && tcx.generics_of(parent).has_self
    }
}

fn has_generics(tcx: TyCtxt<'_>, def_id: DefId) -> bool {
    !matches!(
        tcx.def_kind(def_id),
        DefKind::Mod
            | DefKind::ForeignMod
            | DefKind::Use
            | DefKind::ExternCrate
            | DefKind::GlobalAsm
            | DefKind::Static { nested: true, .. }
    )
}

/// `name`, or `name#1` for the second thing of that name in one scope.
fn segment(data: &rustc_hir::definitions::DisambiguatedDefPathData) -> String {
    let n = data.disambiguator;
    match data.data {
        DefPathData::TypeNs(name)
        | DefPathData::ValueNs(name)
        | DefPathData::MacroNs(name)
        | DefPathData::LifetimeNs(name)
        | DefPathData::OpaqueLifetime(name) => {
            if n == 0 {
                name.to_string()
            } else {
                format!("{name}#{n}")
            }
        }
        DefPathData::Closure => format!("{{closure#{n}}}"),
        DefPathData::AnonConst | DefPathData::LateAnonConst => format!("{{constant#{n}}}"),
        DefPathData::OpaqueTy | DefPathData::AnonAssocTy(_) => format!("{{opaque#{n}}}"),
        DefPathData::SyntheticCoroutineBody => format!("{{body#{n}}}"),
        DefPathData::NestedStatic => format!("{{nested#{n}}}"),
        DefPathData::GlobalAsm => format!("{{global_asm#{n}}}"),
        DefPathData::Use => format!("{{use#{n}}}"),
        DefPathData::DesugaredAnonymousLifetime => "'_".to_string(),
        // A constructor is named by its type, an extern block by nothing.
        DefPathData::Ctor | DefPathData::ForeignMod | DefPathData::CrateRoot | DefPathData::Impl => String::new(),
    }
}

/// `<Self as Trait<…>>` for an item of a trait that no impl overrides.
fn trait_item_path<'tcx>(tcx: TyCtxt<'tcx>, trait_id: DefId, args: GenericArgsRef<'tcx>) -> String {
    let count = tcx.generics_of(trait_id).count();
    let trait_args = tcx.mk_args(&args[..count.min(args.len())]);
    let mut text = String::from("<");
    match trait_args.get(0).map(|a| a.kind()) {
        Some(GenericArgKind::Type(this)) => push_type(tcx, this, &mut text),
        _ => text.push('_'),
    }
    text.push_str(" as ");
    text.push_str(&path_with_args(tcx, trait_id, trait_args));
    text.push('>');
    text
}

/// `<Self>` or `<Self as Trait<…>>`.
fn impl_path<'tcx>(tcx: TyCtxt<'tcx>, impl_id: DefId, args: GenericArgsRef<'tcx>) -> String {
    let count = tcx.generics_of(impl_id).count();
    let args = tcx.mk_args(&args[..count.min(args.len())]);
    let mut text = String::from("<");
    if let Some(trait_ref) = tcx.impl_opt_trait_ref(impl_id) {
        let trait_ref = erase(tcx, trait_ref.instantiate(tcx, args));
        push_type(tcx, trait_ref.self_ty(), &mut text);
        text.push_str(" as ");
        text.push_str(&path_with_args(tcx, trait_ref.def_id, trait_ref.args));
    } else {
        push_type(tcx, erase(tcx, tcx.type_of(impl_id).instantiate(tcx, args)), &mut text);
    }
    text.push('>');
    text
}

/// Normalizes where nothing is generic; an identity path keeps its aliases.
fn erase<'tcx, T: ty::TypeFoldable<TyCtxt<'tcx>> + Copy>(tcx: TyCtxt<'tcx>, value: T) -> T {
    if ty::TypeVisitableExt::has_param(&value) {
        return tcx.erase_and_anonymize_regions(value);
    }
    tcx.try_normalize_erasing_regions(ty::TypingEnv::fully_monomorphized(), value).unwrap_or(value)
}

fn push_args<'tcx>(tcx: TyCtxt<'tcx>, args: &[GenericArg<'tcx>], out: &mut String) {
    let mut open = false;
    for arg in args {
        if matches!(arg.kind(), GenericArgKind::Lifetime(_)) {
            continue;
        }
        out.push(if open { ',' } else { '<' });
        open = true;
        match arg.kind() {
            GenericArgKind::Type(t) => push_type(tcx, t, out),
            GenericArgKind::Const(c) => push_const(tcx, c, out),
            GenericArgKind::Lifetime(_) => {}
        }
    }
    if open {
        out.push('>');
    }
}

/// The canonical name of a type.
pub fn type_name<'tcx>(tcx: TyCtxt<'tcx>, ty: Ty<'tcx>) -> String {
    let mut text = String::new();
    push_type(tcx, ty, &mut text);
    text
}

fn push_list<'tcx>(tcx: TyCtxt<'tcx>, types: impl IntoIterator<Item = Ty<'tcx>>, out: &mut String) -> usize {
    let mut n = 0;
    for ty in types {
        if n > 0 {
            out.push(',');
        }
        push_type(tcx, ty, out);
        n += 1;
    }
    n
}

fn push_type<'tcx>(tcx: TyCtxt<'tcx>, ty: Ty<'tcx>, out: &mut String) {
    match *ty.kind() {
        ty::Bool | ty::Char | ty::Int(_) | ty::Uint(_) | ty::Float(_) | ty::Str | ty::Never | ty::Param(_) => {
            let _ = write!(out, "{ty}");
        }
        ty::Adt(def, args) => out.push_str(&path_with_args(tcx, def.did(), args)),
        ty::Foreign(id) => out.push_str(&plain_path(tcx, id)),
        ty::Array(elem, len) => {
            out.push('[');
            push_type(tcx, elem, out);
            out.push(';');
            push_const(tcx, len, out);
            out.push(']');
        }
        ty::Slice(elem) => {
            out.push('[');
            push_type(tcx, elem, out);
            out.push(']');
        }
        ty::Pat(base, pattern) => {
            push_type(tcx, base, out);
            out.push_str(" is ");
            push_pattern(tcx, *pattern, out);
        }
        ty::RawPtr(to, mutability) => {
            out.push_str(if mutability.is_mut() { "*mut " } else { "*const " });
            push_type(tcx, to, out);
        }
        ty::Ref(_, to, mutability) => {
            out.push_str(if mutability.is_mut() { "&mut " } else { "&" });
            push_type(tcx, to, out);
        }
        ty::FnDef(id, args) => {
            out.push_str("fn item ");
            out.push_str(&path_with_args(tcx, id, args));
        }
        ty::Closure(id, args) | ty::Coroutine(id, args) | ty::CoroutineClosure(id, args) | ty::CoroutineWitness(id, args) => {
            out.push_str(&path_with_args(tcx, id, args));
        }
        ty::FnPtr(sig, header) => push_fn_ptr(tcx, sig.with(header), out),
        ty::UnsafeBinder(inner) => {
            out.push_str("unsafe<> ");
            push_type(tcx, inner.skip_binder(), out);
        }
        ty::Dynamic(predicates, _) => push_dyn(tcx, predicates, out),
        ty::Tuple(elems) => {
            out.push('(');
            if push_list(tcx, elems, out) == 1 {
                out.push(',');
            }
            out.push(')');
        }
        ty::Alias(alias) => out.push_str(&path_with_args(tcx, alias.kind.def_id(), alias.args)),
        ty::Bound(..) | ty::Placeholder(_) | ty::Infer(_) | ty::Error(_) => {
            let _ = write!(out, "{ty:?}");
        }
    }
}

fn push_pattern<'tcx>(tcx: TyCtxt<'tcx>, pattern: ty::PatternKind<'tcx>, out: &mut String) {
    match pattern {
        ty::PatternKind::Range { start, end } => {
            push_const(tcx, start, out);
            out.push_str("..=");
            push_const(tcx, end, out);
        }
        ty::PatternKind::Or(patterns) => {
            for (i, inner) in patterns.iter().enumerate() {
                if i > 0 {
                    out.push('|');
                }
                push_pattern(tcx, *inner, out);
            }
        }
        ty::PatternKind::NotNull => out.push_str("!null"),
    }
}

fn push_fn_ptr<'tcx>(tcx: TyCtxt<'tcx>, sig: ty::PolyFnSig<'tcx>, out: &mut String) {
    if !sig.bound_vars().is_empty() {
        let _ = write!(out, "for<{}> ", sig.bound_vars().len());
    }
    let sig = sig.skip_binder();
    if sig.safety.is_unsafe() {
        out.push_str("unsafe ");
    }
    if !sig.abi.is_rustic_abi() {
        let _ = write!(out, "extern \"{}\" ", sig.abi.as_str());
    }
    out.push_str("fn(");
    push_list(tcx, sig.inputs().iter().copied(), out);
    if sig.c_variadic {
        out.push_str(",...");
    }
    out.push(')');
    if !sig.output().is_unit() {
        out.push_str("->");
        push_type(tcx, sig.output(), out);
    }
}

fn push_dyn<'tcx>(tcx: TyCtxt<'tcx>, predicates: &'tcx ty::List<ty::PolyExistentialPredicate<'tcx>>, out: &mut String) {
    out.push_str("dyn ");
    let principal = principal_name(tcx, predicates);
    out.push_str(principal.as_deref().unwrap_or(""));
    let mut autos: Vec<String> = predicates.auto_traits().map(|id| plain_path(tcx, id)).collect();
    autos.sort();
    for (i, auto) in autos.iter().enumerate() {
        if i > 0 || principal.is_some() {
            out.push('+');
        }
        out.push_str(auto);
    }
}

/// `path<args, Item=u32>` of a trait object's principal trait.
pub fn principal_name<'tcx>(tcx: TyCtxt<'tcx>, predicates: &'tcx ty::List<ty::PolyExistentialPredicate<'tcx>>) -> Option<String> {
    let principal = predicates.principal()?;
    let mut text = existential_name(tcx, principal.skip_binder());
    let mut projections: Vec<String> = predicates
        .projection_bounds()
        .map(|p| {
            let p = p.skip_binder();
            let mut bound = format!("{}=", tcx.item_name(p.def_id));
            match p.term.kind() {
                ty::TermKind::Ty(t) => push_type(tcx, t, &mut bound),
                ty::TermKind::Const(c) => push_const(tcx, c, &mut bound),
            }
            bound
        })
        .collect();
    projections.sort();
    if !projections.is_empty() {
        let inner = projections.join(",");
        text = match text.strip_suffix('>') {
            Some(open) => format!("{open},{inner}>"),
            None => format!("{text}<{inner}>"),
        };
    }
    Some(text)
}

/// `path<args>` of a trait reference without its `Self`.
pub fn existential_name<'tcx>(tcx: TyCtxt<'tcx>, trait_ref: ty::ExistentialTraitRef<'tcx>) -> String {
    let mut text = plain_path(tcx, trait_ref.def_id);
    push_args(tcx, trait_ref.args, &mut text);
    text
}

/// A constant as a number, a string of its parts, or `_`.
fn push_const<'tcx>(tcx: TyCtxt<'tcx>, constant: ty::Const<'tcx>, out: &mut String) {
    match constant.kind() {
        ty::ConstKind::Value(value) => match value.ty.kind() {
            ty::Bool => out.push_str(if value.try_to_bool() == Some(true) { "true" } else { "false" }),
            _ => match value.valtree.try_to_leaf() {
                Some(leaf) => push_leaf(value.ty, leaf, out),
                None => {
                    out.push('{');
                    for (i, part) in value.to_branch().iter().enumerate() {
                        if i > 0 {
                            out.push(',');
                        }
                        push_const(tcx, *part, out);
                    }
                    out.push('}');
                }
            },
        },
        ty::ConstKind::Param(param) => {
            let _ = write!(out, "{}", param.name);
        }
        _ => out.push('_'),
    }
}

fn push_leaf(ty: Ty<'_>, leaf: ty::ScalarInt, out: &mut String) {
    let _ = match ty.kind() {
        ty::Int(_) => write!(out, "{}", leaf.to_int(leaf.size())),
        _ => write!(out, "{}", leaf.to_bits_unchecked()),
    };
}

pub const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, which is the same everywhere.
pub fn fnv1a(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}
