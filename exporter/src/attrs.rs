// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What is recognised by attribute: `#[mirgpu_tool::…]` and lang items (DESIGN D3; never by a name).
//!
//! Maps from: definitions of any crate. To: `tool_attrs` rows and lang names. Invariant: arguments are literals or plain words,
//! string literals unquoted.

use rustc_ast::token::TokenKind;
use rustc_ast::tokenstream::{TokenStream, TokenTree};
use rustc_hir::def_id::DefId;
use rustc_hir::{AttrArgs, Attribute};
use rustc_middle::ty::TyCtxt;

use crate::json::J;
use crate::obj;

/// One `#[mirgpu_tool::path(args…)]`.
#[derive(Clone, Debug)]
pub struct ToolAttr {
    pub path: String,
    pub args: Vec<String>,
}

/// The tool attributes of `def_id`, in source order.
pub fn tool_attrs(tcx: TyCtxt<'_>, def_id: DefId) -> Vec<ToolAttr> {
    if !has_attrs(tcx, def_id) {
        return Vec::new();
    }
    #[allow(deprecated)]
    let attrs = tcx.get_all_attrs(def_id);
    attrs.iter().filter_map(parse).collect()
}

/// The first tool attribute named `name`.
pub fn tool_attr(tcx: TyCtxt<'_>, def_id: DefId, name: &str) -> Option<ToolAttr> {
    tool_attrs(tcx, def_id).into_iter().find(|a| a.path == name)
}

fn has_attrs(tcx: TyCtxt<'_>, def_id: DefId) -> bool {
    use rustc_hir::def::DefKind;
    !matches!(tcx.def_kind(def_id), DefKind::Static { nested: true, .. } | DefKind::SyntheticCoroutineBody)
}

fn parse(attribute: &Attribute) -> Option<ToolAttr> {
    let Attribute::Unparsed(item) = attribute else { return None };
    let [tool, path @ ..] = &item.path.segments[..] else { return None };
    if tool.as_str() != "mirgpu_tool" || path.is_empty() {
        return None;
    }
    let path = path.iter().map(|s| s.as_str().to_string()).collect::<Vec<_>>().join("::");
    let args = match &item.args {
        AttrArgs::Empty => Vec::new(),
        AttrArgs::Delimited(delimited) => arguments(&delimited.tokens),
        AttrArgs::Eq { expr, .. } => vec![expr.symbol.to_string()],
    };
    Some(ToolAttr { path, args })
}

/// The comma-separated arguments, each as text.
fn arguments(tokens: &TokenStream) -> Vec<String> {
    let mut args = Vec::new();
    let mut current = String::new();
    for tree in tokens.iter() {
        match tree {
            TokenTree::Token(token, _) => match &token.kind {
                TokenKind::Comma => args.push(std::mem::take(&mut current)),
                TokenKind::Literal(literal) => current.push_str(&unescape(literal)),
                _ => current.push_str(&rustc_ast_pretty::pprust::token_to_string(token)),
            },
            TokenTree::Delimited(..) => current.push_str(&rustc_ast_pretty::pprust::tt_to_string(tree)),
        }
    }
    if !current.is_empty() {
        args.push(current);
    }
    args
}

/// A literal's value: a string without quotes and escapes, anything else as written.
fn unescape(literal: &rustc_ast::token::Lit) -> String {
    match rustc_ast::LitKind::from_token_lit(*literal) {
        Ok(rustc_ast::LitKind::Str(text, _)) => text.to_string(),
        Ok(rustc_ast::LitKind::Int(value, _)) => value.get().to_string(),
        _ => literal.symbol.to_string(),
    }
}

/// The `tool_attrs` key of a row.
pub fn tool_attrs_json(tcx: TyCtxt<'_>, def_id: DefId) -> J {
    J::from(tool_attrs(tcx, def_id).into_iter().map(|a| obj! { "path": a.path, "args": a.args }).collect::<Vec<_>>())
}

/// The name of the lang item that `def_id` is.
pub fn lang_name(tcx: TyCtxt<'_>, def_id: DefId) -> Option<String> {
    tcx.as_lang_item(def_id).map(|item| item.name().to_string())
}

/// `Debug` for a method of an impl of `core::fmt::Debug`: what it prints of a text is not the text itself.
pub fn formatting_trait(tcx: TyCtxt<'_>, def_id: DefId) -> Option<&'static str> {
    let of = tcx.impl_opt_trait_ref(tcx.impl_of_assoc(def_id)?)?;
    tcx.is_diagnostic_item(rustc_span::sym::Debug, of.skip_binder().def_id).then_some("Debug")
}

/// Whether `def_id` is a panic entry, below which nothing is exported (DESIGN D7).
pub fn is_panic_entry(tcx: TyCtxt<'_>, def_id: DefId) -> bool {
    lang_name(tcx, def_id).is_some_and(|name| PANIC_ENTRIES.contains(&name.as_str()) || name.starts_with("panic_const_"))
}

/// Lang items of functions that never return because they panic.
const PANIC_ENTRIES: &[&str] = &[
    "panic",
    "panic_fmt",
    "panic_nounwind",
    "panic_display",
    "panic_bounds_check",
    "panic_misaligned_pointer_dereference",
    "panic_null_pointer_dereference",
    "panic_invalid_enum_construction",
    "panic_cannot_unwind",
    "panic_in_cleanup",
    "panic_impl",
    "const_panic_fmt",
    "begin_panic",
];
