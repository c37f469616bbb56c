// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Files and spans.
//!
//! Maps from: `rustc_span::Span`. To: rows {file, line, column, end line, end column, call site}. Invariant: names of files are the
//! remapped ones (session.rs), so that no row says where the checkout lies; a span in a macro's expansion keeps its place in the macro
//! and names the call.

use rustc_span::hygiene::ExpnKind;
use rustc_span::{FileName, RemapPathScopeComponents, SourceFile, Span};

use crate::arr;
use crate::context::{Cx, Entry, SpanRow};
use crate::json::{J, Row, Table};
use crate::obj;

impl<'tcx> Cx<'tcx> {
    /// The row of a span, or null for one that comes from nowhere.
    pub fn span(&mut self, span: Span) -> J {
        self.cached_span(span, |cx| cx.new_span(span))
    }

    fn new_span(&mut self, span: Span) -> Option<u32> {
        if span.is_dummy() {
            return None;
        }
        let call_site = macro_call(span).filter(|call| !call.is_dummy()).and_then(|call| match self.span(call) {
            J::Ref(_, id) => Some(id),
            _ => None,
        });
        let map = self.tcx.sess.source_map();
        let (lo, hi) = (map.lookup_char_pos(span.lo()), map.lookup_char_pos(span.hi()));
        let (end_line, end_column) = if lo.file.start_pos == hi.file.start_pos { (hi.line, hi.col.0) } else { (lo.line, lo.col.0) };
        let file = self.file(&lo.file);
        let place = [lo.line, lo.col.0 + 1, end_line, end_column + 1];
        let (id, _) = self.spans.rows.insert_full((file, place, call_site), SpanRow { file, place, call_site });
        Some(id as u32)
    }

    fn file(&mut self, file: &SourceFile) -> u32 {
        if let Some(id) = self.files.rows.get_index_of(&file.stable_id) {
            return id as u32;
        }
        let key = file_name(file);
        let row = Row::new(&obj! { "name": key.clone(), "hash": file.src_hash.to_string() });
        self.files.rows.insert_full(file.stable_id, Entry { key, row, ..Entry::default() }).0 as u32
    }
}

impl SpanRow {
    /// The row's value.
    pub fn json(&self) -> J {
        let [line, column, end_line, end_column] = self.place;
        arr![J::Ref(Table::File, self.file), line, column, end_line, end_column, self.call_site.map(|id| J::Ref(Table::Span, id))]
    }
}

/// The file's remapped name.
fn file_name(file: &SourceFile) -> String {
    match &file.name {
        FileName::Real(real) => real.path(RemapPathScopeComponents::DEBUGINFO).to_string_lossy().replace('\\', "/"),
        other => other.display(RemapPathScopeComponents::DEBUGINFO).to_string(),
    }
}

/// The call of the macro that made `span`; desugarings (`for`, `?`) are no calls.
fn macro_call(span: Span) -> Option<Span> {
    let mut context = span.ctxt();
    while !context.is_root() {
        let data = context.outer_expn_data();
        match data.kind {
            ExpnKind::Macro(..) => return Some(data.call_site),
            ExpnKind::Root => return None,
            ExpnKind::AstPass(_) | ExpnKind::Desugaring(_) => context = data.call_site.ctxt(),
        }
    }
    None
}
