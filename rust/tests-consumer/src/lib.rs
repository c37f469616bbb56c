// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A strict user's crate: uses everything that `mirgpu_device` has, and has to compile on stable Rust without a warning.
#![no_std]
#![deny(warnings, unexpected_cfgs, dead_code, static_mut_refs, unused, missing_docs, rust_2018_idioms, rust_2024_compatibility)]
#![deny(unsafe_op_in_unsafe_fn, unreachable_pub, let_underscore_drop, single_use_lifetimes)]
#![allow(clippy::all)]

use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;

    #[kernel]
    pub(crate) fn coordinates(mut out: DisjointSlice<'_, u32>) {
        let sum = thread::thread_idx_x()
            + thread::thread_idx_y()
            + thread::thread_idx_z()
            + thread::block_idx_x()
            + thread::block_idx_y()
            + thread::block_idx_z()
            + thread::block_dim_x()
            + thread::block_dim_y()
            + thread::block_dim_z()
            + thread::grid_dim_x()
            + thread::grid_dim_y()
            + thread::grid_dim_z();
        if let Some((cell, i)) = out.get_mut_indexed() {
            *cell = sum + i.get() as u32;
        }
    }

    #[kernel]
    #[launch_bounds(256, 1)]
    pub(crate) fn shared(x: &[f32], mut out: DisjointSlice<'_, f32>) {
        static mut TILE: SharedArray<f32, 256> = SharedArray::UNINIT;
        static mut ALIGNED: SharedArray<u32, 32, 128> = SharedArray::UNINIT;
        let (i, own) = (thread::index_1d(), thread::thread_idx_x() as usize);
        // SAFETY: each thread writes its own elements, and reads others behind the barrier.
        unsafe {
            TILE[own] = x[i.get()];
            ALIGNED[own % 32] = 0;
            thread::sync_threads();
            let tile = SharedArray::as_raw_mut_ptr(&raw mut TILE);
            if let Some(cell) = out.get_mut(i) {
                *cell = TILE[255 - own] + tile.read();
            }
            atomic::block_add(SharedArray::as_raw_mut_ptr(&raw mut ALIGNED), 1);
        }
    }

    #[launch_bounds(128)]
    #[kernel]
    pub(crate) unsafe fn exchange(mut floats: DisjointSlice<'_, f32>, ints: *mut i32) {
        let lane = warp::lane_id();
        let a = warp::shuffle(lane, 0) + warp::shuffle_sync(u32::MAX, lane, 1) + warp::shuffle_sync_width(u32::MAX, lane, 1, 16);
        let b = warp::shuffle_up(-1i32, 1) + warp::shuffle_up_sync(u32::MAX, 2i32, 1);
        let c = warp::shuffle_down(1.0f32, 1) + warp::shuffle_xor(1.0f32, 16) + warp::shuffle_xor_f32(2.0, 8);
        if let Some(cell) = floats.get_mut(thread::index_1d()) {
            *cell = helper(c) + a as f32;
        }
        // SAFETY: the caller of an unsafe kernel promises that `ints` leads to an i32 that is reached by atomics alone.
        unsafe { atomic::device_add(ints, b) };
    }

    #[kernel]
    pub(crate) fn matrix<T: Copy, const ROWS: usize>(x: &[[T; 64]; ROWS], mut out: DisjointSlice<'_, T, Index2D<64>>) {
        let (row, col) = (thread::index_2d_row(), thread::index_2d_col());
        if let Some(cell) = thread::index_2d::<64>().and_then(|i| out.get_mut(i)) {
            *cell = x[row][col];
        }
    }

    /// Used by a kernel alone.
    fn helper(x: f32) -> f32 {
        x * 2.0
    }
}

/// Device code as cuda-oxide has it: only the `use` line differs.
mod moved {
    use mirgpu_device::{
        DisjointSlice, SharedArray, ThreadIndex, gpu_module as cuda_module, index_1d, kernel, launch_bounds, thread, warp,
    };

    #[cuda_module]
    mod kernels {
        use super::*;

        #[kernel]
        #[launch_bounds(256, 2)]
        pub(crate) fn warp_sums(data: &[f32], mut out: DisjointSlice<'_, f32>) {
            static mut SUMS: SharedArray<f32, 8> = SharedArray::UNINIT;
            let gid: ThreadIndex<'_> = index_1d();
            let mut val = data[gid.get()];
            val = val + warp::shuffle_xor_f32(val, 16);
            val = val + warp::shuffle_down_f32_sync(u32::MAX, val, 8);
            let warp_in_block = (thread::threadIdx_x() / 32) as usize;
            if warp::lane_id() == 0 {
                unsafe { SUMS[warp_in_block] = val };
            }
            thread::sync_threads();
            let idx = thread::blockIdx_x() as usize * 8 + warp_in_block;
            if warp::lane_id() == 0 && idx < out.len() {
                unsafe { *out.get_unchecked_mut(idx) = SUMS[warp_in_block] };
            }
        }
    }
}

/// Memory kinds.
mod memory {
    use mirgpu_device::prelude::*;

    #[constant]
    static COEFFS: ConstantMemory<[f32; 4]> = ConstantMemory::UNINIT;
    #[constant]
    static TABLE: [f32; 2] = [1.0, 2.0];

    #[kernel]
    pub(crate) fn tiled(x: &[f32], mut out: DisjointSlice<'_, f32>) {
        let (i, own) = (thread::index_1d(), thread::thread_idx_x() as usize);
        // SAFETY: each thread writes its own element, and reads others behind the barrier.
        let mut tile: SharedSlice<f32> = unsafe { DynamicSharedArray::<f32, 128>::slice(0, thread::block_dim_x() as usize) };
        tile[own] = x[i.get()];
        thread::sync_threads();
        if let Some(cell) = out.get_mut(i) {
            // SAFETY: the first element of the slice.
            *cell =
                tile[tile.len() - 1 - own] * COEFFS.get_ref()[0] + TABLE[own % 2] + unsafe { *DynamicSharedArray::<f32>::get() };
        }
    }
}
