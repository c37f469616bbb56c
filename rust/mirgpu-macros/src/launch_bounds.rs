// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `#[launch_bounds(max_threads, min_blocks)]`.
//!
//! Maps from: the attribute on a kernel. To: the same function, with `#[mirgpu_tool::launch_bounds(max, min)]` when exporting, both
//! numbers always written and unsuffixed. Invariant: it stands on a kernel. Where `#[kernel]` is expanded first it has gone when this
//! runs, so it leaves the mark `; kernel` behind the numbers; taking the attribute away there would make the user's import unused.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Ident, ItemFn, LitInt, Meta, Token};

/// The most threads that a block has on any target.
const MOST_THREADS: u32 = 1024;

/// What stands in the parentheses.
struct Bounds {
    max_threads: u32,
    min_blocks: u32,
    on_kernel: bool,
}

impl Parse for Bounds {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let max = number(input, "the largest number of threads in a block")?;
        let max_threads: u32 = max.base10_parse()?;
        if max_threads == 0 || max_threads > MOST_THREADS {
            return Err(Error::new_spanned(&max, format!("a block has 1 to {MOST_THREADS} threads")));
        }
        let mut min_blocks = 0;
        if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() && !input.peek(Token![;]) {
            min_blocks = number(input, "the least number of blocks on a multiprocessor")?.base10_parse()?;
            input.parse::<Option<Token![,]>>()?;
        }
        let on_kernel = input.parse::<Option<Token![;]>>()?.is_some();
        if on_kernel {
            input.parse::<Ident>()?;
        }
        if !input.is_empty() {
            return Err(input.error("`launch_bounds` takes two numbers: `#[launch_bounds(max_threads, min_blocks)]`"));
        }
        Ok(Bounds { max_threads, min_blocks, on_kernel })
    }
}

fn number(input: ParseStream<'_>, what: &str) -> syn::Result<LitInt> {
    input.parse().map_err(|e| Error::new(e.span(), format!("expected {what}, as an integer literal")))
}

/// Expands `#[launch_bounds(…)]` on `item`.
pub fn expand(args: TokenStream, item: TokenStream, exporting: bool) -> TokenStream {
    match bounds_of(args, &item) {
        Ok(Bounds { max_threads, min_blocks, .. }) if exporting => {
            let (max, min) = (
                LitInt::new(&max_threads.to_string(), proc_macro2::Span::call_site()),
                LitInt::new(&min_blocks.to_string(), proc_macro2::Span::call_site()),
            );
            quote! { #[mirgpu_tool::launch_bounds(#max, #min)] #item }
        }
        Ok(_) => item,
        Err(error) => {
            let error = error.to_compile_error();
            quote! { #error #item }
        }
    }
}

fn bounds_of(args: TokenStream, item: &TokenStream) -> syn::Result<Bounds> {
    let bounds: Bounds = syn::parse2(args)?;
    let attrs = syn::parse2::<ItemFn>(item.clone()).map(|f| f.attrs).unwrap_or_default();
    if let Some(second) = attrs.iter().find(|a| is_named(a, "launch_bounds")) {
        return Err(Error::new_spanned(second, "a kernel has one `#[launch_bounds]`"));
    }
    if !bounds.on_kernel && !attrs.iter().any(|a| is_named(a, "kernel")) {
        return Err(Error::new(proc_macro2::Span::call_site(), "`#[launch_bounds]` goes on a kernel; write `#[kernel]` above it"));
    }
    Ok(bounds)
}

/// Appends the mark to each `#[launch_bounds(…)]` that will be expanded after `#[kernel]`.
pub fn tell_that_this_is_a_kernel(attrs: &mut [Attribute]) {
    for attr in attrs {
        if let Meta::List(list) = &mut attr.meta
            && list.path.segments.last().is_some_and(|s| s.ident == "launch_bounds")
            && list.path.segments[0].ident != "mirgpu_tool"
        {
            list.tokens.extend(quote! { ; kernel });
        }
    }
}

fn is_named(attr: &Attribute, name: &str) -> bool {
    attr.path().segments.last().is_some_and(|s| s.ident == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand_text(args: &str, item: &str, exporting: bool) -> String {
        expand(args.parse().unwrap(), item.parse().unwrap(), exporting).to_string()
    }

    #[test]
    fn both_orders() {
        let before = expand_text("256", "#[kernel] fn k() {}", true);
        assert!(before.starts_with("# [mirgpu_tool :: launch_bounds (256 , 0)] # [kernel] fn k"), "{before}");
        let kernel =
            crate::kernel::expand(TokenStream::new(), "#[launch_bounds(256, 2)] fn k() {}".parse().unwrap(), true).to_string();
        assert!(kernel.contains("# [launch_bounds (256 , 2 ; kernel)]"), "{kernel}");
        let after = expand_text("256, 2 ; kernel", "fn k() {}", true);
        assert!(after.starts_with("# [mirgpu_tool :: launch_bounds (256 , 2)] fn k"), "{after}");
        assert!(expand_text("256, ; kernel", "fn k() {}", true).contains("(256 , 0)"));
    }

    #[test]
    fn a_host_build_keeps_the_item_as_it_is() {
        assert_eq!(expand_text("0x80u32, 1", "#[kernel] fn k () { }", false), "# [kernel] fn k () { }");
    }

    #[test]
    fn wrong_uses() {
        for (args, item, message) in [
            ("256", "fn k() {}", "goes on a kernel"),
            ("256", "#[kernel] #[launch_bounds(128)] fn k() {}", "has one"),
            ("0", "#[kernel] fn k() {}", "1 to 1024 threads"),
            ("2048", "#[kernel] fn k() {}", "1 to 1024 threads"),
            ("", "#[kernel] fn k() {}", "as an integer literal"),
            ("MAX", "#[kernel] fn k() {}", "as an integer literal"),
            ("256, N", "#[kernel] fn k() {}", "as an integer literal"),
            ("256, 1, 1", "#[kernel] fn k() {}", "takes two numbers"),
        ] {
            let text = expand_text(args, item, false);
            assert!(text.contains("compile_error") && text.contains(message), "{args}: {text}");
        }
    }
}
