// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! JSON values that may name rows of tables whose order is not known yet.
//!
//! Maps from: what the exporter learns while it walks. To: `Row`s, text with holes where a table index belongs. Invariant: a row's
//! text is complete but for its holes, so once the tables are sorted (output.rs) printing a row is copying text and numbers.

/// The tables of the file whose rows others refer to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    File,
    Span,
    Type,
    Alloc,
    Static,
    Vtable,
    Function,
}

pub const TABLES: usize = 7;

/// A JSON value; `Ref` is an index into a table, given by the row's order of discovery.
pub enum J {
    Null,
    Bool(bool),
    Num(u64),
    Str(String),
    Word(&'static str),
    Arr(Vec<J>),
    Obj(Vec<(&'static str, J)>),
    Ref(Table, u32),
}

/// `obj! { "kind": k, … }`: an object; values are anything `Into<J>`.
#[macro_export]
macro_rules! obj {
    ($($k:literal : $v:expr),* $(,)?) => { $crate::json::J::Obj(vec![$(($k, $crate::json::J::from($v))),*]) };
}

/// `arr![a, b, …]`: an array of mixed values.
#[macro_export]
macro_rules! arr {
    ($($v:expr),* $(,)?) => { $crate::json::J::Arr(vec![$($crate::json::J::from($v)),*]) };
}

impl From<bool> for J {
    fn from(v: bool) -> J {
        J::Bool(v)
    }
}
impl From<u32> for J {
    fn from(v: u32) -> J {
        J::Num(v.into())
    }
}
impl From<u64> for J {
    fn from(v: u64) -> J {
        J::Num(v)
    }
}
impl From<usize> for J {
    fn from(v: usize) -> J {
        J::Num(v as u64)
    }
}
impl From<&'static str> for J {
    fn from(v: &'static str) -> J {
        J::Word(v)
    }
}
impl From<String> for J {
    fn from(v: String) -> J {
        J::Str(v)
    }
}
impl<T: Into<J>> From<Option<T>> for J {
    fn from(v: Option<T>) -> J {
        v.map_or(J::Null, Into::into)
    }
}
impl<T: Into<J>> From<Vec<T>> for J {
    fn from(v: Vec<T>) -> J {
        J::Arr(v.into_iter().map(Into::into).collect())
    }
}

/// A number that may exceed 2^63: a decimal string.
pub fn big(v: u128) -> J {
    J::Str(v.to_string())
}

/// Text with holes: at `offset` the index of row `id` of `table` belongs.
#[derive(Default)]
pub struct Row {
    pub text: String,
    pub holes: Vec<(usize, Table, u32)>,
}

impl Row {
    /// Flattens one value.
    pub fn new(value: &J) -> Row {
        let mut row = Row::default();
        row.put(value);
        row
    }

    fn put(&mut self, value: &J) {
        match value {
            J::Null => self.text.push_str("null"),
            J::Bool(true) => self.text.push_str("true"),
            J::Bool(false) => self.text.push_str("false"),
            J::Num(n) => self.text.push_str(&n.to_string()),
            J::Str(s) => quote(&mut self.text, s),
            J::Word(s) => quote(&mut self.text, s),
            J::Ref(table, id) => self.holes.push((self.text.len(), *table, *id)),
            J::Arr(items) => {
                self.text.push('[');
                for (i, item) in items.iter().enumerate() {
                    self.comma(i);
                    self.put(item);
                }
                self.text.push(']');
            }
            J::Obj(fields) => {
                self.text.push('{');
                for (i, (key, item)) in fields.iter().enumerate() {
                    self.comma(i);
                    quote(&mut self.text, key);
                    self.text.push(':');
                    self.put(item);
                }
                self.text.push('}');
            }
        }
    }

    fn comma(&mut self, i: usize) {
        if i > 0 {
            self.text.push(',');
        }
    }

    /// Appends the row to `out`, each hole filled with what `index` says.
    pub fn print(&self, out: &mut String, index: impl Fn(Table, u32) -> u32) {
        let mut at = 0;
        for &(offset, table, id) in &self.holes {
            out.push_str(&self.text[at..offset]);
            out.push_str(&index(table, id).to_string());
            at = offset;
        }
        out.push_str(&self.text[at..]);
    }
}

/// Appends `s` as a JSON string.
pub fn quote(out: &mut String, s: &str) {
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}
