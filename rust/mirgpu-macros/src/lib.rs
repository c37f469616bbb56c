// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The attributes of mirgpu: [`macro@kernel`], [`macro@launch_bounds`], [`macro@constant`] and [`macro@gpu_module`].
//!
//! Maps from: an attributed item. To: the same item, and in the exporter's pass (`MIRGPU_EXPORT` is set in the environment of the
//! expansion) the `#[mirgpu_tool::…]` attributes by which the exporter knows it. Invariant: in a host build nothing is added that a
//! stable compiler could warn about, and the user's tokens keep their spans.
//!
//! Use them through `mirgpu_device`, which re-exports them.

mod constant;
mod gpu_module;
mod kernel;
mod launch_bounds;

use proc_macro::TokenStream;

/// Whether this expansion happens in the exporter's pass.
fn exporting() -> bool {
    std::env::var_os("MIRGPU_EXPORT").is_some()
}

/// Marks a function as a kernel: an entry point that every thread of a launch runs.
///
/// ```
/// use mirgpu_macros::kernel;
///
/// #[kernel]
/// pub fn nothing(_a: f32, _x: &[f32]) {}
///
/// #[kernel]
/// pub fn generic<T: Copy, const N: usize>(_x: &[T]) {}
/// ```
///
/// Launches are not calls that rustc sees, so the function is also marked `#[allow(dead_code)]` (the one thing that a crate with
/// `#![forbid(dead_code)]` cannot take).
///
/// A kernel is a free function that returns nothing. It may be generic: one entry point is made for each instance that host code
/// launches. It may be `unsafe`. Its parameters are passed by value or as slices; a slice that is written is a `DisjointSlice`.
///
/// # What is refused
///
/// A returned value (write it to a `DisjointSlice`):
/// ```compile_fail
/// #[mirgpu_macros::kernel]
/// fn sum(x: &[f32]) -> f32 { 0.0 }
/// ```
/// An `async` function, another ABI, variadic arguments:
/// ```compile_fail
/// #[mirgpu_macros::kernel]
/// async fn waits() {}
/// ```
/// ```compile_fail
/// #[mirgpu_macros::kernel]
/// extern "C" fn foreign() {}
/// ```
/// A method:
/// ```compile_fail
/// struct Scale(f32);
/// impl Scale {
///     #[mirgpu_macros::kernel]
///     fn apply(&self) {}
/// }
/// ```
/// `impl Trait`, since a launch could not name the type (write a type parameter):
/// ```compile_fail
/// #[mirgpu_macros::kernel]
/// fn map(f: impl Fn(f32) -> f32) {}
/// ```
/// `&mut` in a safe kernel, since every thread would hold the same exclusive reference (take a `DisjointSlice`):
/// ```compile_fail
/// #[mirgpu_macros::kernel]
/// fn fill(x: &mut [f32]) {}
/// ```
/// Anything that is no function, and arguments to the attribute:
/// ```compile_fail
/// #[mirgpu_macros::kernel]
/// struct Scale(f32);
/// ```
/// ```compile_fail
/// #[mirgpu_macros::kernel(f32, i32)]
/// fn scale<T>(x: &[T]) {}
/// ```
#[proc_macro_attribute]
pub fn kernel(args: TokenStream, item: TokenStream) -> TokenStream {
    kernel::expand(args.into(), item.into(), exporting()).into()
}

/// Promises the compiler how a kernel is launched: `#[launch_bounds(max_threads)]` or `#[launch_bounds(max_threads, min_blocks)]`.
///
/// `max_threads` is the largest number of threads that a block of this kernel ever has (1 to 1024): a launch with more is refused.
/// `min_blocks` is how many blocks the compiler should make room for on one multiprocessor; 0 or none leaves it free. It stands
/// before or after `#[kernel]`.
///
/// ```
/// use mirgpu_macros::{kernel, launch_bounds};
///
/// #[kernel]
/// #[launch_bounds(256, 2)]
/// pub fn tuned(_x: &[f32]) {}
/// ```
///
/// ```compile_fail
/// #[mirgpu_macros::launch_bounds(256)]
/// fn no_kernel() {}
/// ```
/// ```compile_fail
/// use mirgpu_macros::{kernel, launch_bounds};
/// #[kernel]
/// #[launch_bounds(4096)]
/// fn too_many() {}
/// ```
#[proc_macro_attribute]
pub fn launch_bounds(args: TokenStream, item: TokenStream) -> TokenStream {
    launch_bounds::expand(args.into(), item.into(), exporting()).into()
}

/// Puts a static into the target's constant memory.
///
/// ```
/// use mirgpu_macros::constant;
///
/// #[constant]
/// static TABLE: [f32; 4] = [1.0, 0.5, 0.25, 0.125];
/// ```
///
/// Only what never changes while a kernel runs can lie there. A value that the host sets before a launch is a `ConstantMemory<T>` of
/// `mirgpu_device`. NVIDIA targets have 64 KiB of constant memory for a whole module; elsewhere the attribute changes nothing but
/// where the static lies.
///
/// ```compile_fail
/// #[mirgpu_macros::constant]
/// static mut COUNT: u32 = 0;
/// ```
#[proc_macro_attribute]
pub fn constant(args: TokenStream, item: TokenStream) -> TokenStream {
    constant::expand(args.into(), item.into(), exporting()).into()
}

/// Marks an inline module whose kernels are compiled and loaded together.
///
/// ```
/// use mirgpu_macros::{gpu_module, kernel};
///
/// #[gpu_module]
/// mod kernels {
///     use super::*;
///
///     #[kernel]
///     pub fn nothing() {}
/// }
/// # fn main() {}
/// ```
///
/// `#[gpu_module(heap)]` gives the module's kernels a heap: `Box`, `Vec`, `String`, `BTreeMap`, `Rc` and the rest of `alloc` work in
/// them. It is empty when a launch begins, and as large as the launch says (`Launch::heap`, `mirgpu run --heap`; 8 MiB by default). An
/// allocation that finds no room panics; what is not freed when the launch ends is counted and named in a warning.
/// ```
/// use mirgpu_macros::{gpu_module, kernel};
///
/// #[gpu_module(heap)]
/// mod kernels {
///     use super::*;
///
///     #[kernel]
///     pub fn sorted(x: &[u32]) {
///         let mut own = x.to_vec();
///         own.sort();
///     }
/// }
/// # fn main() {}
/// ```
///
/// The module's body must stand in place, since the attribute has to see it:
/// ```compile_fail
/// #[mirgpu_macros::gpu_module]
/// mod kernels;
/// ```
/// ```compile_fail
/// #[mirgpu_macros::gpu_module]
/// fn kernels() {}
/// ```
#[proc_macro_attribute]
pub fn gpu_module(args: TokenStream, item: TokenStream) -> TokenStream {
    gpu_module::expand(args.into(), item.into()).into()
}
