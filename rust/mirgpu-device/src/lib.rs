// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What a GPU kernel written in Rust may call.
//!
//! A kernel is a function that every thread of a launch runs. It compiles with the rest of its crate on stable Rust, and mirgpu makes
//! GPU and CPU code of it. This crate has the vocabulary: who am I ([`thread`]), where may I write ([`DisjointSlice`]), what do the
//! threads of a block share ([`SharedArray`], [`DynamicSharedArray`], [`thread::sync_threads`]), how do the lanes of a warp exchange values ([`warp`]), how do
//! threads add to one place ([`atomic`]).
//!
//! ```no_run
//! use mirgpu_device::prelude::*;
//!
//! #[gpu_module]
//! mod kernels {
//!     use super::*;
//!
//!     #[kernel]
//!     pub fn saxpy(a: f32, x: &[f32], mut y: DisjointSlice<f32>) {
//!         let i = thread::index_1d();
//!         if let Some(yi) = y.get_mut(i) {
//!             *yi += a * x[i.get()];
//!         }
//!     }
//! }
//! # fn main() {}
//! ```
//!
//! # On the host
//! The crate is `no_std` and compiles everywhere, but its operations exist in kernels alone: called from ordinary host code they panic
//! and say so. What a kernel computes without them is ordinary Rust and can be tested as such.
//!
//! # What is safe
//! A safe kernel has no data race as long as its launch fits it: [`DisjointSlice`] says what that means. What takes `unsafe` is
//! shared memory, atomics through pointers, and elements that are not the thread's own. Barriers and shuffles are safe: a thread that
//! does not arrive is a fault that is reported or hangs, not undefined behaviour.
//!
//! # Coming from cuda-oxide
//! Names and shapes are the same, so that device code moves by changing its `use` line:
//!
//! | there | here |
//! |---|---|
//! | `use cuda_device::{thread, warp, DisjointSlice, SharedArray, kernel, launch_bounds}` | `use mirgpu_device::{…}`, the same |
//! | `use cuda_device::cuda_module` | `use mirgpu_device::gpu_module as cuda_module` |
//! | `thread::threadIdx_x()`, `warp::shuffle_xor_f32(v, 16)` | the same, or `thread::thread_idx_x()`, `warp::shuffle_xor(v, 16)` |
//! | `thread::index_1d()`, `index_2d::<S>()`, `get_mut`, `get_mut_indexed` | the same; they also work in helper functions |
//! | `TILE.as_mut_ptr()`, `SharedArray::as_raw_mut_ptr(&raw mut TILE)` | the same |
//! | `DynamicSharedArray::<f32>::get()`, `offset(bytes)` | the same, and `slice(bytes, len)`, whose indices are checked |
//! | `#[constant] static C: ConstantMemory<[f32; 4]>`, `get()`, `get_ref()` | the same, and initial values by `new` |
//!
//! Not here yet: votes and other collectives, 64-bit shuffles, the run-time 2-D index.
#![cfg_attr(not(test), no_std)]

#[cfg(not(target_pointer_width = "64"))]
compile_error!("kernels have 64-bit pointers, so their crate is compiled for a 64-bit host");

mod constant_memory;
mod disjoint;
mod dynamic_shared;
mod stub;

pub mod atomic;
#[doc(hidden)]
#[cfg_attr(mirgpu, mirgpu_tool::allocators)]
pub mod heap;
pub mod prelude;
pub mod shared;
pub mod target;
pub mod thread;
pub mod warp;

pub use constant_memory::{ConstantMemory, ConstantMemoryValue};
pub use disjoint::DisjointSlice;
pub use dynamic_shared::{DynamicSharedArray, SharedSlice};
pub use mirgpu_macros::{constant, gpu_module, kernel, launch_bounds};
pub use shared::SharedArray;
#[doc(no_inline)]
pub use thread::*;
