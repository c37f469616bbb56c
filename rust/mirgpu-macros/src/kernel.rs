// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `#[kernel]`.
//!
//! Maps from: a function item. To: the same function with `#[allow(dead_code)]` (a kernel is reached by launches, which rustc does
//! not see), and `#[mirgpu_tool::kernel]` when exporting. Invariant: what leaves here without an error has D11's shape as far as
//! syntax can tell; what needs types (`dyn`, function pointers behind an alias) is judged by lowering.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Error, FnArg, ItemFn, ReturnType, Signature, Type};

/// Expands `#[kernel]` on `item`.
pub fn expand(args: TokenStream, item: TokenStream, exporting: bool) -> TokenStream {
    let mut function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let error = not_a_function(&item).unwrap_or(error).to_compile_error();
            return quote! { #error #item };
        }
    };
    if let Err(error) = check_args(args).and_then(|()| check(&function)) {
        let error = error.to_compile_error();
        return quote! { #error #[allow(dead_code)] #function };
    }
    crate::launch_bounds::tell_that_this_is_a_kernel(&mut function.attrs);
    let marker = exporting.then(|| quote! { #[mirgpu_tool::kernel] });
    quote! { #marker #[allow(dead_code)] #function }
}

/// What to say of something that does not parse as a function with a body; `None`: the parser's own error is the better one.
fn not_a_function(item: &TokenStream) -> Option<Error> {
    if let Ok(function) = syn::parse2::<syn::TraitItemFn>(item.clone()) {
        return Some(Error::new_spanned(
            function.sig,
            "a kernel needs a body: `#[kernel]` goes on a free function, not on a method of a trait",
        ));
    }
    match syn::parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Verbatim(_)) | Err(_) => None,
        Ok(other) => Some(Error::new(head_span(&other), "`#[kernel]` goes on a function")),
    }
}

/// The span of an item's first token behind its attributes and visibility.
fn head_span(item: &syn::Item) -> Span {
    let mut skip_group = false;
    for token in item.to_token_stream() {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => skip_group = true,
            TokenTree::Group(_) if skip_group => skip_group = false,
            TokenTree::Ident(ident) if ident == "pub" => skip_group = true,
            _ => return token.span(),
        }
    }
    item.span()
}

fn check_args(args: TokenStream) -> Result<(), Error> {
    if args.is_empty() {
        return Ok(());
    }
    Err(Error::new_spanned(
        args,
        "`#[kernel]` takes no arguments; a generic kernel gets one entry point for each instance that is launched",
    ))
}

/// All that is wrong with `function`, in one error.
fn check(function: &ItemFn) -> Result<(), Error> {
    let mut errors = Errors(None);
    check_signature(&function.sig, &mut errors);
    for input in &function.sig.inputs {
        check_input(input, function.sig.unsafety.is_some(), &mut errors);
    }
    errors.0.map_or(Ok(()), Err)
}

fn check_signature(sig: &Signature, errors: &mut Errors) {
    if let Some(token) = &sig.asyncness {
        errors.add(token, "a kernel cannot be `async`: every thread runs it from start to end");
    }
    if let Some(abi) = &sig.abi {
        errors.add(abi, "a kernel has its own calling convention; remove the `extern`");
    }
    if let Some(variadic) = &sig.variadic {
        errors.add(variadic, "a kernel has a fixed number of parameters");
    }
    if let ReturnType::Type(_, ty) = &sig.output
        && !matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty())
    {
        errors.add(ty, "a kernel returns nothing; write results to a `DisjointSlice` parameter");
    }
}

fn check_input(input: &FnArg, is_unsafe: bool, errors: &mut Errors) {
    let input = match input {
        FnArg::Receiver(receiver) => {
            return errors.add(receiver, "a kernel cannot take `self`: `#[kernel]` goes on a free function");
        }
        FnArg::Typed(input) => input,
    };
    if let Some(span) = find_impl(input.ty.to_token_stream()) {
        errors.push(Error::new(
            span,
            "a kernel cannot take `impl Trait`, since a launch has to name the type; write a type parameter",
        ));
    }
    let mut ty = &*input.ty;
    while let Type::Paren(syn::TypeParen { elem, .. }) | Type::Group(syn::TypeGroup { elem, .. }) = ty {
        ty = elem;
    }
    if let Type::Reference(reference) = ty
        && reference.mutability.is_some()
        && !is_unsafe
    {
        errors.add(
            reference,
            "`&mut` in a safe kernel: every thread would hold the same exclusive reference; \
                               take a `DisjointSlice`, or make the kernel an `unsafe fn`",
        );
    }
}

/// Where the keyword `impl` stands in a type, at any depth.
fn find_impl(tokens: TokenStream) -> Option<Span> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if ident == "impl" => Some(ident.span()),
        TokenTree::Group(group) => find_impl(group.stream()),
        _ => None,
    })
}

struct Errors(Option<Error>);

impl Errors {
    fn add(&mut self, tokens: impl ToTokens, message: &str) {
        self.push(Error::new_spanned(tokens, message));
    }

    fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            none => *none = Some(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand_text(args: &str, item: &str, exporting: bool) -> String {
        expand(args.parse().unwrap(), item.parse().unwrap(), exporting).to_string()
    }

    /// The messages for `item`, each with the source text it points at.
    fn errors(item: &str) -> Vec<(String, String)> {
        let tokens: TokenStream = item.parse().unwrap();
        let found = match syn::parse2::<ItemFn>(tokens.clone()) {
            Ok(function) => check(&function).unwrap_err(),
            Err(error) => not_a_function(&tokens).unwrap_or(error),
        };
        let at = |e: &Error| {
            let (start, end) = (e.span().start(), e.span().end());
            assert_eq!((start.line, end.line), (1, 1));
            item.chars().skip(start.column).take(end.column - start.column).collect()
        };
        found.into_iter().map(|e| (e.to_string(), at(&e))).collect()
    }

    fn one(item: &str, message: &str, place: &str) {
        let found = errors(item);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].0.contains(message), "{found:?}");
        assert_eq!(found[0].1, place, "{found:?}");
    }

    #[test]
    fn a_host_build_gets_no_tool_attribute() {
        let host = expand_text("", "pub fn k<T: Copy>(x: &[T]) {}", false);
        assert!(!host.contains("mirgpu_tool") && host.contains("fn k < T : Copy >"), "{host}");
        let device = expand_text("", "pub unsafe fn k(x: &mut [f32]) {}", true);
        assert!(device.contains("# [mirgpu_tool :: kernel]"), "{device}");
    }

    #[test]
    fn the_unit_type_may_be_written_out() {
        assert!(!expand_text("", "fn k() -> () {}", false).contains("compile_error"));
    }

    #[test]
    fn wrong_functions() {
        one("async fn k() {}", "cannot be `async`", "async");
        one("extern \"C\" fn k() {}", "own calling convention", "extern \"C\"");
        one("fn k(x: f32) -> f32 { x }", "returns nothing", "f32");
        one("fn k() -> ! { loop {} }", "returns nothing", "!");
        one("fn k(&self, x: f32) {}", "cannot take `self`", "&self");
        one("fn k(f: impl Fn(f32) -> f32) {}", "cannot take `impl Trait`", "impl");
        one("fn k(f: (f32, &[impl Copy])) {}", "cannot take `impl Trait`", "impl");
        one("fn k(x: &mut [f32]) {}", "take a `DisjointSlice`", "&mut [f32]");
    }

    #[test]
    fn every_fault_is_reported_at_once() {
        assert_eq!(errors("async fn k(self, f: impl Copy) -> u32 { 0 }").len(), 4);
    }

    #[test]
    fn wrong_items() {
        one("pub struct S { x: f32 }", "goes on a function", "struct");
        one("pub(crate) mod m {}", "goes on a function", "mod");
        one("fn k(x: f32);", "needs a body", "fn k(x: f32)");
        assert!(expand_text("", "struct S;", true).contains("struct S ;"), "the item itself stays");
        assert!(expand_text("f32", "fn k<T>(x: &[T]) {}", false).contains("takes no arguments"));
    }
}
