// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Everything a kernel's source needs: `use mirgpu_device::prelude::*;`.

#[doc(no_inline)]
pub use crate::{
    ConstantMemory, DisjointSlice, DynamicSharedArray, Index1D, Index2D, SharedArray, SharedSlice, ThreadIndex, atomic, constant,
    gpu_module, kernel, launch_bounds, target, thread, warp,
};
