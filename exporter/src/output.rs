// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The whole export: roots, walk, sorted tables, file.
//!
//! Maps from: one analysed crate. To: its `.mir.json`. Invariant: tables are sorted by content, ties keep the order of discovery, and
//! the file is written whole or not at all.

use std::path::{Path, PathBuf};

use rustc_hir::def_id::LOCAL_CRATE;
use rustc_middle::ty::TyCtxt;
use rustc_session::config::{CrateType, DebugInfo, OptLevel};

use crate::context::{Cx, Entry, Interned};
use crate::json::{J, Row, TABLES, Table};
use crate::options::{Options, VERSION};
use crate::symbols::{FNV_START, fnv1a};
use crate::{obj, session};

/// Exports the crate if it is asked for.
pub fn export(tcx: TyCtxt<'_>, options: &Options) {
    let Some(path) = output_path(tcx, options) else { return };
    let mut cx = Cx::new(tcx);
    let kernels = cx.find_kernels();
    cx.find_allocator(&kernels, options.heap);
    let kernel_rows = cx.kernel_rows(&kernels);
    let test_rows = cx.test_rows();
    if options.out.is_none() && kernel_rows.is_empty() && test_rows.is_empty() {
        return;
    }
    cx.drain();
    cx.drain_types();
    if cx.failed || tcx.dcx().has_errors().is_some() {
        tcx.dcx().abort_if_errors();
        tcx.dcx().fatal("a constant of the program could not be evaluated");
    }
    let text = File { cx: &cx, options, kernels: kernel_rows, tests: test_rows }.print();
    if let Err(error) = write(&path, &text) {
        tcx.dcx().fatal(format!("{} cannot be written: {error}", path.display()));
    }
}

/// Where the file goes: where it was asked for, or beside the metadata of a final artifact.
fn output_path(tcx: TyCtxt<'_>, options: &Options) -> Option<PathBuf> {
    if options.out.is_some() {
        return options.out.clone();
    }
    let is_final = tcx.sess.opts.test
        || tcx.crate_types().iter().any(|t| matches!(t, CrateType::Executable | CrateType::Cdylib | CrateType::StaticLib))
        || std::env::var_os("CARGO_PRIMARY_PACKAGE").is_some();
    is_final.then(|| tcx.output_filenames(()).with_extension("mir.json"))
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
    std::fs::write(&temporary, text)?;
    std::fs::rename(&temporary, path)
}

struct File<'a, 'tcx> {
    cx: &'a Cx<'tcx>,
    options: &'a Options,
    kernels: Vec<Row>,
    tests: Vec<Row>,
}

/// Old ids in their new order, and the new id of each old one.
struct Order {
    rows: Vec<u32>,
    index: Vec<u32>,
}

impl Order {
    fn by<K: Ord>(count: usize, key: impl Fn(u32) -> K) -> Order {
        let mut rows: Vec<u32> = (0..count as u32).collect();
        rows.sort_by_cached_key(|&id| key(id));
        let mut index = vec![0; count];
        for (new, &old) in rows.iter().enumerate() {
            index[old as usize] = new as u32;
        }
        Order { rows, index }
    }

    fn by_entries<K>(table: &Interned<K, Entry>) -> Order {
        Order::by(table.rows.len(), |id| &table.rows[id as usize].key)
    }
}

impl File<'_, '_> {
    fn print(&self) -> String {
        let orders = self.orders();
        let mut out = String::new();
        self.header(&mut out);
        let cx = self.cx;
        let spans: Vec<Row> = cx.spans.rows.values().map(|s| Row::new(&s.json())).collect();
        self.table(&mut out, "files", &orders, Table::File, |id| &cx.files.rows[id].row);
        self.table(&mut out, "spans", &orders, Table::Span, |id| &spans[id]);
        self.table(&mut out, "types", &orders, Table::Type, |id| &cx.types.rows[id].row);
        self.table(&mut out, "allocs", &orders, Table::Alloc, |id| &cx.allocs.rows[id].row);
        self.table(&mut out, "statics", &orders, Table::Static, |id| &cx.statics.rows[id].row);
        self.table(&mut out, "vtables", &orders, Table::Vtable, |id| &cx.vtables.rows[id].row);
        self.table(&mut out, "functions", &orders, Table::Function, |id| &cx.functions.rows[id].row);
        self.rows(&mut out, "kernels", &orders, self.kernels.iter());
        self.rows(&mut out, "tests", &orders, self.tests.iter());
        out.push_str("}\n");
        out
    }

    fn header(&self, out: &mut String) {
        let tcx = self.cx.tcx;
        let opts = &tcx.sess.opts;
        let target = &tcx.sess.target;
        let opt_level = match opts.optimize {
            OptLevel::No => "0",
            OptLevel::Less => "1",
            OptLevel::More => "2",
            OptLevel::Aggressive => "3",
            OptLevel::Size => "s",
            OptLevel::SizeMin => "z",
        };
        let debuginfo = match opts.debuginfo {
            DebugInfo::None => "none",
            DebugInfo::LineDirectivesOnly => "line_directives",
            DebugInfo::LineTablesOnly => "line_tables",
            DebugInfo::Limited => "limited",
            DebugInfo::Full => "full",
        };
        let golden = self.options.golden;
        let keys = [
            ("format", obj! { "name": "mirgpu-mir", "major": 1u32, "minor": 0u32 }),
            ("producer", format!("mirgpu-export {VERSION}").into()),
            ("rustc", session::RUSTC.into()),
            (
                "target",
                obj! {
                    "triple": target.llvm_target.to_string(),
                    "data_layout": target.data_layout.to_string(),
                    "pointer_width": u32::from(target.pointer_width),
                    "endian": if target.endian == rustc_abi::Endian::Little { "little" } else { "big" },
                },
            ),
            (
                "session",
                obj! {
                    "overflow_checks": tcx.sess.overflow_checks(),
                    "ub_checks": tcx.sess.ub_checks(),
                    "contract_checks": tcx.sess.contract_checks(),
                    "panic": "abort",
                    "opt_level": opt_level,
                    "debuginfo": debuginfo,
                },
            ),
            ("crate", obj! { "name": tcx.crate_name(LOCAL_CRATE).to_string(), "attributes": self.crate_attributes() }),
            ("source_root", if golden { J::Null } else { self.options.source_root.clone().into() }),
        ];
        for (i, (key, value)) in keys.into_iter().enumerate() {
            out.push(if i == 0 { '{' } else { ',' });
            if golden && i > 0 {
                out.push('\n');
            }
            crate::json::quote(out, key);
            out.push(':');
            Row::new(&value).print(out, |_, id| id);
        }
    }

    fn crate_attributes(&self) -> Vec<&'static str> {
        use rustc_hir::find_attr;
        let tcx = self.cx.tcx;
        let mut list = Vec::new();
        if find_attr!(tcx, crate, NoCore(..)) {
            list.push("no_core");
        }
        if find_attr!(tcx, crate, NoStd(..)) {
            list.push("no_std");
        }
        list
    }

    fn table<'r>(&self, out: &mut String, name: &str, orders: &[Order; TABLES], table: Table, row: impl Fn(usize) -> &'r Row) {
        self.rows(out, name, orders, orders[table as usize].rows.iter().map(|&id| row(id as usize)));
    }

    fn rows<'r>(&self, out: &mut String, name: &str, orders: &[Order; TABLES], rows: impl Iterator<Item = &'r Row>) {
        let newline = if self.options.golden { "\n" } else { "" };
        out.push_str(&format!(",{newline}\"{name}\":["));
        let mut any = false;
        for row in rows {
            out.push_str(if any { "," } else { "" });
            out.push_str(newline);
            row.print(out, |table, id| orders[table as usize].index[id as usize]);
            any = true;
        }
        out.push(']');
    }

    fn orders(&self) -> [Order; TABLES] {
        let cx = self.cx;
        let hashes = self.alloc_hashes();
        let span_key = |id: u32| {
            let mut key = Vec::new();
            let mut next = Some(id);
            while let Some(id) = next {
                let span = &cx.spans.rows[id as usize];
                key.push((cx.files.rows[span.file as usize].key.as_str(), span.file, span.place));
                next = span.call_site;
            }
            key
        };
        [
            Order::by_entries(&cx.files),
            Order::by(cx.spans.rows.len(), span_key),
            Order::by_entries(&cx.types),
            Order::by(cx.allocs.rows.len(), |id| (&cx.allocs.rows[id as usize].key, hashes[id as usize])),
            Order::by_entries(&cx.statics),
            Order::by_entries(&cx.vtables),
            Order::by_entries(&cx.functions),
        ]
    }

    /// A hash of what each alloc holds and points at, eight levels deep: enough to tell all but contrived allocs apart.
    fn alloc_hashes(&self) -> Vec<u64> {
        let rows = &self.cx.allocs.rows;
        let mut hashes: Vec<u64> = rows.values().map(|entry| fnv1a(FNV_START, entry.key.as_bytes())).collect();
        for _ in 0..8 {
            hashes = (rows.values().zip(&hashes))
                .map(|(entry, &own)| {
                    let targets = entry.row.holes.iter().filter(|hole| hole.1 == Table::Alloc);
                    targets.fold(own, |hash, hole| fnv1a(hash, &hashes[hole.2 as usize].to_le_bytes()))
                })
                .collect();
        }
        hashes
    }
}
