// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Declarations of the intrinsics (one row each in the compiler's table).
//!
//! Maps from: `fn name(…) -> … = "id";`. To: a function that the exporter knows by `#[mirgpu_tool::intrinsic("id")]`. Invariant: it
//! is never inlined (rustc's MIR inliner would put the body below in place of the call), and on the host it panics and says why.

/// Declares stubs. `safe` or `unsafe` says what the functions are; the id is the path below `mirgpu_device`.
macro_rules! stubs {
    (safe $($rest:tt)*) => { crate::stub::stubs! { @each [] $($rest)* } };
    (unsafe $($rest:tt)*) => { crate::stub::stubs! { @each [unsafe] $($rest)* } };
    (@each $qualifier:tt $(
        $(#[$meta:meta])*
        fn $name:ident($($arg:ident: $ty:ty),*) $(-> $result:ty)? = $id:tt;
    )*) => { $( crate::stub::stubs! { @one $qualifier [$(#[$meta])*] $id $name ($($arg: $ty),*) ($($result)?) } )* };
    (@one [$($qualifier:tt)*] [$(#[$meta:meta])*] $id:tt $name:ident ($($arg:ident: $ty:ty),*) ($($result:ty)?)) => {
        $(#[$meta])*
        #[cfg_attr(mirgpu, mirgpu_tool::intrinsic($id))]
        #[inline(never)]
        pub $($qualifier)* fn $name($($arg: $ty),*) $(-> $result)? {
            let _ = ($($arg,)*);
            crate::stub::only_in_a_kernel($id)
        }
    };
}
pub(crate) use stubs;

/// Where every operation of this crate ends on the host.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn only_in_a_kernel(what: &str) -> ! {
    panic!("`{what}` only runs in a kernel: launch one through mirgpu, the CPU device runs it without a GPU")
}
