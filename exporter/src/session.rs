// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What makes a rustc session a device session.
//!
//! Maps from: the configuration that rustc made of its own argv. To: one with MIR for every function, no pass that clones barriers,
//! panic=abort, `cfg(mirgpu)`, the tool `mirgpu_tool`, and a code generator that generates nothing and claims no SIMD. Invariant:
//! nothing of the user's is overridden and no unstable feature is unlocked for the user's crate.

use std::path::PathBuf;
use std::sync::OnceLock;

use rustc_codegen_ssa::traits::CodegenBackend;
use rustc_codegen_ssa::{CompiledModules, CrateInfo, TargetConfig};
use rustc_data_structures::fx::FxIndexMap;
use rustc_interface::interface::{Compiler, Config};
use rustc_middle::dep_graph::{WorkProduct, WorkProductId};
use rustc_middle::ty::{RegisteredTools, TyCtxt};
use rustc_session::Session;
use rustc_session::config::{Input, OutputFilenames, SymbolManglingVersion};
use rustc_span::{Ident, RemapPathScopeComponents, SourceFileHashAlgorithm, Symbol};
use rustc_target::spec::PanicStrategy;

use crate::options::Options;

/// The only rustc whose metadata this driver reads.
pub const RUSTC: &str = "1.96.0";

type ToolsProvider = for<'tcx> fn(TyCtxt<'tcx>, ()) -> RegisteredTools;
static REGISTERED_TOOLS: OnceLock<ToolsProvider> = OnceLock::new();

/// Generates no code. Every crate type is accepted, so that checking a cdylib does not warn.
struct Backend;

impl CodegenBackend for Backend {
    fn name(&self) -> &'static str {
        "mirgpu"
    }

    /// `cfg(target_feature)` is made of `target_features`: none, so that core takes its portable paths. The ABI check and the register
    /// classes of inline asm look at the other list: what the target's ABI needs, closed under implication.
    fn target_config(&self, session: &Session) -> TargetConfig {
        let mut required: Vec<Symbol> = Vec::new();
        for feature in session.target.abi_required_features().required {
            for implied in session.target.implied_target_features(feature) {
                let implied = Symbol::intern(implied);
                if !required.contains(&implied) {
                    required.push(implied);
                }
            }
        }
        TargetConfig {
            target_features: Vec::new(),
            unstable_target_features: required,
            has_reliable_f16: true,
            has_reliable_f16_math: true,
            has_reliable_f128: false,
            has_reliable_f128_math: false,
        }
    }

    fn target_cpu(&self, _: &Session) -> String {
        String::new()
    }

    fn codegen_crate(&self, _: TyCtxt<'_>, _: &CrateInfo) -> Box<dyn std::any::Any> {
        Box::new(CompiledModules { modules: vec![], allocator_module: None })
    }

    fn join_codegen(
        &self,
        ongoing: Box<dyn std::any::Any>,
        _: &Session,
        _: &OutputFilenames,
    ) -> (CompiledModules, FxIndexMap<WorkProductId, WorkProduct>) {
        (*ongoing.downcast().expect("codegen_crate returned it"), FxIndexMap::default())
    }
}

/// The driver's callbacks; one crate is compiled by each process.
pub struct Callbacks {
    options: Options,
}

impl Callbacks {
    pub fn new(options: Options) -> Callbacks {
        Callbacks { options }
    }

    /// Names of files: what the caller asked for, then the registry's folder, and for a file that is exported by itself its own folder.
    fn remap_paths(&self, config: &mut Config) {
        let remap = &mut config.opts.remap_path_prefix;
        if let Input::File(path) = &config.input {
            if let Some(registry) = registry_folder(path) {
                remap.push((registry, PathBuf::from("<cargo>")));
            } else if self.options.out.is_some()
                && self.options.remap.iter().all(|(from, _)| !path.starts_with(from))
                && let Some(parent) = path.parent()
                && !parent.as_os_str().is_empty()
            {
                remap.push((parent.to_path_buf(), PathBuf::new()));
            }
        }
        remap.extend(self.options.remap.iter().cloned());
        // Diagnostics keep the names that the user's editor can open.
        config.opts.remap_path_scope = RemapPathScopeComponents::all() - RemapPathScopeComponents::DIAGNOSTICS;
    }
}

/// `…/registry/src/<index>` if the file lies below such a folder.
fn registry_folder(path: &std::path::Path) -> Option<PathBuf> {
    let mut below = path.ancestors().skip(1).collect::<Vec<_>>();
    below.reverse();
    below
        .into_iter()
        .find(|p| {
            let mut parents = p.iter().rev();
            parents.next().is_some()
                && parents.next().is_some_and(|n| n == "src")
                && parents.next().is_some_and(|n| n == "registry")
        })
        .map(PathBuf::from)
}

impl rustc_driver_impl::Callbacks for Callbacks {
    fn config(&mut self, config: &mut Config) {
        let unstable = &mut config.opts.unstable_opts;
        unstable.always_encode_mir = true;
        unstable.mir_enable_passes.push(("JumpThreading".into(), false));
        unstable.src_hash_algorithm = Some(SourceFileHashAlgorithm::Sha256);
        unstable.panic_abort_tests = true;
        unstable.binary_dep_depinfo = true;
        config.opts.cg.panic = Some(PanicStrategy::Abort);
        config.opts.cg.symbol_mangling_version = Some(SymbolManglingVersion::V0);
        config.crate_cfg.push("mirgpu".into());
        // `test` is cargo's to declare; a plain file may use it all the same.
        config.crate_check_cfg.push("cfg(mirgpu, test)".into());
        self.remap_paths(config);
        config.make_codegen_backend = Some(Box::new(|_| Box::new(Backend)));
        // cargo reads the dep-info file: a new exporter makes the unit dirty.
        config.track_state = Some(Box::new(|session: &Session, _| {
            if let Ok(exe) = std::env::current_exe() {
                session.file_depinfo.borrow_mut().insert(Symbol::intern(&exe.to_string_lossy()));
            }
        }));
        config.override_queries = Some(|_, providers| {
            let _ = REGISTERED_TOOLS.set(providers.queries.registered_tools);
            providers.queries.registered_tools = |tcx, key| {
                let mut tools = REGISTERED_TOOLS.get().expect("set before any query runs")(tcx, key);
                tools.insert(Ident::from_str("mirgpu_tool"));
                tools
            };
            providers.hooks.should_codegen_locally =
                |tcx, instance| instance.def.def_id_if_not_guaranteed_local_codegen().is_none_or(|id| !tcx.is_foreign_item(id));
        });
    }

    fn after_analysis<'tcx>(&mut self, _: &Compiler, tcx: TyCtxt<'tcx>) -> rustc_driver_impl::Compilation {
        if !self.options.building_std {
            crate::functions::check_stubs(tcx);
            tcx.dcx().abort_if_errors();
        }
        if self.options.exports() {
            crate::output::export(tcx, &self.options);
        }
        // A file that is exported by itself leaves nothing else behind.
        if self.options.out.is_some() {
            return rustc_driver_impl::Compilation::Stop;
        }
        rustc_driver_impl::Compilation::Continue
    }
}
