// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Rows of the alloc and vtable tables.
//!
//! Maps from: const-evaluated memory. To: bytes in hex with undefined ranges and relocations beside them. Invariant: undefined bytes
//! are written as 00, and the pointer-sized bytes at a relocation hold the addend, so equal memory has equal rows.

use std::fmt::Write as _;

use rustc_middle::mir::interpret::{Allocation, GlobalAlloc, InitChunk};
use rustc_middle::ty::{self, Instance, TyCtxt, VtblEntry};

use crate::context::{AllocKey, Cx};
use crate::json::{J, Row};
use crate::{arr, instances, obj, symbols};

impl<'tcx> Cx<'tcx> {
    pub fn describe_alloc(&mut self, id: u32) {
        let (&key, _) = self.allocs.rows.get_index(id as usize).expect("given by enter");
        let (sort, row) = match key {
            AllocKey::StaticInit(def_id) => match self.tcx.eval_static_initializer(def_id) {
                Ok(memory) => self.memory(memory.inner()),
                Err(_) => {
                    self.failed = true;
                    (String::new(), J::Null)
                }
            },
            AllocKey::Id(id) => match self.tcx.global_alloc(id) {
                GlobalAlloc::Memory(memory) => self.memory(memory.inner()),
                GlobalAlloc::Function { instance, .. } => {
                    let name = instances::instance_symbol(self.tcx, instance);
                    (format!("f {name}"), obj! { "kind": "function", "function": self.function(instance) })
                }
                GlobalAlloc::Static(def_id) => {
                    let name = symbols::plain_path(self.tcx, def_id);
                    (format!("s {name}"), obj! { "kind": "static", "static": self.static_(def_id) })
                }
                GlobalAlloc::VTable(ty, predicates) => {
                    let principal = predicates.principal().map(|p| self.tcx.instantiate_bound_regions_with_erased(p));
                    let name = symbols::type_name(self.tcx, ty);
                    (format!("v {name}"), obj! { "kind": "vtable", "vtable": self.vtable((ty, principal)) })
                }
                GlobalAlloc::TypeId { ty } => {
                    self.tcx.dcx().fatal(format!("a pointer into the TypeId of `{ty}` is used as memory"))
                }
            },
        };
        let entry = &mut self.allocs.rows[id as usize];
        entry.key = sort;
        entry.row = Row::new(&row);
    }

    /// A memory row, and what it is sorted by; the targets of relocations are compared later (output.rs).
    fn memory(&mut self, memory: &Allocation) -> (String, J) {
        let size = memory.size();
        let mut bytes = memory.inspect_with_uninit_and_ptr_outside_interpreter(0..size.bytes_usize()).to_vec();
        let mut undef = Vec::new();
        for chunk in memory.init_mask().range_as_init_chunks((rustc_abi::Size::ZERO..size).into()) {
            if let InitChunk::Uninit(range) = chunk {
                bytes[range.start.bytes_usize()..range.end.bytes_usize()].fill(0);
                undef.push(arr![range.start.bytes(), range.end.bytes()]);
            }
        }
        let mut relocs = Vec::new();
        for &(offset, provenance) in memory.provenance().ptrs().iter() {
            let target = provenance.alloc_id();
            // A TypeId is its bytes.
            if !matches!(self.tcx.global_alloc(target), GlobalAlloc::TypeId { .. }) {
                relocs.push(arr![offset.bytes(), self.alloc(AllocKey::Id(target))]);
            }
        }
        let hex = hex(&bytes);
        let mutable = memory.mutability.is_mut();
        let align = memory.align.bytes();
        let sort = format!("m {:08x} {mutable} {align:08x} {hex} {}", size.bytes(), undef.len());
        (sort, obj! { "kind": "memory", "align": align, "mutable": mutable, "bytes": hex, "undef": undef, "relocs": relocs })
    }

    pub fn describe_vtable(&mut self, id: u32) {
        let tcx = self.tcx;
        let (&(ty, principal), _) = self.vtables.rows.get_index(id as usize).expect("given by enter");
        let layout = self.layout(ty);
        let mut entries = Vec::new();
        for entry in vtable_entries(tcx, ty, principal) {
            entries.push(match *entry {
                VtblEntry::MetadataDropInPlace => {
                    let glue = ty.needs_drop(tcx, self.typing_env).then(|| Instance::resolve_drop_in_place(tcx, ty));
                    obj! { "drop": glue.map(|i| self.function(i)) }
                }
                VtblEntry::MetadataSize => obj! { "size": layout.size.bytes() },
                VtblEntry::MetadataAlign => obj! { "align": layout.align.abi.bytes() },
                VtblEntry::Vacant => "vacant".into(),
                VtblEntry::Method(instance) => obj! { "method": self.function(instance) },
                VtblEntry::TraitVPtr(trait_ref) => {
                    let parent = ty::ExistentialTraitRef::erase_self_ty(tcx, trait_ref);
                    obj! { "super": self.vtable((ty, Some(parent))) }
                }
            });
        }
        let name = principal.map(|p| symbols::existential_name(tcx, p));
        let row = obj! { "ty": self.ty(ty), "trait": name, "entries": entries, "alloc": J::Null };
        self.vtables.rows[id as usize].row = Row::new(&row);
    }
}

/// The entries of a vtable in slot order.
fn vtable_entries<'tcx>(
    tcx: TyCtxt<'tcx>,
    ty: ty::Ty<'tcx>,
    principal: Option<ty::ExistentialTraitRef<'tcx>>,
) -> &'tcx [VtblEntry<'tcx>] {
    match principal {
        Some(trait_ref) => tcx.vtable_entries(tcx.erase_and_anonymize_regions(trait_ref.with_self_ty(tcx, ty))),
        None => TyCtxt::COMMON_VTABLE_ENTRIES,
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}
