// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Rows of the function table.
//!
//! Maps from: resolved instances. To: attributes, signature and, where code can reach it, the body. Invariant: `body` is null for
//! foreign functions, intrinsic stubs, panic entries and functions that a panic's arguments name but do not call; every other function has one.

use rustc_hir::attrs::InlineAttr;
use rustc_hir::def::DefKind;
use rustc_middle::middle::codegen_fn_attrs::{CodegenFnAttrFlags, CodegenFnAttrs};
use rustc_middle::ty::{self, Instance, InstanceKind, Ty, TyCtxt};
use rustc_target::callconv::PassMode;

use crate::context::{Cx, Reach};
use crate::json::{J, Row};
use crate::{attrs, instances, symbols};

impl<'tcx> Cx<'tcx> {
    pub fn describe_function(&mut self, id: u32, reach: Reach) {
        let tcx = self.tcx;
        let (&instance, entry) = self.functions.rows.get_index(id as usize).expect("given by function()");
        let symbol = entry.key.clone();
        let def_id = instance.def_id();
        let tool = attrs::tool_attrs(tcx, def_id);
        let is_stub = tool.iter().any(|a| a.path == "intrinsic");
        let has_mir = self.has_body(instance);
        let foreign = matches!(instance.def, InstanceKind::Item(_)) && tcx.is_foreign_item(def_id);
        if !has_mir && !foreign && !attrs::is_panic_entry(tcx, def_id) {
            tcx.dcx().span_err(tcx.def_span(def_id), format!("`{symbol}` has no MIR: its crate was not compiled for the device"));
        }
        let codegen = tcx.codegen_instance_attrs(instance.def);
        let sig = self.signature(instance, has_mir);
        let body = if has_mir && !is_stub && reach > Reach::Named { self.body(instance) } else { J::Null };
        let mut row = vec![
            ("symbol", J::from(symbol)),
            ("def_path", symbols::plain_path(tcx, def_id).into()),
            ("shim", instances::shim_kind(instance.def).into()),
            ("abi", sig.abi.into()),
            ("variadic", sig.variadic.into()),
            ("foreign", foreign.into()),
            ("spread_arg", sig.spread_arg.into()),
            ("track_caller", instance.def.requires_caller_location(tcx).into()),
        ];
        row.extend(codegen_keys(instance, &codegen));
        row.extend([
            ("lang", attrs::lang_name(tcx, def_id).into()),
            ("tool_attrs", attrs::tool_attrs_json(tcx, def_id)),
            ("inputs", sig.inputs.iter().map(|&t| self.ty(t)).collect::<Vec<_>>().into()),
            ("output", self.ty(sig.output)),
            ("pass_modes", self.pass_modes(instance, sig.abi)),
            ("crate", tcx.crate_name(def_id.krate).to_string().into()),
            ("local", def_id.is_local().into()),
            ("body", body),
            ("span", self.span(tcx.def_span(def_id))),
        ]);
        if let Some(name) = attrs::formatting_trait(tcx, def_id) {
            row.push(("trait", name.into()));
        }
        self.functions.rows[id as usize].row = Row::new(&J::Obj(row));
    }

    /// The types as the body sees them, or as the signature says where there is no body.
    fn signature(&self, instance: Instance<'tcx>, has_mir: bool) -> Signature<'tcx> {
        let tcx = self.tcx;
        let (abi, variadic, sig) = match *instance.ty(tcx, self.typing_env).kind() {
            ty::FnDef(id, args) => {
                let sig = tcx.fn_sig(id).instantiate(tcx, args);
                (sig.abi().as_str(), sig.c_variadic(), Some(tcx.normalize_erasing_late_bound_regions(self.typing_env, sig)))
            }
            ty::Closure(..) | ty::CoroutineClosure(..) => ("rust-call", false, None),
            _ => ("Rust", false, None),
        };
        if has_mir {
            let body = tcx.instance_mir(instance.def);
            let inputs = body.args_iter().map(|l| self.mono(instance, body.local_decls[l].ty)).collect();
            let output = self.mono(instance, body.return_ty());
            let spread_arg = body.spread_arg.map(|l| l.as_u32());
            return Signature { abi, variadic, inputs, output, spread_arg };
        }
        match sig {
            Some(sig) => Signature { abi, variadic, inputs: sig.inputs().to_vec(), output: sig.output(), spread_arg: None },
            None => Signature { abi, variadic, inputs: vec![], output: tcx.types.unit, spread_arg: None },
        }
    }

    /// Monomorphizes what a body says.
    pub fn mono<T: ty::TypeFoldable<ty::TyCtxt<'tcx>>>(&self, instance: Instance<'tcx>, value: T) -> T {
        instance.instantiate_mir_and_normalize_erasing_regions(self.tcx, self.typing_env, ty::EarlyBinder::bind(value))
    }

    /// How the C ABI passes each argument, and the result last.
    fn pass_modes(&self, instance: Instance<'tcx>, abi: &str) -> J {
        if !matches!(abi, "C" | "system" | "C-unwind" | "system-unwind" | "sysv64" | "aapcs") {
            return J::Null;
        }
        let Ok(abi) = self.tcx.fn_abi_of_instance(self.typing_env.as_query_input((instance, ty::List::empty()))) else {
            return J::Null;
        };
        let mode = |mode: &PassMode| match mode {
            PassMode::Ignore => "ignore",
            PassMode::Direct(_) => "direct",
            PassMode::Pair(..) => "pair",
            PassMode::Cast { .. } => "cast",
            PassMode::Indirect { .. } => "indirect",
        };
        let mut modes: Vec<&'static str> = abi.args.iter().map(|a| mode(&a.mode)).collect();
        modes.push(mode(&abi.ret.mode));
        modes.into()
    }
}

struct Signature<'tcx> {
    abi: &'static str,
    variadic: bool,
    inputs: Vec<Ty<'tcx>>,
    output: Ty<'tcx>,
    spread_arg: Option<u32>,
}

/// The keys that come from rustc's code generation attributes.
fn codegen_keys(instance: Instance<'_>, attrs: &CodegenFnAttrs) -> Vec<(&'static str, J)> {
    let inline = match attrs.inline {
        InlineAttr::None => "none",
        InlineAttr::Hint => "hint",
        InlineAttr::Always | InlineAttr::Force { .. } => "always",
        InlineAttr::Never => "never",
    };
    let features: Vec<J> = attrs.target_features.iter().map(|f| J::Str(f.name.to_string())).collect();
    let name = attrs.symbol_name.map(|s| s.to_string());
    let is_export = !matches!(instance.def, InstanceKind::Item(_)) || name.is_none();
    let linkage = attrs.linkage.or(attrs.import_linkage).map(|l| format!("{l:?}").to_lowercase());
    let foreign = attrs.flags.contains(CodegenFnAttrFlags::FOREIGN_ITEM);
    let (link_name, export_name) = match name {
        Some(name) if foreign => (Some(name), None),
        Some(name) if !is_export => (None, Some(name)),
        _ => (None, None),
    };
    vec![
        ("inline", inline.into()),
        ("cold", attrs.flags.contains(CodegenFnAttrFlags::COLD).into()),
        ("naked", attrs.flags.contains(CodegenFnAttrFlags::NAKED).into()),
        ("target_features", features.into()),
        ("link_name", link_name.into()),
        ("export_name", export_name.into()),
        ("linkage", linkage.into()),
        ("section", attrs.link_section.map(|s| s.to_string()).into()),
    ]
}

/// Whether a definition can be a function instance at all.
pub fn is_function(kind: DefKind) -> bool {
    matches!(kind, DefKind::Fn | DefKind::AssocFn)
}

/// Refuses intrinsic stubs of this crate that rustc may inline: their calls would vanish without a trace.
pub fn check_stubs(tcx: TyCtxt<'_>) {
    for id in tcx.hir_crate_items(()).definitions() {
        let id = id.to_def_id();
        if is_function(tcx.def_kind(id))
            && attrs::tool_attr(tcx, id, "intrinsic").is_some()
            && tcx.codegen_fn_attrs(id).inline != InlineAttr::Never
        {
            let path = symbols::plain_path(tcx, id);
            tcx.dcx().span_err(tcx.def_span(id), format!("the intrinsic stub `{path}` must be `#[inline(never)]`"));
        }
    }
}
