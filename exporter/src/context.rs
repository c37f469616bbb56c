// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The tables while they grow, and the worklist.
//!
//! Maps from: references that bodies, constants and layouts make. To: one row for each thing referred to. Invariant: an id is given
//! once, at first sight, in an order that depends on the program alone; rows are described later, from the worklist. A thing that only
//! the arguments of a panic refer to is *weak*: its row exists, but a function has a body then only if it is called (DESIGN D7). Seen
//! again from code that runs, it becomes strong and is described anew.

use std::collections::VecDeque;
use std::hash::Hash;

use rustc_data_structures::fx::{FxHashMap, FxIndexMap};
use rustc_hir::def_id::DefId;
use rustc_middle::mir::interpret::AllocId;
use rustc_middle::ty::{self, Instance, Ty, TyCtxt};
use rustc_span::{Span, StableSourceFileId};

use crate::heap::Allocator;
use crate::json::{J, Row, Table};
use crate::purity::Verdict;
use crate::{attrs, instances, symbols};

/// Names longer than this come from generic recursion without end.
const NAME_LIMIT: usize = 100_000;

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
    /// How it is reached.
    pub reach: Reach,
}

impl<K: Hash + Eq, S> Default for Interned<K, S> {
    fn default() -> Self {
        Interned { rows: FxIndexMap::default() }
    }
}

/// How a row is reached, from least to most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Reach {
    /// Not yet, or by what never becomes code: debug information.
    #[default]
    Named,
    /// The arguments of a panic call it: it has a body, so that lowering can see that the call may be left out.
    Weak,
    /// Code that runs refers to it.
    Strong,
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
    work: VecDeque<(Work, Reach)>,
    described_types: usize,
    names: FxHashMap<String, u32>,
    span_cache: FxHashMap<Span, Option<u32>>,
    pub purity: FxHashMap<Instance<'tcx>, Verdict>,
    /// Empty unless kernels have a heap.
    pub allocator: Allocator<'tcx>,
    /// A constant could not be evaluated; rustc has said why.
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
            purity: FxHashMap::default(),
            allocator: Allocator::default(),
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
        self.limit(&key);
        let key = self.unique(Table::Type, key);
        let (id, _) = self.types.rows.insert_full(ty, Entry { key, ..Entry::default() });
        J::Ref(Table::Type, id as u32)
    }

    /// The row of a function that is referred to, but not called.
    pub fn function(&mut self, instance: Instance<'tcx>) -> J {
        let reach = if self.weak { Reach::Named } else { Reach::Strong };
        self.function_at(instance, reach)
    }

    /// The row of a function that is called.
    pub fn called_function(&mut self, instance: Instance<'tcx>) -> J {
        let reach = if self.weak { Reach::Weak } else { Reach::Strong };
        self.function_at(instance, reach)
    }

    fn function_at(&mut self, instance: Instance<'tcx>, reach: Reach) -> J {
        let id = match self.functions.rows.get_index_of(&instance) {
            Some(id) if self.functions.rows[id].reach >= reach => return J::Ref(Table::Function, id as u32),
            Some(id) => id,
            None => {
                let symbol = instances::instance_symbol(self.tcx, instance);
                self.limit(&symbol);
                let key = self.unique(Table::Function, symbol);
                self.functions.rows.insert_full(instance, Entry { key, ..Entry::default() }).0
            }
        };
        self.functions.rows[id].reach = reach;
        if let Some(function) = self.allocator_of(instance) {
            self.function_at(function, reach);
        }
        self.work.push_back((Work::Function(id as u32), reach));
        J::Ref(Table::Function, id as u32)
    }

    fn reach(&self) -> Reach {
        if self.weak { Reach::Weak } else { Reach::Strong }
    }

    /// The row of an alloc.
    pub fn alloc(&mut self, key: AllocKey) -> J {
        let reach = self.reach();
        let id = enter(&mut self.allocs, key, reach, |_| String::new(), &mut self.work, Work::Alloc);
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
        let reach = self.reach();
        let id = enter(&mut self.statics, def_id, reach, |_| key, &mut self.work, Work::Static);
        J::Ref(Table::Static, id)
    }

    /// The row of a vtable.
    pub fn vtable(&mut self, key: VtableKey<'tcx>) -> J {
        let tcx = self.tcx;
        let name = |key: &VtableKey<'tcx>| {
            format!("{} as {}", symbols::type_name(tcx, key.0), key.1.map_or(String::new(), |t| symbols::existential_name(tcx, t)))
        };
        let reach = self.reach();
        let id = enter(&mut self.vtables, key, reach, name, &mut self.work, Work::Vtable);
        J::Ref(Table::Vtable, id)
    }

    /// Describes rows until nothing new is referred to.
    pub fn drain(&mut self) {
        while let Some((work, reach)) = self.work.pop_front() {
            self.weak = reach < Reach::Strong;
            match work {
                Work::Function(id) => self.describe_function(id, reach),
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

    /// Generic code that instantiates itself with ever larger types has no end.
    fn limit(&self, name: &str) {
        if name.len() > NAME_LIMIT {
            let start: String = name.chars().take(200).collect();
            self.tcx.dcx().fatal(format!(
                "reached the limit of generic instances at `{start}…`: does a generic function call itself with a larger type?"
            ));
        }
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

/// Gives `key` an id, and work if it is reached in a stronger way than before.
fn enter<K: Hash + Eq + Copy>(
    table: &mut Interned<K, Entry>,
    key: K,
    reach: Reach,
    name: impl FnOnce(&K) -> String,
    work: &mut VecDeque<(Work, Reach)>,
    make: fn(u32) -> Work,
) -> u32 {
    let id = match table.rows.get_index_of(&key) {
        Some(id) if table.rows[id].reach >= reach => return id as u32,
        Some(id) => id,
        None => {
            let name = name(&key);
            table.rows.insert_full(key, Entry { key: name, ..Entry::default() }).0
        }
    };
    table.rows[id].reach = reach;
    work.push_back((make(id as u32), reach));
    id as u32
}
