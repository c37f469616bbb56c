// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Kernels: which there are, and how the host names and calls them.
//!
//! Maps from: functions with `#[mirgpu_tool::kernel]` and the kernel instances that host code launches. To: rows of the kernel table.
//! Invariant: key and entry name are each unique in the file; a program where they are not is refused.

use std::collections::BTreeMap;

use rustc_middle::ty::{self, Instance, Ty};

use crate::context::Cx;
use crate::json::{J, Row};
use crate::{attrs, host, obj, symbols};

impl<'tcx> Cx<'tcx> {
    /// Every kernel of this crate: the local ones that need no arguments, then the instances that its host code names.
    pub fn find_kernels(&self) -> Vec<Instance<'tcx>> {
        let tcx = self.tcx;
        let mut found = Vec::new();
        for def_id in tcx.hir_crate_items(()).definitions() {
            let def_id = def_id.to_def_id();
            if !crate::functions::is_function(tcx.def_kind(def_id)) || attrs::tool_attr(tcx, def_id, "kernel").is_none() {
                continue;
            }
            if !tcx.generics_of(def_id).requires_monomorphization(tcx) {
                found.push(Instance::mono(tcx, def_id));
            }
        }
        for instance in host::launched_kernels(self) {
            if !found.contains(&instance) {
                found.push(instance);
            }
        }
        found
    }

    /// The rows of `kernels`, sorted by key.
    pub fn kernel_rows(&mut self, kernels: &[Instance<'tcx>]) -> Vec<Row> {
        let keys: Vec<String> = kernels.iter().map(|&k| self.kernel_key(k)).collect();
        self.refuse_equal(kernels, &keys, "key");
        let entries = self.entry_names(kernels, &keys);
        self.refuse_equal(kernels, &entries, "entry name");
        let mut rows: Vec<(String, Row)> = Vec::new();
        for ((&kernel, key), entry) in kernels.iter().zip(keys).zip(entries) {
            let row = self.kernel_row(kernel, &key, entry);
            rows.push((key, Row::new(&row)));
        }
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        rows.into_iter().map(|(_, row)| row).collect()
    }

    fn kernel_row(&mut self, kernel: Instance<'tcx>, key: &str, entry: String) -> J {
        let tcx = self.tcx;
        let body = tcx.instance_mir(kernel.def);
        let names = tcx.fn_arg_idents(kernel.def_id());
        let mut params = Vec::new();
        for (i, local) in body.args_iter().enumerate() {
            let ty = self.mono(kernel, body.local_decls[local].ty);
            let name = names.get(i).copied().flatten().map_or_else(|| format!("arg{i}"), |n| n.to_string());
            params.push(obj! { "name": name, "kind": self.param_kind(ty), "ty": self.ty(ty) });
        }
        if !self.mono(kernel, body.return_ty()).is_unit() && !self.mono(kernel, body.return_ty()).is_never() {
            tcx.dcx().span_err(tcx.def_span(kernel.def_id()), "a kernel returns nothing: write results through a parameter");
        }
        let bounds = attrs::tool_attr(tcx, kernel.def_id(), "launch_bounds").map(|a| {
            let number = |i: usize| a.args.get(i).and_then(|t| t.parse::<u64>().ok());
            obj! { "max_threads": number(0).unwrap_or(0), "min_blocks": number(1).unwrap_or(0) }
        });
        let contract = attrs::tool_attr(tcx, kernel.def_id(), "contract").map(|a| a.args.join(","));
        obj! {
            "function": self.function(kernel),
            "key": key.to_string(),
            "entry": entry,
            "params": params,
            "launch_bounds": bounds,
            "contract": contract,
        }
    }

    /// What host and device agree on (DESIGN D11).
    fn kernel_key(&self, kernel: Instance<'tcx>) -> String {
        rustc_const_eval::util::type_name(self.tcx, kernel.ty(self.tcx, self.typing_env))
    }

    fn param_kind(&self, ty: Ty<'tcx>) -> &'static str {
        let layout = self.layout(ty);
        match *ty.kind() {
            ty::Bool | ty::Char | ty::Int(_) | ty::Uint(_) | ty::Float(_) => "scalar",
            ty::FnPtr(..) => "fn_ptr",
            ty::Ref(_, to, mutability) | ty::RawPtr(to, mutability) => {
                match self.tcx.struct_tail_for_codegen(to, self.typing_env).kind() {
                    ty::Dynamic(..) => "dyn",
                    ty::Slice(_) | ty::Str if mutability.is_mut() => "slice_mut",
                    ty::Slice(_) | ty::Str => "slice",
                    _ => "pointer",
                }
            }
            ty::Adt(def, _)
                if attrs::tool_attr(self.tcx, def.did(), "lang")
                    .is_some_and(|a| a.args.first().is_some_and(|n| n == "disjoint_slice")) =>
            {
                "disjoint_slice"
            }
            _ if layout.is_zst() => "zst",
            _ => "aggregate",
        }
    }

    /// The bare function name if unique, else the shortest unique path; a generic instance gets a hash of its key.
    fn entry_names(&self, kernels: &[Instance<'tcx>], keys: &[String]) -> Vec<String> {
        let tcx = self.tcx;
        // Segments from the function outwards; instances of one function share them.
        let paths: Vec<Vec<String>> =
            kernels.iter().map(|k| symbols::plain_path(tcx, k.def_id()).split("::").map(String::from).collect()).collect();
        let tail = |path: &[String], n: usize| path[path.len().saturating_sub(n)..].join("::");
        kernels
            .iter()
            .zip(&paths)
            .zip(keys)
            .map(|((kernel, path), key)| {
                let clashes = |n: usize| {
                    kernels.iter().zip(&paths).any(|(k, p)| k.def_id() != kernel.def_id() && tail(p, n) == tail(path, n))
                };
                let n = (1..path.len()).find(|&n| !clashes(n)).unwrap_or(path.len());
                let name = tail(path, n);
                let generic = kernel.args.non_erasable_generics().next().is_some();
                if generic { format!("{name}__{:08x}", short_hash(key)) } else { name }
            })
            .collect()
    }

    fn refuse_equal(&self, kernels: &[Instance<'tcx>], names: &[String], what: &str) {
        let mut seen: BTreeMap<&str, Instance<'tcx>> = BTreeMap::new();
        for (kernel, name) in kernels.iter().zip(names) {
            if let Some(other) = seen.insert(name, *kernel) {
                let dcx = self.tcx.dcx();
                let mut error =
                    dcx.struct_span_err(self.tcx.def_span(kernel.def_id()), format!("two kernels have the {what} `{name}`"));
                error.span_note(self.tcx.def_span(other.def_id()), "the other one");
                error.help("rename one; closures of one function need `closure!`, which names each by its place");
                error.emit();
            }
        }
    }
}

/// 32 bits are enough to tell the instances of one kernel apart.
fn short_hash(key: &str) -> u32 {
    let hash = symbols::fnv1a(symbols::FNV_START, key.as_bytes());
    (hash ^ (hash >> 32)) as u32
}
