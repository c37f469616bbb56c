// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Names of function instances.
//!
//! Maps from: resolved instances. To: the symbols of the file, as symbols.rs writes paths. Invariant: shims are told apart from what
//! they stand for, and from each other.

use rustc_middle::ty::{Instance, InstanceKind, TyCtxt};

use crate::symbols::{path_with_args, type_name};

/// The symbol of an instance: its path, and what kind of shim it is.
pub fn instance_symbol<'tcx>(tcx: TyCtxt<'tcx>, instance: Instance<'tcx>) -> String {
    let shim = shim_kind(instance.def);
    match instance.def {
        InstanceKind::DropGlue(_, Some(ty))
        | InstanceKind::AsyncDropGlue(_, ty)
        | InstanceKind::AsyncDropGlueCtorShim(_, ty)
        | InstanceKind::FutureDropPollShim(_, _, ty) => {
            format!("{{{shim}}}<{}>", type_name(tcx, ty))
        }
        InstanceKind::FnPtrShim(id, ty) | InstanceKind::CloneShim(id, ty) | InstanceKind::FnPtrAddrShim(id, ty) => {
            format!("{}{{{shim}}}<{}>", path_with_args(tcx, id, instance.args), type_name(tcx, ty))
        }
        InstanceKind::Item(id) | InstanceKind::Intrinsic(id) => path_with_args(tcx, id, instance.args),
        _ => format!("{}{{{shim}}}", path_with_args(tcx, instance.def_id(), instance.args)),
    }
}

/// The format's word for what made the body.
pub fn shim_kind(kind: InstanceKind<'_>) -> &'static str {
    match kind {
        InstanceKind::Item(_) | InstanceKind::Intrinsic(_) | InstanceKind::Virtual(..) => "item",
        InstanceKind::VTableShim(_) => "vtable",
        InstanceKind::ReifyShim(..) => "reify",
        InstanceKind::FnPtrShim(..) => "fn_ptr",
        InstanceKind::ClosureOnceShim { .. } => "closure_once",
        InstanceKind::ConstructCoroutineInClosureShim { .. } => "construct_coroutine",
        InstanceKind::ThreadLocalShim(_) => "thread_local",
        InstanceKind::DropGlue(..) => "drop_glue",
        InstanceKind::CloneShim(..) => "clone",
        InstanceKind::FnPtrAddrShim(..) => "fn_ptr_addr",
        InstanceKind::FutureDropPollShim(..) | InstanceKind::AsyncDropGlueCtorShim(..) | InstanceKind::AsyncDropGlue(..) => {
            "async_drop"
        }
    }
}
