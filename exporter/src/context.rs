// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The tables while they grow, and the worklist.
//!
//! Maps from: references that bodies, constants and layouts make. To: one row for each thing referred to. Invariant: an id is given
//! once, at first sight, in an order that depends on the program alone; rows are described later, from the worklist. A thing that only
//! the arguments of a panic refer to is *weak*: its row exists, but a weak function has no body (DESIGN D7). Seen again from code that
//! runs, it becomes strong and is described anew.

use std::hash::Hash;

use rustc_data_structures::fx::{FxHashMap, FxIndexMap};
use rustc_hir::def_id::DefId;
use rustc_middle::mir::interpret::AllocId;
use rustc_middle::ty::{self, Instance, Ty, TyCtxt};
use rustc_span::{Span, StableSourceFileId};

use crate::json::{J, Row, Table};
use crate::{attrs, symbols};

/// What identifies a row of the alloc table. A static's initializer has no id of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AllocKey {
    Id(AllocId),
    StaticInit(DefId),
}

pub type VtableKey<'tcx> = (Ty<'tcx>, Option<ty::ExistentialTraitRef<'tcx>>);

/// One table: rows by key in order of discovery.
pub struct Interned<K, S> {
    pub rows: FxIndexMap<K, S>,
}

/// A row of a table that is walked.
#[derive(Default)]
pub struct Entry {
    /// What the table is sorted by.
    pub key: String,
    pub row: Row,
    /// Code that runs refers to it.
    pub strong: bool,
}

impl<K: Hash + Eq, S> Default for Interned<K, S> {
    fn default() -> Self {
        Interned { rows: FxIndexMap::default() }
    }
}

/// A row to describe.
#[derive(Clone, Copy)]
enum Work {
    Function(u32),
    Alloc(u32),
    Static(u32),
    Vtable(u32),
}

pub struct SpanRow {
    pub file: u32,
    pub place: [usize; 4],
    pub call_site: Option<u32>,
}

/// Everything the exporter knows of one crate.
pub struct Cx<'tcx> {
    pub tcx: TyCtxt<'tcx>,
    pub typing_env: ty::TypingEnv<'tcx>,
    pub files: Interned<StableSourceFileId, Entry>,
    pub spans: Interned<(u32, [usize; 4], Option<u32>), SpanRow>,
    pub types: Interned<Ty<'tcx>, Entry>,
    pub allocs: Interned<AllocKey, Entry>,
    pub statics: Interned<DefId, Entry>,
    pub vtables: Interned<VtableKey<'tcx>, Entry>,
    pub functions: Interned<Instance<'tcx>, Entry>,
    /// References made now are weak.
    pub weak: bool,
    work: std::collections::VecDeque<(Work, bool)>,
    described_types: usize,
    names: FxHashMap<String, u32>,
    span_cache: FxHashMap<Span, Option<u32>>,
    /// Bodies that need a second look by diagnostics say where they come from.
    pub failed: bool,
}

impl<'tcx> Cx<'tcx> {
    pub fn new(tcx: TyCtxt<'tcx>) -> Cx<'tcx> {
        Cx {
            tcx,
            typing_env: ty::TypingEnv::fully_monomorphized(),
            files: Interned::default(),
            spans: Interned::default(),
            types: Interned::default(),
            allocs: Interned::default(),
            statics: Interned::default(),
            vtables: Interned::default(),
            functions: Interned::default(),
            weak: false,
            work: Default::default(),
            described_types: 0,
            names: FxHashMap::default(),
            span_cache: FxHashMap::default(),
            failed: false,
        }
    }

    /// The row of a type.
    pub fn ty(&mut self, ty: Ty<'tcx>) -> J {
        let ty = self.tcx.erase_and_anonymize_regions(ty);
        if let Some(id) = self.types.rows.get_index_of(&ty) {
            return J::Ref(Table::Type, id as u32);
        }
        let key = symbols::type_name(self.tcx, ty);
        let key = self.unique(Table::Type, key);
        let (id, _) = self.types.rows.insert_full(ty, Entry { key, ..Entry::default() });
        J::Ref(Table::Type, id as u32)
    }

    /// The row of a function instance; it is walked unless it is a panic entry or only weakly reached.
    pub fn function(&mut self, instance: Instance<'tcx>) -> J {
        let weak = self.weak;
        if !self.functions.rows.contains_key(&instance) {
            let symbol = symbols::instance_symbol(self.tcx, instance);
            let key = self.unique(Table::Function, symbol);
            self.functions.rows.insert(instance, Entry { key, ..Entry::default() });
        } else if weak || self.functions.rows[&instance].strong {
            return J::Ref(Table::Function, self.functions.rows.get_index_of(&instance).expect("present") as u32);
        }
        let id = self.functions.rows.get_index_of(&instance).expect("present") as u32;
        self.functions.rows[id as usize].strong = !weak;
        self.work.push_back((Work::Function(id), weak));
        J::Ref(Table::Function, id)
    }

    /// The row of an alloc.
    pub fn alloc(&mut self, key: AllocKey) -> J {
        let id = enter(&mut self.allocs, key, self.weak, |_| String::new(), &mut self.work, Work::Alloc);
        J::Ref(Table::Alloc, id)
    }

    /// The row of a static.
    pub fn static_(&mut self, def_id: DefId) -> J {
        let key = match self.statics.rows.get(&def_id) {
            Some(_) => String::new(),
            None => {
                let path = symbols::plain_path(self.tcx, def_id);
                self.unique(Table::Static, path)
            }
        };
        let id = enter(&mut self.statics, def_id, self.weak, |_| key, &mut self.work, Work::Static);
        J::Ref(Table::Static, id)
    }

    /// The row of a vtable.
    pub fn vtable(&mut self, key: VtableKey<'tcx>) -> J {
        let tcx = self.tcx;
        let name = |key: &VtableKey<'tcx>| {
            format!("{} as {}", symbols::type_name(tcx, key.0), key.1.map_or(String::new(), |t| symbols::existential_name(tcx, t)))
        };
        let id = enter(&mut self.vtables, key, self.weak, name, &mut self.work, Work::Vtable);
        J::Ref(Table::Vtable, id)
    }

    /// Describes rows until nothing new is referred to.
    pub fn drain(&mut self) {
        while let Some((work, weak)) = self.work.pop_front() {
            self.weak = weak;
            match work {
                Work::Function(id) => self.describe_function(id, weak),
                Work::Alloc(id) => self.describe_alloc(id),
                Work::Static(id) => self.describe_static(id),
                Work::Vtable(id) => self.describe_vtable(id),
            }
        }
        self.weak = false;
    }

    /// Describes the types; to be called when no function is left, since a function item's type names its row.
    pub fn drain_types(&mut self) {
        while self.described_types < self.types.rows.len() {
            let id = self.described_types;
            let (&ty, _) = self.types.rows.get_index(id).expect("in range");
            let row = self.describe_type(ty);
            self.types.rows[id].row = Row::new(&row);
            self.described_types += 1;
        }
    }

    /// Remembers a computed span.
    pub fn cached_span(&mut self, span: Span, make: impl FnOnce(&mut Self) -> Option<u32>) -> J {
        let id = match self.span_cache.get(&span) {
            Some(&id) => id,
            None => {
                let id = make(self);
                self.span_cache.insert(span, id);
                id
            }
        };
        id.map_or(J::Null, |id| J::Ref(Table::Span, id))
    }

    /// `name`, or with `#2`, `#3`, … if another row of the table has it.
    fn unique(&mut self, table: Table, name: String) -> String {
        let n = self.names.entry(format!("{table:?} {name}")).or_insert(0);
        *n += 1;
        if *n == 1 { name } else { format!("{name}#{n}") }
    }

    /// Whether `instance` has a body to export, and is not below the panic cut.
    pub fn has_body(&self, instance: Instance<'tcx>) -> bool {
        let tcx = self.tcx;
        if attrs::is_panic_entry(tcx, instance.def_id()) {
            return false;
        }
        match instance.def {
            ty::InstanceKind::Virtual(..) => false,
            // An intrinsic's row is its fallback body's.
            ty::InstanceKind::Intrinsic(_) => false,
            ty::InstanceKind::Item(id) => {
                use rustc_hir::def::DefKind;
                !tcx.is_foreign_item(id) && (matches!(tcx.def_kind(id), DefKind::Ctor(..)) || tcx.is_mir_available(id))
            }
            ty::InstanceKind::ThreadLocalShim(id) => !tcx.is_foreign_item(id),
            _ => true,
        }
    }
}

/// Gives `key` an id, and work if it is new or was weak until now.
fn enter<K: Hash + Eq + Copy>(
    table: &mut Interned<K, Entry>,
    key: K,
    weak: bool,
    name: impl FnOnce(&K) -> String,
    work: &mut std::collections::VecDeque<(Work, bool)>,
    make: fn(u32) -> Work,
) -> u32 {
    let id = match table.rows.get_index_of(&key) {
        Some(id) if weak || table.rows[id].strong => return id as u32,
        Some(id) => id,
        None => {
            let name = name(&key);
            table.rows.insert_full(key, Entry { key: name, ..Entry::default() }).0
        }
    };
    table.rows[id].strong = !weak;
    work.push_back((make(id as u32), weak));
    id as u32
}
