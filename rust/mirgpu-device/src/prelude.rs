// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Everything a kernel's source needs: `use mirgpu_device::prelude::*;`.

#[doc(no_inline)]
pub use crate::{
    DisjointSlice, Index1D, Index2D, SharedArray, ThreadIndex, atomic, gpu_module, kernel, launch_bounds, thread, warp,
};
