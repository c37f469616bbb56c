// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `#[constant]`.
//!
//! Maps from: a static item. To: the same item, with `#[mirgpu_tool::constant]` when exporting. Invariant: it is not `mut`; interior
//! mutability, which needs types, is judged by lowering.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, ItemStatic, StaticMutability};

/// Expands `#[constant]` on `item`.
pub fn expand(args: TokenStream, item: TokenStream, exporting: bool) -> TokenStream {
    match check(args, &item) {
        Ok(()) if exporting => quote! { #[mirgpu_tool::constant] #item },
        Ok(()) => item,
        Err(error) => {
            let error = error.to_compile_error();
            quote! { #error #item }
        }
    }
}

fn check(args: TokenStream, item: &TokenStream) -> syn::Result<()> {
    if !args.is_empty() {
        return Err(Error::new_spanned(args, "`#[constant]` takes no arguments"));
    }
    let Ok(item) = syn::parse2::<ItemStatic>(item.clone()) else {
        return Err(Error::new_spanned(item, "`#[constant]` goes on a static: `static TABLE: [f32; 4] = […];`"));
    };
    if let StaticMutability::Mut(token) = item.mutability {
        return Err(Error::new_spanned(
            token,
            "constant memory cannot be written by a kernel; for a value that the host sets take a `ConstantMemory<T>` without `mut`",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand_text(args: &str, item: &str, exporting: bool) -> String {
        expand(args.parse().unwrap(), item.parse().unwrap(), exporting).to_string()
    }

    #[test]
    fn the_attribute_is_for_the_exporter_alone() {
        assert_eq!(expand_text("", "static X: u8 = 1;", false), "static X : u8 = 1 ;");
        assert_eq!(expand_text("", "static X: u8 = 1;", true), "# [mirgpu_tool :: constant] static X : u8 = 1 ;");
    }

    #[test]
    fn wrong_uses() {
        assert!(expand_text("", "fn k() {}", true).contains("goes on a static"));
        assert!(expand_text("", "const X: u8 = 1;", true).contains("goes on a static"));
        assert!(expand_text("", "static mut X: u8 = 1;", true).contains("without `mut`"));
        assert!(expand_text("4", "static X: u8 = 1;", true).contains("takes no arguments"));
    }
}
