// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `#[gpu_module]`, the device half.
//!
//! Maps from: an inline module. To: the same module, token for token; `#[gpu_module(heap)]` marks it for the exporter. Invariant: each `#[kernel]` inside is left to its own
//! expansion, so that the names a user imports for it are used, and spans stay the user's.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, ItemMod};

/// Expands `#[gpu_module]` on `item`.
pub fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    match check(args, &item) {
        Ok(true) if crate::exporting() => quote! { #[mirgpu_tool::heap] #item },
        Ok(_) => item,
        Err(error) => {
            let error = error.to_compile_error();
            quote! { #error #item }
        }
    }
}

/// Whether the module asks for a heap.
fn check(args: TokenStream, item: &TokenStream) -> syn::Result<bool> {
    let heap = !args.is_empty();
    if heap && args.to_string() != "heap" {
        return Err(Error::new_spanned(args, "`#[gpu_module]` takes no argument but `heap`"));
    }
    let Ok(module) = syn::parse2::<ItemMod>(item.clone()) else {
        return Err(Error::new_spanned(item, "`#[gpu_module]` goes on a module: `mod kernels { … }`"));
    };
    if module.content.is_none() {
        return Err(Error::new_spanned(
            module,
            "`#[gpu_module]` has to see the module's body; write it in place: `mod kernels { … }`",
        ));
    }
    Ok(heap)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand_text(args: &str, item: &str) -> String {
        expand(args.parse().unwrap(), item.parse().unwrap()).to_string()
    }

    #[test]
    fn a_module_stays_as_it_is() {
        assert_eq!(expand_text("", "mod m { #[kernel] fn k () { } }"), "mod m { # [kernel] fn k () { } }");
    }

    #[test]
    fn a_heap_leaves_the_module_as_it_is_on_the_host() {
        assert_eq!(expand_text("heap", "mod m { }"), "mod m { }");
    }

    #[test]
    fn wrong_uses() {
        assert!(expand_text("", "mod m;").contains("has to see the module's body"));
        assert!(expand_text("", "fn k() {}").contains("goes on a module"));
        assert!(expand_text("x", "mod m {}").contains("takes no argument but `heap`"));
        assert!(expand_text("heap, heap", "mod m {}").contains("takes no argument but `heap`"));
    }
}
